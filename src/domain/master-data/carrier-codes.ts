import type { Carrier } from './master-data.ts';
import type { CarrierFacts } from './master-data-facts.ts';

/** How a carrier holds its IATA code on a day; a code is at most one carrier's alone. */
export const assignmentCategories = {
  Unassigned: 'No IATA code',
  Unique: 'The carrier alone has the IATA code',
  Shared: 'Several carriers have the IATA code',
  Unconfirmed: 'Named with an IATA code that another carrier has',
} as const;

export type AssignmentCategory = keyof typeof assignmentCategories;

export type CodeAssignment = {
  readonly category: AssignmentCategory;
  /** Place among the owners of its IATA code, 1 for the one that answers first; undefined without an IATA code. */
  readonly rank: number | undefined;
  /** Whether another carrier has its IATA code as well. */
  readonly isDuplicate: boolean;
};

/** What the assignment of a code is told by: a stored carrier and its facts, of which a schedule's carriers have none. */
export type CodeOwner = Pick<Carrier, 'id' | 'iata' | 'rank'> & Partial<Pick<CarrierFacts, 'isCodeClaimed'>>;

/**
 * How a carrier holds its IATA code among the owners of the code on one day, itself among them or not, in any order. Owners
 * that are only claimed to have the code count when nobody else has it.
 */
export const computeCodeAssignment = (carrier: CodeOwner, owners: readonly CodeOwner[]): CodeAssignment => {
  if (carrier.iata === '') return { category: 'Unassigned', rank: undefined, isDuplicate: false };
  const others = owners.filter(({ id }) => id !== carrier.id);
  const before = others.filter(({ id, rank }) => rank < carrier.rank || (rank === carrier.rank && id < carrier.id));
  const rank = before.length + 1;
  const certain = others.filter(({ isCodeClaimed = false }) => !isCodeClaimed);
  if (carrier.isCodeClaimed && certain.length > 0) return { category: 'Unconfirmed', rank, isDuplicate: true };
  const isDuplicate = (carrier.isCodeClaimed ? others : certain).length > 0;
  return { category: isDuplicate ? 'Shared' : 'Unique', rank, isDuplicate };
};
