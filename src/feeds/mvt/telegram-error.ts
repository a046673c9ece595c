import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';

/** Where something stands in a telegram: the line of the file, from 1, the name of the field, and what was written there. */
export type Place = { readonly line: number; readonly field: string; readonly value: string };

/** Free text can be long; a report shows its beginning. */
const longestShown = 80;

const shown = ({ line, field, value }: Place): Place => ({ line, field, value: value.slice(0, longestShown) });

/** One telegram cannot be read; the telegrams round it can. */
export class TelegramError extends FeedError {
  readonly place: Place;

  constructor(message: string, place: Place, reason: string) {
    super(message, { line: place.line, value: place.value, reason });
    this.name = 'TelegramError';
    this.place = place;
  }
}

/** What a report says of a telegram that was kept out. */
export const quarantined = ({ place, reason, message }: TelegramError): ReportEntry => ({
  severity: 'quarantined',
  ...shown(place),
  reason,
  message,
});

/** What a report says of a telegram that was taken but for something in it. */
export const notice = (message: string, place: Place, reason: string): ReportEntry => ({
  severity: 'notice',
  ...shown(place),
  reason,
  message,
});
