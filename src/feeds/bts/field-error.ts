import { FeedError } from '../feed-error.ts';

/** What is wrong with one field of a row: the column of the file, what stood there, a code to count by and a sentence. */
export type Fault = {
  readonly field: string;
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** One field for which its whole row cannot be taken. */
export class FieldError extends FeedError {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message, { value: fault.value, reason: fault.reason });
    this.name = 'FieldError';
    this.fault = fault;
  }
}
