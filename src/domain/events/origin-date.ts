import { addDays, type LocalDate } from '../time/dates.ts';
import { computeScheduleKey } from '../schedule/keys.ts';

/** An instance as far as its key can be made again. */
export type KeyedInstance = {
  /** Its schedule key, 64 lower-case hexadecimal digits. */
  readonly scheduleInstanceKey: string;
  /** The codes under one of which its carrier filed it; '' for none. */
  readonly carrierCodes: readonly string[];
  readonly flightNumber: number;
  readonly suffix: string;
  /** Stations as filed. */
  readonly board: string;
  readonly off: string;
  /** Local date of departure from `board`. */
  readonly departsOn: LocalDate;
};

/** Days from the origin date to a later leg's departure (SSIM date variations), the likely ones first; a passenger time can lie before midnight. */
const dayOffsets = [0, 1, -1, 2, 3, 4, 5, 6, 7, 8] as const;

/** How often one designator departs the same way on a day, at most: more than twice was never seen. */
const occurrences = [1, 2, 3, 4] as const;

/**
 * Local date on which the flight leaves its first station. An instance does not keep it, but its key is made of it, so that dates
 * can be tried: the first try finds it but for legs after midnight. The date of departure when no date makes the key.
 */
export const findOriginDate = (instance: KeyedInstance): LocalDate => {
  const { scheduleInstanceKey, carrierCodes, flightNumber, suffix, board, off, departsOn } = instance;
  for (const occurrence of occurrences)
    for (const shift of dayOffsets)
      for (const carrier of carrierCodes) {
        if (carrier === '') continue;
        const date = addDays(departsOn, -shift);
        const identity = { designator: { carrier, flightNumber, suffix }, date, board, off, occurrence };
        if (computeScheduleKey(identity).toString('hex') === scheduleInstanceKey) return date;
      }
  return departsOn;
};
