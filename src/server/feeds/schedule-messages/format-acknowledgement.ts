import type { ScheduleMessageKind } from '#domain/schedule/messages/schedule-message.ts';
import type { ReportEntry } from '../load-report.ts';

/** Lines of a telegram have up to 69 characters. */
const MAX_LINE = 69;

/** Characters of a telegram; others become blanks. */
const toTelegramText = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9/().,+'-]+/g, ' ')
    .trim();

/** Why a message is not acknowledged; the line counts from its identifier. */
export type ReplyError = Pick<ReportEntry, 'line' | 'message' | 'value' | 'reason'>;

/** Formats the ACK of a message that was applied, or the NAC with the reason of each error. Lines end with CR LF. */
export const formatAcknowledgement = (
  { kind, reference }: { readonly kind: ScheduleMessageKind; readonly reference: string },
  errors: readonly ReplyError[],
): string =>
  [
    kind,
    ...(reference === '' ? [] : [reference]),
    errors.length === 0 ? 'ACK' : 'NAC',
    ...errors.map(({ line = 0, message, value }) =>
      // The text shows the line of the message as its sender counts it, from 001.
      `${String(line).padStart(3, '0')} ${toTelegramText(message)} ${toTelegramText(value)}`
        .slice(0, MAX_LINE)
        .trimEnd(),
    ),
    '',
  ].join('\r\n');
