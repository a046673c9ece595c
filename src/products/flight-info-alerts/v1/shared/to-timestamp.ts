/** UTC to the second, as programs exist that read it: without a mark of the zone. */
export const toTimestamp = (instant: Date): string => instant.toISOString().slice(0, 19);

/** The same of what may not be; null then. */
export const toTimestampOrNull = (instant: Date | undefined): string | null =>
  instant === undefined ? null : toTimestamp(instant);
