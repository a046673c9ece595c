import { formatDate, type LocalDate } from '../../../domain/time/dates.ts';
import type { CodeSystem } from '../../../domain/master-data/directory.ts';
import type { Validity } from '../../../domain/master-data/master-data-facts.ts';
import { Problem } from '../../../http/response/problem.ts';
import { systemNames } from './parse-query.ts';

/** A code that nobody answers to, and what could have been meant. */
export type UnknownCode<System extends CodeSystem> = {
  readonly noun: 'location' | 'carrier' | 'equipment';
  readonly code: string;
  /** The systems it was looked up in. */
  readonly systems: readonly System[];
  /** Undefined where records hold on every day. */
  readonly day?: LocalDate | undefined;
  /** Every system there is. */
  readonly allSystems: readonly System[];
  /** The days of those who answer to the code in a system, on the day asked for or, without one, on any. */
  readonly owners: (system: System, day?: LocalDate) => readonly Validity[];
};

const formatValidity = (validity: Validity): string => {
  if (validity.from && validity.to) return `had it from ${validity.from} to ${validity.to}`;
  return validity.to ? `had it until ${validity.to}` : `has it from ${validity.from} on`;
};

const findHint = <System extends CodeSystem>({ systems, allSystems, day, owners }: UnknownCode<System>): string => {
  const other = allSystems.find((system) => !systems.includes(system) && owners(system, day).length > 0);
  if (other !== undefined) return ` It is an ${systemNames[other]} code; send CodeType=${systemNames[other]}.`;
  const once = systems.flatMap((system) => owners(system)).find(({ from, to }) => from !== '' || to !== '');
  return once ? ` One ${formatValidity(once)}; send AsOf with a day of that time.` : '';
};

/** The problem of a code that nobody answers to; it says so when the code is one of another system or of another time. */
export const recordNotFound = <System extends CodeSystem>(missed: UnknownCode<System>): Problem => {
  const { noun, code, systems, day } = missed;
  const names = systems.map((system) => systemNames[system]).join(' or ');
  const when = day === undefined ? '' : ` on ${formatDate(day)}`;
  return new Problem('not-found', `No ${noun} has the ${names} code ${code}${when}.${findHint(missed)}`);
};
