/** One way to match records with stored rows: their keys must be equal and not ''. */
export type IdMatchRule<Known, Incoming> = {
  readonly known: (known: Known) => string;
  readonly record: (record: Incoming) => string;
};

export type IdMatchResult<Known, Incoming> = {
  /** The records in their order, each with the ID of the row that it matched. */
  readonly records: readonly (Incoming & { readonly id: number | undefined })[];
  /** The stored rows without a matching record. */
  readonly unmatched: readonly Known[];
};

/** Returns a rule that uses the same key for records and rows. */
export const toEqualKeys = <Item>(toKey: (item: Item) => string): IdMatchRule<Item, Item> => ({
  known: toKey,
  record: toKey,
});

/**
 * Matches the records of an import with the stored rows, so that IDs do not change. Rules are tried in their order, the
 * strictest first, each over all records; a row matches the first record only.
 */
export const matchIds = <Known extends { readonly id: number }, Incoming extends object>(
  known: readonly Known[],
  records: readonly Incoming[],
  rules: readonly IdMatchRule<Known, Incoming>[],
): IdMatchResult<Known, Incoming> => {
  const idOf = new Map<Incoming, number>();
  let unmatched = known;
  for (const rule of rules) {
    const rows = Map.groupBy(unmatched, rule.known);
    rows.delete('');
    const matched = new Set<Known>();
    for (const record of records) {
      if (idOf.has(record)) continue;
      const row = rows.get(rule.record(record))?.shift();
      if (!row) continue;
      idOf.set(record, row.id);
      matched.add(row);
    }
    unmatched = unmatched.filter((row) => !matched.has(row));
  }
  return { records: records.map((record) => ({ ...record, id: idOf.get(record) })), unmatched };
};
