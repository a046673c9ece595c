import { FeedError } from '../feed-error.ts';
import { readValue } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';

/** The first fields of records 3 and 4: the flight, its itinerary variation with the overflow, and the leg. */
export type RecordKey = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix: string;
  readonly itinerary: number;
  readonly sequence: number;
  readonly serviceType: string;
};

/** The two record types have the overflow of the itinerary variation in different columns. */
const overflowColumns = { '3': [128, 128], '4': [28, 28] } as const;

/** Parses bytes 2-14 and the itinerary overflow of a record 3 or 4. Throws a FeedError. */
export const parseRecordKey = (record: string, type: '3' | '4'): RecordKey => {
  const suffix = readValue(record, [2, 2], formats.suffixFormat);
  const carrier = readValue(record, [3, 5], formats.carrierFormat);
  const flightNumber = readValue(record, [6, 9], formats.flightNumberFormat);
  const units = readValue(record, [10, 11], formats.itineraryNumberFormat);
  const hundreds = readValue(record, overflowColumns[type], formats.itineraryHundredsFormat);
  const itinerary = units + 100 * hundreds;
  if (itinerary === 0)
    throw new FeedError(`The itinerary variation '00' requires an overflow digit.`, {
      bytes: [10, 11],
      value: '00',
      reason: 'bad-itinerary',
    });
  const sequence = readValue(record, [12, 13], formats.sequenceFormat);
  const serviceType = readValue(record, [14, 14], formats.serviceTypeFormat);
  return { carrier, flightNumber, suffix, itinerary, sequence, serviceType };
};

/** Returns a text that identifies the itinerary variation within a file. */
export const formatItineraryKey = ({ carrier, flightNumber, suffix, itinerary }: RecordKey): string =>
  `${carrier}/${flightNumber}${suffix}/${itinerary}`;
