import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { CodeSystem } from '#domain/master-data/master-data-index.ts';
import type { Validity } from '#domain/master-data/master-data-facts.ts';
import { Problem } from '#http/response/problem.ts';
import { codeTypeNames } from './parse-query.ts';

/** A code without an owner, and where else it may have one. */
export type UnknownCode<System extends CodeSystem> = {
  readonly noun: 'location' | 'carrier' | 'equipment';
  readonly code: string;
  /** The searched systems. */
  readonly systems: readonly System[];
  /** Undefined if the records have no validity dates. */
  readonly day?: LocalDate | undefined;
  /** All code systems of this record type. */
  readonly allSystems: readonly System[];
  /** Returns the validity of the owners of the code in a system on a day; without a day, of all owners. */
  readonly owners: (system: System, day?: LocalDate) => readonly Validity[];
};

const formatValidity = (validity: Validity): string => {
  if (validity.from && validity.to) return `had it from ${validity.from} to ${validity.to}`;
  return validity.to ? `had it until ${validity.to}` : `has it from ${validity.from} on`;
};

const findHint = <System extends CodeSystem>({ systems, allSystems, day, owners }: UnknownCode<System>): string => {
  const other = allSystems.find((system) => !systems.includes(system) && owners(system, day).length > 0);
  if (other !== undefined) return ` It is an ${codeTypeNames[other]} code; send CodeType=${codeTypeNames[other]}.`;
  const owned = systems.flatMap((system) => owners(system)).find(({ from, to }) => from !== '' || to !== '');
  return owned ? ` One ${formatValidity(owned)}; send AsOf with a date in that period.` : '';
};

/** Returns the Problem of a code without an owner, with a hint if another system or another time has one. */
export const recordNotFoundProblem = <System extends CodeSystem>(unknownCode: UnknownCode<System>): Problem => {
  const { noun, code, systems, day } = unknownCode;
  const names = systems.map((system) => codeTypeNames[system]).join(' or ');
  const when = day === undefined ? '' : ` on ${formatDate(day)}`;
  return new Problem('not-found', `No ${noun} has the ${names} code ${code}${when}.${findHint(unknownCode)}`);
};
