import { hash } from 'node:crypto';
import { formatDate, type LocalDate } from '../time/dates.ts';
import { type Period, listWeekdays } from '../time/period.ts';
import type { Designator, FlightSegment } from './schedule.ts';

/** The identity of a flight instance: times, equipment and itinerary variation may change without making it another flight. */
export type FlightIdentity = {
  readonly designator: Designator;
  /**
   * For the schedule key the local date on which the flight leaves its first station; for the status key that on which it leaves `board`, because a
   * marketing flight can start at a later station than the operating flight.
   */
  readonly date: LocalDate;
  readonly board: string;
  readonly off: string;
  /** 1, unless a designator departs the same way twice a day: then 2 for the later one, and so on. */
  readonly occurrence: number;
};

const identityText = ({ designator, date, board, off, occurrence }: FlightIdentity): string => {
  const { carrier, flightNumber, suffix } = designator;
  const text = `${carrier}|${flightNumber}|${suffix}|${formatDate(date)}|${board}|${off}`;
  return occurrence === 1 ? text : `${text}|${occurrence}`;
};

/** Computes the `scheduleInstanceKey` of a flight, 32 bytes: SHA-256 of its identity, stable over loads. */
export const computeScheduleKey = (identity: FlightIdentity): Buffer =>
  hash('sha256', `schedule|${identityText(identity)}`, 'buffer');

/** Computes the `statusKey`, 32 bytes. Its identity is that of the operating flight, so that marketing flights share it. */
export const computeStatusKey = (identity: FlightIdentity): Buffer =>
  hash('sha256', `status|${identityText(identity)}`, 'buffer');

/** The identity of a schedule record: times, terminals and equipment may change without making it another record. */
export type RecordIdentity = {
  readonly designator: Designator;
  readonly board: string;
  readonly off: string;
  /** Local dates of departure. */
  readonly period: Period;
  /** 1, unless several records are equal in all this: then 2 for the next by itinerary variation and leg sequence, and so on. */
  readonly occurrence: number;
};

/** Computes the `fingerprint` of a schedule record, 32 bytes: SHA-256 of its identity, stable over loads. */
export const computeRecordFingerprint = ({ designator, board, off, period, occurrence }: RecordIdentity): Buffer => {
  const { carrier, flightNumber, suffix } = designator;
  const dates = `${formatDate(period.from)}|${formatDate(period.to)}|${listWeekdays(period.days).join('')}|${period.everyWeeks}`;
  const text = `record|${carrier}|${flightNumber}|${suffix}|${board}|${off}|${dates}`;
  return hash('sha256', occurrence === 1 ? text : `${text}|${occurrence}`, 'buffer');
};

/** Returns the first eight bytes of a key as a signed integer with the same sort order: the tie-breaker of listings. */
export const toKeyOrder = (key: Buffer): bigint => BigInt.asIntN(64, key.readBigUInt64BE(0) ^ (1n << 63n));

type VariationPosition = Pick<FlightSegment, 'itinerary' | 'sequence'>;

/**
 * Compares segments of one designator by itinerary variation and leg sequence, a leg before the whole flight that starts with it. The order decides
 * between records of equal identity.
 */
export const compareVariations = (one: VariationPosition, other: VariationPosition): number =>
  one.itinerary - other.itinerary || one.sequence - other.sequence;

/**
 * Creates a function that computes the fingerprints of the records of one designator, in the order of `compareVariations`: of equal records, the
 * first has the plain fingerprint.
 */
export const createFingerprinter = (): ((identity: Omit<RecordIdentity, 'occurrence'>) => Buffer) => {
  const occurrences = new Map<string, number>();
  return (identity) => {
    const plain = computeRecordFingerprint({ ...identity, occurrence: 1 });
    const text = plain.toString('latin1');
    const occurrence = (occurrences.get(text) ?? 0) + 1;
    occurrences.set(text, occurrence);
    return occurrence === 1 ? plain : computeRecordFingerprint({ ...identity, occurrence });
  };
};
