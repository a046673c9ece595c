import { dateOfInstant, formatDate, type LocalDate } from '../domain/time/dates.ts';

const DAY_MS = 86_400_000;

/** How many milliseconds a clock is moved that starts on a UTC date today: whole days, and none where no date is given. */
export const moveOf = (today?: LocalDate): number =>
  today === undefined ? 0 : (today - dateOfInstant(new Date())) * DAY_MS;

/** The real clock, moved by so many milliseconds. */
export const clockMovedBy =
  (movedMs: number): (() => Date) =>
  () =>
    new Date(Date.now() + movedMs);

/**
 * The clock of this process: the real one or, where `today` is given, one that is moved by whole days so that it starts on that
 * UTC date. The time of day is the present one, and it runs on from there, past midnight as well.
 */
export const startClock = (today?: LocalDate): (() => Date) => clockMovedBy(moveOf(today));

/** Says, so that nobody can miss it, that the clock is not the real one. */
export const warnOfRehearsal = (today: LocalDate): void => {
  process.stderr.write(
    `THE CLOCK IS SET: today is ${formatDate(today)}; this is a rehearsal. Versions, keys and flights follow that date: let it have a DATA_DIR or a database of its own.\n`,
  );
};
