import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';

/** Where something stands in a telegram: the line of the file, from 1, the name of the field, and what was written there. */
export type TelegramLocation = { readonly line: number; readonly field: string; readonly value: string };

/** Free text can be long; a report shows its beginning. */
const MAX_VALUE_LENGTH = 80;

const truncateValue = ({ line, field, value }: TelegramLocation): TelegramLocation => ({
  line,
  field,
  value: value.slice(0, MAX_VALUE_LENGTH),
});

/** One telegram cannot be read; the telegrams round it can. */
export class TelegramError extends FeedError {
  readonly location: TelegramLocation;

  constructor(message: string, place: TelegramLocation, reason: string) {
    super(message, { line: place.line, value: place.value, reason });
    this.name = 'TelegramError';
    this.location = place;
  }
}

/** What a report says of a telegram that was kept out. */
export const toQuarantineEntry = ({ location: place, reason, message }: TelegramError): ReportEntry => ({
  severity: 'quarantined',
  ...truncateValue(place),
  reason,
  message,
});

/** What a report says of a telegram that was taken but for something in it. */
export const toNoticeEntry = (message: string, place: TelegramLocation, reason: string): ReportEntry => ({
  severity: 'notice',
  ...truncateValue(place),
  reason,
  message,
});
