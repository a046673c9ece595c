import { hash } from 'node:crypto';
import { formatDate, type LocalDate } from '../time/dates.ts';
import { weekdaysOf, type Period } from '../time/period.ts';
import type { Designator } from './schedule.ts';

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
export const scheduleKey = (identity: FlightIdentity): Buffer =>
  hash('sha256', `schedule|${identityText(identity)}`, 'buffer');

/** The `statusKey` as 32 bytes. The identity is that of the operating flight, so that marketing flights share it. */
export const statusKey = (identity: FlightIdentity): Buffer =>
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
export const recordFingerprint = ({ designator, board, off, period, occurrence }: RecordIdentity): Buffer => {
  const { carrier, flightNumber, suffix } = designator;
  const dates = `${formatDate(period.from)}|${formatDate(period.to)}|${weekdaysOf(period.days).join('')}|${period.everyWeeks}`;
  const text = `record|${carrier}|${flightNumber}|${suffix}|${board}|${off}|${dates}`;
  return hash('sha256', occurrence === 1 ? text : `${text}|${occurrence}`, 'buffer');
};

/** The first eight bytes of a key as a signed integer that sorts as the key does: the tie-breaker of listings. */
export const keyOrder = (key: Buffer): bigint => BigInt.asIntN(64, key.readBigUInt64BE(0) ^ (1n << 63n));
