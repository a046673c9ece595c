import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { computeScheduleKey } from '#domain/schedule/keys.ts';

/** The data of an instance from which its key can be recomputed. */
export type KeyedInstance = {
  /** Its schedule key, 64 lower-case hexadecimal digits. */
  readonly scheduleInstanceKey: string;
  /** The codes under which its carrier may have filed it; '' for none. */
  readonly carrierCodes: readonly string[];
  readonly flightNumber: number;
  readonly suffix: string;
  /** Stations as filed. */
  readonly board: string;
  readonly off: string;
  /** Local date of departure from `board`. */
  readonly departsOn: LocalDate;
};

/** Days from the origin date to a later leg's departure (SSIM date variations), likely ones first; -1 for passenger times before midnight. */
const dayOffsets = [0, 1, -1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Departures of one designator on the same route and day; more than two were never observed. */
const occurrences = [1, 2, 3, 4] as const;

/**
 * Finds the local date on which the flight leaves its first station. It is not stored, but is part of the hashed key, so
 * that candidates can be tried; the first one matches except for legs after midnight. Falls back to the departure date.
 */
export const findOriginDate = (instance: KeyedInstance): LocalDate => {
  const { scheduleInstanceKey, carrierCodes, flightNumber, suffix, board, off, departsOn } = instance;
  for (const occurrence of occurrences)
    for (const offset of dayOffsets)
      for (const carrier of carrierCodes) {
        if (carrier === '') continue;
        const date = addDays(departsOn, -offset);
        const identity = { designator: { carrier, flightNumber, suffix }, date, board, off, occurrence };
        if (computeScheduleKey(identity).toString('hex') === scheduleInstanceKey) return date;
      }
  return departsOn;
};
