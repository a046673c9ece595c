import type { RequestContext } from '../../../http/router/request-context.ts';
import type { FoundInstance, ListedInstance } from '../../../store/flights/flight-instances.ts';
import { PENDING_ORIGINAL } from '../../../store/status/unscheduled-instances.ts';

/** What is put into a row besides what the database has ready. */
export type Extras = {
  /** The value of `statusDetails`, JSON text; undefined leaves it out. */
  readonly statusDetails: Buffer | undefined;
  /** The link to the flight's map; undefined leaves it out. */
  readonly map: string | undefined;
  readonly withSeats: boolean;
};

const text = (value: string): Buffer => Buffer.from(value);
const close = text('}');
const statusHead = text(',"statusDetails":');
const seatsHead = text(',"seatingCapacity":{');
const actualHead = text('"actual":');
const predictedHead = text('"predicted":');
const comma = text(',');

/** The value of `seatingCapacity`: the seats of the aircraft that flies, else those scheduled, and those to be expected. */
const seatsOf = ({ seats, actualSeats, predictedSeats }: ListedInstance): readonly Buffer[] => {
  const actual = actualSeats ? [actualHead, actualSeats] : seats ? [seats.subarray(1, -1)] : [];
  const predicted = predictedSeats ? [predictedHead, predictedSeats] : [];
  if (actual.length + predicted.length === 0) return [];
  return [seatsHead, ...actual, ...(actual.length > 0 && predicted.length > 0 ? [comma] : []), ...predicted, close];
};

const PENDING = PENDING_ORIGINAL.charCodeAt(0);

/** A single flight is to be had from this version on, whichever version asks. */
const originalOf = ({ original }: ListedInstance, base: string): readonly Buffer[] =>
  original && original.length > 0 && original[0] !== PENDING
    ? [
        text(
          `,"originalFlight":${JSON.stringify(`${base}/flight-instances/${original.toString('latin1')}?version=v2`)}`,
        ),
      ]
    : [];

/** Adds the datasets asked for to a row of the database, byte by byte: the row itself is never parsed. */
export const renderRow = (
  row: ListedInstance | FoundInstance,
  { statusDetails, map, withSeats }: Extras,
  { base }: Pick<RequestContext, 'base'>,
): Buffer => {
  // Most rows of most pages: nothing is added to them.
  if (!statusDetails && map === undefined && !withSeats && !row.original && !('details' in row)) return row.doc;
  const added = [
    ...originalOf(row, base),
    ...(map === undefined ? [] : [text(`,"map":${JSON.stringify(map)}`)]),
    ...('details' in row && row.details && row.details.length > 0 ? [comma, row.details] : []),
    ...(withSeats ? seatsOf(row) : []),
    ...(statusDetails ? [statusHead, statusDetails] : []),
  ];
  return added.length === 0 ? row.doc : Buffer.concat([row.doc.subarray(0, -1), ...added, close]);
};
