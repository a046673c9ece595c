import type { Carrier } from './master-data.ts';
import type { CarrierFacts } from './master-data-facts.ts';

/** How an IATA code is assigned to a carrier on a day; a code belongs to at most one carrier alone. */
export const assignmentCategories = {
  Unassigned: 'No IATA code',
  Unique: 'The carrier alone has the IATA code',
  Shared: 'Several carriers have the IATA code',
  Unconfirmed: 'Named with an IATA code that another carrier has',
} as const;

export type AssignmentCategory = keyof typeof assignmentCategories;

export type CodeAssignment = {
  readonly category: AssignmentCategory;
  /** Rank among the owners of its IATA code, 1 for the preferred one; undefined without an IATA code. */
  readonly rank: number | undefined;
  /** Whether another carrier has the same IATA code. */
  readonly isDuplicate: boolean;
};

/** The input of a code assignment: a stored carrier and its facts, which carriers known only from schedules lack. */
export type CodeOwner = Pick<Carrier, 'id' | 'iata' | 'rank'> & Partial<Pick<CarrierFacts, 'isCodeClaimed'>>;

/**
 * Computes the assignment of a carrier's IATA code among the owners of that code on one day, in any order, with or without the carrier itself. Owners
 * whose code is only claimed count when no other carrier has it.
 */
export const computeCodeAssignment = (carrier: CodeOwner, owners: readonly CodeOwner[]): CodeAssignment => {
  if (carrier.iata === '') return { category: 'Unassigned', rank: undefined, isDuplicate: false };
  const others = owners.filter(({ id }) => id !== carrier.id);
  const preceding = others.filter(({ id, rank }) => rank < carrier.rank || (rank === carrier.rank && id < carrier.id));
  const rank = preceding.length + 1;
  const confirmed = others.filter(({ isCodeClaimed = false }) => !isCodeClaimed);
  if (carrier.isCodeClaimed && confirmed.length > 0) return { category: 'Unconfirmed', rank, isDuplicate: true };
  const isDuplicate = (carrier.isCodeClaimed ? others : confirmed).length > 0;
  return { category: isDuplicate ? 'Shared' : 'Unique', rank, isDuplicate };
};
