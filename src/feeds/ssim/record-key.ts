import { FeedError } from '../feed-error.ts';
import * as kinds from './field-formats.ts';

/** What records 3 and 4 begin with: the flight and its itinerary variation (overflow added), then the leg it is filed under. */
export type RecordKey = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix: string;
  readonly itinerary: number;
  readonly sequence: number;
  readonly serviceType: string;
};

/** The overflow of the itinerary variation stands elsewhere in each of the two record types. */
const overflowColumns = { '3': [128, 128], '4': [28, 28] } as const;

/** Reads bytes 2-14 and the itinerary overflow of a record 3 or 4. Throws a FeedError. */
export const readKey = (record: string, type: '3' | '4'): RecordKey => {
  const suffix = kinds.valueAt(record, [2, 2], kinds.suffix);
  const carrier = kinds.valueAt(record, [3, 5], kinds.carrier);
  const flightNumber = kinds.valueAt(record, [6, 9], kinds.flightNumber);
  const units = kinds.valueAt(record, [10, 11], kinds.itineraryNumber);
  const hundreds = kinds.valueAt(record, overflowColumns[type], kinds.itineraryHundreds);
  const itinerary = units + 100 * hundreds;
  if (itinerary === 0)
    throw new FeedError(`'00' without an overflow is no itinerary variation.`, {
      bytes: [10, 11],
      value: '00',
      reason: 'bad-itinerary',
    });
  const sequence = kinds.valueAt(record, [12, 13], kinds.sequence);
  const serviceType = kinds.valueAt(record, [14, 14], kinds.serviceType);
  return { carrier, flightNumber, suffix, itinerary, sequence, serviceType };
};

/** One text for each itinerary of a file. */
export const itineraryKey = ({ carrier, flightNumber, suffix, itinerary }: RecordKey): string =>
  `${carrier}/${flightNumber}${suffix}/${itinerary}`;
