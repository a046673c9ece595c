import type {
  MessageReference,
  ScheduleMessageKind,
  SubMessage,
} from '../../domain/schedule/messages/schedule-message.ts';
import { toUtcDate, type LocalDate } from '../../domain/time/dates.ts';
import type { ReportEntry } from '../load-report.ts';
import { splitTelegrams, type Telegram, type TelegramLine, type TelegramSyntax } from '../text/split-telegrams.ts';
import { TelegramError, toNoticeEntry, toQuarantineEntry } from '../text/telegram-error.ts';
import { parseReference, rejectField } from './line-formats.ts';
import { type MessageOrigin, parseOrigin } from './message-origin.ts';
import { parseSubMessage } from './parse-sub-message.ts';

/** A message, or one of its parts: a reference with C is followed by further ones. */
export type ScheduleMessagePart = {
  readonly kind: ScheduleMessageKind;
  /** Undefined when the message has none: it is a message by itself. */
  readonly reference: MessageReference | undefined;
  /** The date of its reference, or of its receipt. */
  readonly createdOn: LocalDate;
  readonly subMessages: readonly SubMessage[];
};

/** A part, or a message that cannot be read, with the line of its identifier and remarks. Lines count from 1. */
export type ScheduleMessageItem = {
  readonly line: number;
  readonly part: ScheduleMessagePart | undefined;
  readonly kind: ScheduleMessageKind;
  /** The reference of a message, also of one that cannot be read; '' when it has none. */
  readonly reference: string;
  /** Its lines from the identifier on, without framing. */
  readonly text: string;
  /** The number of its last line. */
  readonly lastLine: number;
  readonly origin: MessageOrigin;
  readonly entries: readonly ReportEntry[];
};

/** A gateway can deliver messages without the line limit of teletype. */
const scheduleSyntax: TelegramSyntax = { identifier: /^(?:(?:COR|PDM) )*(?:SSM|ASM)$/, maxLines: 5000 };

/** Requests and reports, which change no schedule. */
const withoutEffect = /^(?:ACK|NAC|RSD)(?: |$)/;

const assertFraming = ({ header, body, isCut }: Telegram): readonly [TelegramLine, ...TelegramLine[]] => {
  const [first, ...rest] = body;
  const start = header[0] ?? first ?? { number: 0, text: '' };
  if (isCut)
    return rejectField(start, 'message', [
      start.text,
      'too-long',
      'The message has more than 5000 lines, or one of more than 1000 characters.',
    ]);
  if (!first)
    return rejectField(start, 'message', [start.text, 'no-identifier', 'The message has no line SSM or ASM.']);
  return [first, ...rest];
};

type Head = {
  readonly timeMode: 'utc' | 'local';
  readonly reference: MessageReference | undefined;
  readonly body: readonly TelegramLine[];
};

/** Parses the time mode and the reference, either of which can be absent. */
const parseHead = (lines: readonly TelegramLine[], receivedOn: LocalDate): Head => {
  const [first] = lines;
  const mode = first?.text === 'UTC' || first?.text === 'LT' ? first.text : undefined;
  const afterMode = mode === undefined ? lines : lines.slice(1);
  const reference = afterMode[0] && parseReference(afterMode[0], receivedOn);
  return { timeMode: mode === 'LT' ? 'local' : 'utc', reference, body: reference ? afterMode.slice(1) : afterMode };
};

/** Splits lines into sub-messages at `//`; supplementary information ends the message. */
const splitSubMessages = (lines: readonly TelegramLine[]): readonly (readonly [TelegramLine, ...TelegramLine[]])[] => {
  const end = lines.findIndex(({ text }) => /^SI(?: |$)/.test(text));
  const groups: TelegramLine[][] = [[]];
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    if (line.text === '//') groups.push([]);
    else groups.at(-1)?.push(line);
  }
  return groups.flatMap(([first, ...rest]) => (first ? [[first, ...rest] as const] : []));
};

/** Parses the lines below the identifier. Throws a TelegramError. */
const parsePart = (
  kind: ScheduleMessageKind,
  [identifier, ...lines]: readonly [TelegramLine, ...TelegramLine[]],
  { receivedOn, sentOn }: { readonly receivedOn: LocalDate; readonly sentOn: LocalDate | undefined },
): Pick<ScheduleMessageItem, 'part' | 'entries'> => {
  const { timeMode, reference, body } = parseHead(lines, receivedOn);
  const createdOn = reference?.createdOn ?? sentOn ?? receivedOn;
  const groups = splitSubMessages(body);
  if (groups.length === 0)
    rejectField(identifier, 'action', [identifier.text, 'cut-message', 'The message ends before its first action.']);
  const changes = groups.filter(([line]) => !withoutEffect.test(line.text));
  const subMessages = changes.flatMap((group) => parseSubMessage(group, { kind, timeMode, createdOn }));
  return {
    part: { kind, reference, createdOn, subMessages },
    entries: groups.flatMap(([{ number, text }]) =>
      withoutEffect.test(text)
        ? toNoticeEntry('The action changes no schedule.', { line: number, field: 'action', value: text }, 'no-effect')
        : [],
    ),
  };
};

const readTelegram = (telegram: Telegram, receivedAt: Date): ScheduleMessageItem => {
  const receivedOn = toUtcDate(receivedAt);
  const lines = telegram.body.length > 0 ? telegram.body : telegram.header;
  const origin = parseOrigin(telegram.header, receivedAt);
  const kind: ScheduleMessageKind = lines[0]?.text.endsWith('ASM') ? 'ASM' : 'SSM';
  const item = {
    line: lines[0]?.number ?? 0,
    kind,
    reference: lines.slice(0, 3).find((line) => parseReference(line, receivedOn))?.text ?? '',
    text: [kind, ...lines.slice(1).map(({ text }) => text)].join('\n'),
    lastLine: lines.at(-1)?.number ?? 0,
    origin,
  };
  try {
    return {
      ...item,
      ...parsePart(kind, assertFraming(telegram), { receivedOn, sentOn: origin.sentAt && toUtcDate(origin.sentAt) }),
    };
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    return { ...item, part: undefined, entries: [toQuarantineEntry(error)] };
  }
};

/**
 * Reads SSM and ASM messages from a file or stream, each as soon as it has ended: with or without addresses, LF or CRLF. A message
 * that cannot be read as a whole gives one quarantined entry with line and element, and reading continues with the next.
 * `clock` returns the time of receipt, which completes dates without a year.
 */
export async function* readScheduleMessages(
  bytes: AsyncIterable<Uint8Array>,
  clock: () => Date,
): AsyncGenerator<ScheduleMessageItem> {
  for await (const telegram of splitTelegrams(bytes, scheduleSyntax)) yield readTelegram(telegram, clock());
}
