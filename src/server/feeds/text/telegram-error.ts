import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';

/** A location in a telegram: the line of the file, from 1, the name of the field, and its text. */
export type TelegramLocation = { readonly line: number; readonly field: string; readonly value: string };

/** Longer texts are cut in reports. */
const MAX_VALUE_LENGTH = 80;

const truncateValue = ({ line, field, value }: TelegramLocation): TelegramLocation => ({
  line,
  field,
  value: value.slice(0, MAX_VALUE_LENGTH),
});

/** A telegram that cannot be read. */
export class TelegramError extends FeedError {
  readonly location: TelegramLocation;

  constructor(message: string, location: TelegramLocation, reason: string) {
    super(message, { line: location.line, value: location.value, reason });
    this.name = 'TelegramError';
    this.location = location;
  }
}

/** Returns the report entry of a telegram that was rejected. */
export const toQuarantineEntry = ({ location, reason, message }: TelegramError): ReportEntry => ({
  severity: 'quarantined',
  ...truncateValue(location),
  reason,
  message,
});

/** Returns the report entry of something unusual in an accepted telegram. */
export const toNoticeEntry = (message: string, location: TelegramLocation, reason: string): ReportEntry => ({
  severity: 'notice',
  ...truncateValue(location),
  reason,
  message,
});
