import { toUtcDate, formatDate, type LocalDate } from '#domain/time/dates.ts';

const DAY_MS = 86_400_000;

/** Returns by how many milliseconds a clock is shifted that starts on a UTC date: whole days, 0 without a date. */
export const clockShiftMs = (today?: LocalDate): number =>
  today === undefined ? 0 : (today - toUtcDate(new Date())) * DAY_MS;

/** Returns the system clock, shifted by `shiftMs` milliseconds. */
export const createShiftedClock =
  (shiftMs: number): (() => Date) =>
  () =>
    new Date(Date.now() + shiftMs);

/**
 * Returns the clock of this process: the system clock or, with `today`, one shifted by whole days to start on that UTC date. The time
 * of day stays, and the clock runs on past midnight.
 */
export const createClock = (today?: LocalDate): (() => Date) => createShiftedClock(clockShiftMs(today));

/** Prints on standard error that the clock is overridden. */
export const warnAboutClockOverride = (today: LocalDate): void => {
  process.stderr.write(
    `warning: clock override: today is ${formatDate(today)}. Versions, keys and flights follow this date; use a separate DATA_DIR or database.\n`,
  );
};
