import { dateOfInstant, type LocalDate } from '../domain/dates.ts';

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
