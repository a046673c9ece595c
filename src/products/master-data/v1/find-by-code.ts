import { parseDate, type LocalDate } from '../../../domain/time/dates.ts';
import type { Validity } from '../../../domain/master-data/master-data-facts.ts';
import { parseAsOf } from './parse-query.ts';

type Dated = { readonly facts: { readonly validity: Validity } };

type CodeLookup<System> = {
  readonly code: string;
  /** Tried in this order. */
  readonly systems: readonly System[];
  readonly asOf: string | undefined;
  readonly now: Date;
};

/** The last day before another on which somebody is known to have had a code. */
const findLastDayBefore = (day: LocalDate, validities: readonly Validity[]): LocalDate | undefined => {
  const days = validities.flatMap(({ to }) => parseDate(to) ?? []).filter((last) => last < day);
  return days.toSorted((a, b) => b - a)[0];
};

/**
 * Who answers to a code, and the day on which it is looked at: that of AsOf or today. Where AsOf is left out and nobody has the
 * code today, it is the last day on which somebody had it: a closed airport is still what its code means.
 */
export const findByCode = <System, Entry extends Dated>(
  { code, systems, asOf, now }: CodeLookup<System>,
  owners: (system: System, code: string, day?: LocalDate) => readonly Entry[],
): { readonly entry: Entry | undefined; readonly day: LocalDate } => {
  const ownersOn = (day?: LocalDate): readonly Entry[] => systems.flatMap((system) => owners(system, code, day));
  const day = parseAsOf(asOf, now);
  const [entry] = ownersOn(day);
  if (entry || asOf !== undefined) return { entry, day };
  const validities = ownersOn().map(({ facts }) => facts.validity);
  const last = findLastDayBefore(day, validities);
  return last === undefined ? { entry: undefined, day } : { entry: ownersOn(last)[0], day: last };
};
