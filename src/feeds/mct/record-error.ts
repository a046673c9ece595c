import { FeedError } from '../feed-error.ts';
import type { Columns } from '../ssim/fields.ts';

/** What is wrong with one record: the field and its bytes, what stood there, a code to count by and a sentence. */
export type RecordFault = {
  readonly field: string;
  readonly columns: Columns;
  readonly value: string;
  readonly reason: string;
  readonly message: string;
};

/** One field for which its whole record cannot be taken. */
export class RecordError extends FeedError {
  readonly field: string;

  constructor({ field, columns, value, reason, message }: RecordFault) {
    super(message, { bytes: columns, value, reason });
    this.name = 'RecordError';
    this.field = field;
  }
}
