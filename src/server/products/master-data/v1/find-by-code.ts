import { parseDate, type LocalDate } from '#domain/time/dates.ts';
import type { CodeSystem } from '#domain/master-data/master-data-index.ts';
import type { Validity } from '#domain/master-data/master-data-facts.ts';
import { parseAsOf } from './parse-query.ts';
import { recordNotFoundProblem, type UnknownCode } from './record-not-found.ts';

type Dated = { readonly facts: { readonly validity: Validity } };

/** The systems are searched in their order. */
type CodeLookup<System extends CodeSystem> = Omit<UnknownCode<System>, 'day' | 'owners'> & {
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
 * one on which it had an owner, so that the code of a closed airport still resolves. Throws Problem `not-found`.
 */
export const findByCode = <System extends CodeSystem, Entry extends Dated>(
  { asOf, now, ...lookup }: CodeLookup<System>,
  owners: (system: System, code: string, day?: LocalDate) => readonly Entry[],
): { readonly entry: Entry; readonly day: LocalDate } => {
  const code = lookup.code.toUpperCase();
  const { systems } = lookup;
  const listOwners = (day?: LocalDate): readonly Entry[] => systems.flatMap((system) => owners(system, code, day));
  const day = parseAsOf(asOf, now);
  const [entry] = listOwners(day);
  if (entry) return { entry, day };
  const toValidities = (entries: readonly Entry[]): readonly Validity[] => entries.map(({ facts }) => facts.validity);
  const lastDay = asOf === undefined ? findLastDayBefore(day, toValidities(listOwners())) : undefined;
  const [last] = lastDay === undefined ? [] : listOwners(lastDay);
  if (last && lastDay !== undefined) return { entry: last, day: lastDay };
  throw recordNotFoundProblem({
    ...lookup,
    code,
    day,
    owners: (system, on) => toValidities(owners(system, code, on)),
  });
};
