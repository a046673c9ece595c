import { fileOf, leg, load, type Bytes } from './build-file.ts';

/** Reads one leg beside a good one, so that the file stands whatever becomes of it. */
export const readOne = async (bytes: Bytes) => {
  const { itineraries, report, remarks } = await load(fileOf(leg({ 6: '9999' }), leg(bytes)));
  const legs = itineraries.flatMap((itinerary) => itinerary.legs).filter(({ flightNumber }) => flightNumber !== 9999);
  return { leg: legs[0], entries: report.entries, remarks };
};
