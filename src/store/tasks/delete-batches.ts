/** How old rows are deleted: how many at once, each slice in a transaction of its own, and when to end before all are gone. */
export type DeleteBatchesOptions = { readonly batchSize?: number; readonly signal?: AbortSignal | undefined };

/** How many rows one transaction deletes: some 50 ms. */
const DELETED_AT_ONCE = 10_000;

/** Deletes slice after slice, until one finds less than it may delete or it is to end. Answers how many rows all found. */
export const deleteBatches = async (
  deleteSlice: (slice: number) => Promise<number>,
  { batchSize: slice = DELETED_AT_ONCE, signal }: DeleteBatchesOptions,
): Promise<number> => {
  let deleted = 0;
  for (;;) {
    if (signal?.aborted === true) return deleted;
    const found = await deleteSlice(slice);
    deleted += found;
    if (found < slice) return deleted;
  }
};
