import { hash } from 'node:crypto';
import { formatDate, type LocalDate } from '../time/dates.ts';
import { type Period, listWeekdays } from '../time/period.ts';
import type { Designator, FlightSegment } from './schedule.ts';

type VariationPosition = Pick<FlightSegment, 'itinerary' | 'sequence'>;

/**
 * The order in which the segments of one designator are given their fingerprints: by itinerary variation and leg sequence, and a leg before
 * the whole flight that begins with it. It decides between records that agree in all else.
 */
export const compareVariations = (one: VariationPosition, other: VariationPosition): number =>
  one.itinerary - other.itinerary || one.sequence - other.sequence;

/**
 * Fingerprints for the records of one designator, asked for in the order of `byVariation`: of records that agree in all that makes a record,
 * the first has the plain fingerprint.
 */
export const createFingerprinter = (): ((identity: Omit<RecordIdentity, 'occurrence'>) => Buffer) => {
  const seen = new Map<string, number>();
  return (identity) => {
    const plain = computeRecordFingerprint({ ...identity, occurrence: 1 });
    const name = plain.toString('latin1');
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return occurrence === 1 ? plain : computeRecordFingerprint({ ...identity, occurrence });
  };
};

/** What makes a flight instance itself: times, equipment and itinerary variation may change without making another flight. */
export type FlightIdentity = {
  readonly designator: Designator;
  /**
   * The date the flight is known by: for the schedule key the local date on which it leaves its first station, for the
   * status key the one on which it leaves `board`, since a marketing flight can begin at a later station than the flight
   * that operates it.
   */
  readonly date: LocalDate;
  readonly board: string;
  readonly off: string;
  /** 1, unless one designator departs the same way twice in a day: then 2 for the later one, and so on. */
  readonly occurrence: number;
};

const identityText = ({ designator, date, board, off, occurrence }: FlightIdentity): string => {
  const { carrier, flightNumber, suffix } = designator;
  const text = `${carrier}|${flightNumber}|${suffix}|${formatDate(date)}|${board}|${off}`;
  return occurrence === 1 ? text : `${text}|${occurrence}`;
};

/** The `scheduleInstanceKey` of a flight as 32 bytes: SHA-256 over its identity, the same after every load. */
export const computeScheduleKey = (identity: FlightIdentity): Buffer =>
  hash('sha256', `schedule|${identityText(identity)}`, 'buffer');

/** The `statusKey` as 32 bytes. The identity is that of the operating flight, so that marketing flights share it. */
export const computeStatusKey = (identity: FlightIdentity): Buffer =>
  hash('sha256', `status|${identityText(identity)}`, 'buffer');

/** What makes a schedule record itself: times, terminals and equipment may change without making another record. */
export type RecordIdentity = {
  readonly designator: Designator;
  readonly board: string;
  readonly off: string;
  /** Local dates of departure. */
  readonly period: Period;
  /** 1, unless several records agree in all that: then 2 for the next by itinerary variation and leg sequence, and so on. */
  readonly occurrence: number;
};

/** The `fingerprint` of a schedule record as 32 bytes: SHA-256 over its identity, the same after every load. */
export const computeRecordFingerprint = ({ designator, board, off, period, occurrence }: RecordIdentity): Buffer => {
  const { carrier, flightNumber, suffix } = designator;
  const dates = `${formatDate(period.from)}|${formatDate(period.to)}|${listWeekdays(period.days).join('')}|${period.everyWeeks}`;
  const text = `record|${carrier}|${flightNumber}|${suffix}|${board}|${off}|${dates}`;
  return hash('sha256', occurrence === 1 ? text : `${text}|${occurrence}`, 'buffer');
};

/** The first eight bytes of a key as a signed integer that sorts as the key does: the tie-breaker of listings. */
export const toKeyOrder = (key: Buffer): bigint => BigInt.asIntN(64, key.readBigUInt64BE(0) ^ (1n << 63n));
