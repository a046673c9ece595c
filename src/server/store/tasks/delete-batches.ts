/** How old rows are deleted: the rows of a batch, each of which is a transaction, and a signal that stops before the end. */
export type DeleteBatchesOptions = { readonly batchSize?: number; readonly signal?: AbortSignal | undefined };

/** Deleting this many rows takes about 50 ms. */
const DEFAULT_BATCH_SIZE = 10_000;

/** Calls `deleteBatch` until it finds fewer rows than the batch size or the signal aborts. Returns the number of rows found. */
export const deleteBatches = async (
  deleteBatch: (batchSize: number) => Promise<number>,
  { batchSize = DEFAULT_BATCH_SIZE, signal }: DeleteBatchesOptions,
): Promise<number> => {
  let deleted = 0;
  for (;;) {
    if (signal?.aborted === true) return deleted;
    const count = await deleteBatch(batchSize);
    deleted += count;
    if (count < batchSize) return deleted;
  }
};
