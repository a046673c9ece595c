/** One way to recognise a record: the key of a known row and that of a record must be equal and not ''. */
export type IdMatchRule<Known, Incoming> = {
  readonly known: (known: Known) => string;
  readonly record: (record: Incoming) => string;
};

export type IdMatchResult<Known, Incoming> = {
  /** The records in their order, each with the id of the row it was recognised as. */
  readonly records: readonly (Incoming & { readonly id: number | undefined })[];
  /** The known rows that no record was recognised as. */
  readonly left: readonly Known[];
};

/**
 * Recognises records of an import among the rows already there, so that ids stay what they were. Ways are tried in their
 * order over all records, the surest first; a row is given to one record only, the first in order.
 */
export const matchIds = <Known extends { readonly id: number }, Incoming extends object>(
  known: readonly Known[],
  records: readonly Incoming[],
  ways: readonly IdMatchRule<Known, Incoming>[],
): IdMatchResult<Known, Incoming> => {
  const idOf = new Map<Incoming, number>();
  let left = known;
  for (const way of ways) {
    const rows = Map.groupBy(left, way.known);
    rows.delete('');
    const taken = new Set<Known>();
    for (const record of records) {
      if (idOf.has(record)) continue;
      const row = rows.get(way.record(record))?.shift();
      if (!row) continue;
      idOf.set(record, row.id);
      taken.add(row);
    }
    left = left.filter((row) => !taken.has(row));
  }
  return { records: records.map((record) => ({ ...record, id: idOf.get(record) })), left };
};
