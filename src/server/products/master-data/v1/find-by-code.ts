import { parseDate, type LocalDate } from '#domain/time/dates.ts';
import type { Validity } from '#domain/master-data/master-data-facts.ts';
import { parseAsOf } from './parse-query.ts';

type Dated = { readonly facts: { readonly validity: Validity } };

type CodeLookup<System> = {
  readonly code: string;
  /** Searched in this order. */
  readonly systems: readonly System[];
  readonly asOf: string | undefined;
  readonly now: Date;
};

/** Returns the last day before `day` on which the code had an owner. */
const findLastDayBefore = (day: LocalDate, validities: readonly Validity[]): LocalDate | undefined => {
  const days = validities.flatMap(({ to }) => parseDate(to) ?? []).filter((last) => last < day);
  return days.toSorted((a, b) => b - a)[0];
};

/**
 * Finds the owner of a code on a day: AsOf or today. If AsOf is absent and the code has no owner today, the day is the last
 * one on which it had an owner, so that the code of a closed airport still resolves.
 */
export const findByCode = <System, Entry extends Dated>(
  { code, systems, asOf, now }: CodeLookup<System>,
  owners: (system: System, code: string, day?: LocalDate) => readonly Entry[],
): { readonly entry: Entry | undefined; readonly day: LocalDate } => {
  const listOwners = (day?: LocalDate): readonly Entry[] => systems.flatMap((system) => owners(system, code, day));
  const day = parseAsOf(asOf, now);
  const [entry] = listOwners(day);
  if (entry || asOf !== undefined) return { entry, day };
  const validities = listOwners().map(({ facts }) => facts.validity);
  const last = findLastDayBefore(day, validities);
  return last === undefined ? { entry: undefined, day } : { entry: listOwners(last)[0], day: last };
};
