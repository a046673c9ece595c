/** Why a message cannot be applied to a schedule. */
export class AmendmentError extends Error {
  /** A code to count by. */
  readonly reason: string;
  /** The element of the message, such as `flight` or `period`, and its value. */
  readonly field: string;
  readonly value: string;

  constructor(message: string, { reason, field, value }: { reason: string; field: string; value: string }) {
    super(message);
    this.name = 'AmendmentError';
    this.reason = reason;
    this.field = field;
    this.value = value;
  }
}
