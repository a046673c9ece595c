import type { LocalDate } from '../../time/dates.ts';
import type { Amendment } from './schedule-message.ts';

type AmendmentAge = Pick<Amendment, 'id' | 'createdOn' | 'group' | 'receivedAt'>;

/** Compares amendments by creation date, message number and receipt: the order in which they apply. */
const compareAges = (a: AmendmentAge, b: AmendmentAge): number =>
  a.createdOn - b.createdOn ||
  (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) ||
  a.receivedAt - b.receivedAt ||
  a.id - b.id;

/**
 * Lists the amendments that apply to a schedule file, in the order in which they apply. A file contains what was known before its creation
 * date, so older amendments are superseded. An ASM wins over an SSM by itself: it changes a single date, over the periods
 * (docs/reference/schedule-precedence.md). `fileCreatedOn` is undefined when the file has no creation date: all amendments apply.
 */
export const listAmendmentsInForce = <T extends AmendmentAge>(
  amendments: readonly T[],
  fileCreatedOn: LocalDate | undefined,
): readonly T[] =>
  amendments.filter(({ createdOn }) => fileCreatedOn === undefined || createdOn >= fileCreatedOn).toSorted(compareAges);
