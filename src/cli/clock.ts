import { dateOfInstant, formatDate, type LocalDate } from '../domain/dates.ts';

const DAY_MS = 86_400_000;

/**
 * The clock of this process: the real one or, where `today` is given, one that is moved by whole days so that it starts on that
 * UTC date. The time of day is the present one, and it runs on from there, past midnight as well.
 */
export const startClock = (today?: LocalDate): (() => Date) => {
  if (today === undefined) return () => new Date();
  const movedMs = (today - dateOfInstant(new Date())) * DAY_MS;
  return () => new Date(Date.now() + movedMs);
};

/** Says, so that nobody can miss it, that the clock is not the real one. */
export const warnOfRehearsal = (today: LocalDate): void => {
  process.stderr.write(
    `THE CLOCK IS SET: today is ${formatDate(today)}; this is a rehearsal. Versions, keys and flights follow that date: let it have a DATA_DIR or a database of its own.\n`,
  );
};
