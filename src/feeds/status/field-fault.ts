/** A field that was left out of a message that otherwise stands. */
export type FieldFault = {
  /** A short code to count by: a time before the one it follows, or a member that another one of the message denies. */
  readonly reason: 'out-of-order' | 'contradiction';
  /** Where it stood, e.g. `departure.actual.off`, `diversions.0.estimated.in`. */
  readonly field: string;
  /** What stood there. */
  readonly value: string;
  /** A sentence to read. */
  readonly message: string;
};
