import { dataElements as dei } from '../../schedule/data-elements.ts';
import { readFlightReferences } from '../../schedule/flight-references.ts';
import type { Itinerary, ScheduleLeg } from '../../schedule/schedule.ts';
import { pointPairOf, readCompany, textFor } from '../../schedule/segment-data.ts';

type Codeshare = readonly [seller: string, operator: string];

/** The company that the disclosure of a marketing leg names: the owner of the aircraft, or that of data element 127. */
const disclosedBy = (leg: ScheduleLeg, { segmentData }: Itinerary): string => {
  if (leg.disclosure === 'L') return leg.aircraftOwner.code;
  return leg.disclosure === 'Z'
    ? readCompany(textFor(segmentData, pointPairOf([leg]), dei.operatingAirline) ?? '').code
    : '';
};

const carriersNamed = ({ segmentData }: Itinerary, element: number): readonly string[] =>
  segmentData
    .filter((data) => data.dei === element)
    .flatMap(({ data }) => (readFlightReferences(data) ?? []).map(({ carrier }) => carrier));

/**
 * Which carriers sell flights that another operates, as an itinerary tells: by the flights it names as its operating ones (data element 50) or
 * as sold besides (data element 10), and by the operator it discloses (byte 149, `L` and `Z`).
 */
export const codesharesOf = (itinerary: Itinerary): readonly Codeshare[] => {
  const { legs } = itinerary;
  const { carrier } = legs[0];
  const operators = [
    ...carriersNamed(itinerary, dei.operatingFlight),
    ...legs.map((leg) => disclosedBy(leg, itinerary)),
  ];
  const pairs: readonly Codeshare[] = [
    ...operators.map((operator) => [carrier, operator] as const),
    ...carriersNamed(itinerary, dei.marketingFlights).map((seller) => [seller, carrier] as const),
  ];
  return pairs.filter(([seller, operator]) => operator !== '' && seller !== operator);
};
