/** Formats an instant as UTC to the second, without a zone suffix: existing clients read this format. */
export const toTimestamp = (instant: Date): string => instant.toISOString().slice(0, 19);

/** Formats an instant like `toTimestamp`; null if there is none. */
export const toTimestampOrNull = (instant: Date | undefined): string | null =>
  instant === undefined ? null : toTimestamp(instant);
