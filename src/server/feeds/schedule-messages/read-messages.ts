import type { MessageReference, ScheduleMessageKind, SubMessage } from '#domain/schedule/messages/schedule-message.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import type { ReportEntry } from '../load-report.ts';
import { splitTelegrams, type Telegram, type TelegramLine, type TelegramSyntax } from '../text/split-telegrams.ts';
import { findTelegramType } from '../text/telegram-types.ts';
import { TelegramError, toNoticeEntry, toQuarantineEntry } from '../text/telegram-error.ts';
import { isActionLine } from './action-rules.ts';
import { parseReference } from './date-formats.ts';
import { isFlightLine, parseDesignator } from './flight-formats.ts';
import { type MessageOrigin, parseOrigin } from './message-origin.ts';
import { type ParsedSubMessage, parseSubMessage } from './parse-sub-message.ts';
import { rejectField } from './reject-field.ts';
import type { SubMessageContext } from './sub-message-blocks.ts';

/** A message, or one of its parts: a reference with C is followed by further ones. */
export type ScheduleMessagePart = {
  readonly kind: ScheduleMessageKind;
  /** Undefined when the message has none: it is a message by itself. */
  readonly reference: MessageReference | undefined;
  /** The date of its reference, or of its receipt. */
  readonly createdOn: LocalDate;
  readonly subMessages: readonly SubMessage[];
};

/**
 * A part, or a message that cannot be read, with the line of its identifier and remarks. Sub-messages that cannot be read are in the remarks; the
 * others are in the part. Lines count from 1.
 */
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
  /** The type of a telegram that is no schedule message, such as LDM: it is only counted. */
  readonly otherType?: string | undefined;
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

/** A reference can be that of the creator alone: `/REF 123`. */
const isCreatorReference = ({ text }: TelegramLine): boolean => /^\/[^/]/.test(text);

/** Parses the time mode and the reference, either of which can be absent. */
const parseHead = (lines: readonly TelegramLine[], receivedOn: LocalDate): Head => {
  const [first] = lines;
  const mode = first?.text === 'UTC' || first?.text === 'LT' ? first.text : undefined;
  const [next, ...rest] = mode === undefined ? lines : lines.slice(1);
  const reference = next && parseReference(next, receivedOn);
  const body = next && !reference && !isCreatorReference(next) ? [next, ...rest] : rest;
  return { timeMode: mode === 'LT' ? 'local' : 'utc', reference, body };
};

type LineGroup = readonly [TelegramLine, ...TelegramLine[]];

/** Returns an error when supplementary information, which is free text, goes on like a further sub-message: with an action and a flight. */
const findUnseparated = (line: TelegramLine, next: TelegramLine | undefined): readonly TelegramError[] => {
  if (!next || !isActionLine(line) || !isFlightLine(next)) return [];
  const location = { line: line.number, field: 'action', value: line.text };
  const message = 'The sub-message follows supplementary information without // and was left out.';
  return [new TelegramError(message, location, 'missing-separator')];
};

type SplitLines = { readonly groups: readonly LineGroup[]; readonly errors: readonly TelegramError[] };

/** Splits lines into sub-messages at `//`, without their supplementary information. */
const splitSubMessages = (lines: readonly TelegramLine[]): SplitLines => {
  const groups: TelegramLine[][] = [[]];
  const errors: TelegramError[] = [];
  let isProse = false;
  for (const [index, line] of lines.entries()) {
    const isEnd = line.text === '//';
    if (isProse) errors.push(...findUnseparated(line, lines[index + 1]));
    isProse = !isEnd && (isProse || /^SI(?: |$)/.test(line.text));
    if (isEnd) groups.push([]);
    else if (!isProse) groups.at(-1)?.push(line);
  }
  return { groups: groups.flatMap(([first, ...rest]) => (first ? [[first, ...rest] as const] : [])), errors };
};

type SubMessageResult = ParsedSubMessage | { readonly group: LineGroup; readonly error: TelegramError };

const readSubMessage = (group: LineGroup, context: SubMessageContext): SubMessageResult => {
  const [{ number, text }] = group;
  if (withoutEffect.test(text)) {
    const location = { line: number, field: 'action', value: text };
    return { changes: [], notices: [toNoticeEntry('The action changes no schedule.', location, 'no-effect')] };
  }
  try {
    return parseSubMessage(group, context);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    return { group, error };
  }
};

/** Returns the key of the flight of a sub-message; undefined when it cannot be read. */
const findFlight = (group: LineGroup): string | undefined => {
  const line = group.slice(1).find(isFlightLine);
  const [designator = ''] = line?.text.split(/[ /]/) ?? [];
  try {
    return line && toDesignatorKey(parseDesignator(line, designator));
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
};

/**
 * Lists the flights that a message must not change because a part of their new schedule is unreadable: SKD would end what is in force, and the
 * NEW that follows would be missing.
 */
const listHeldFlights = (results: readonly SubMessageResult[]): ReadonlySet<string> => {
  const ended = results
    .flatMap((result) => ('changes' in result ? result.changes : []))
    .flatMap(({ action, flight }) => (action === 'SKD' ? toDesignatorKey(flight) : []));
  const unreadable = results.flatMap((result) =>
    'changes' in result || !/^NEW(?: |$)/.test(result.group[0].text) ? [] : { flight: findFlight(result.group) },
  );
  return new Set(ended.filter((key) => unreadable.some(({ flight = key }) => flight === key)));
};

/** Parses the lines below the identifier. Throws a TelegramError when the message has no action. */
const parsePart = (
  kind: ScheduleMessageKind,
  [identifier, ...lines]: LineGroup,
  { receivedOn, sentOn }: { readonly receivedOn: LocalDate; readonly sentOn: LocalDate | undefined },
): Pick<ScheduleMessageItem, 'part' | 'entries'> => {
  const { timeMode, reference, body } = parseHead(lines, receivedOn);
  const createdOn = reference?.createdOn ?? sentOn ?? receivedOn;
  const { groups, errors } = splitSubMessages(body);
  if (groups.length === 0)
    rejectField(identifier, 'action', [identifier.text, 'cut-message', 'The message ends before its first action.']);
  const results = groups.map((group) => readSubMessage(group, { kind, timeMode, createdOn }));
  const held = listHeldFlights(results);
  const changes = results.flatMap((result) => ('changes' in result ? result.changes : []));
  return {
    part: {
      kind,
      reference,
      createdOn,
      subMessages: changes.filter(({ flight }) => !held.has(toDesignatorKey(flight))),
    },
    entries: [
      ...results.flatMap((result) => ('changes' in result ? result.notices : toQuarantineEntry(result.error))),
      ...errors.map(toQuarantineEntry),
      ...changes
        .filter(({ flight }) => held.has(toDesignatorKey(flight)))
        .map(({ line, action, flight }) =>
          toQuarantineEntry(
            new TelegramError(
              'A part of the new schedule of the flight is unreadable.',
              { line, field: 'action', value: `${action} ${toDesignatorKey(flight).replace('/', '')}` },
              'incomplete-schedule',
            ),
          ),
        ),
    ],
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
    reference:
      lines.slice(1, 3).find((line) => parseReference(line, receivedOn) ?? isCreatorReference(line))?.text ?? '',
    text: [telegram.body.length > 0 ? kind : (lines[0]?.text ?? ''), ...lines.slice(1).map(({ text }) => text)].join(
      '\n',
    ),
    lastLine: lines.at(-1)?.number ?? 0,
    origin,
  };
  const otherType =
    telegram.body.length === 0 ? telegram.header.flatMap((line) => findTelegramType(line) ?? [])[0] : undefined;
  if (otherType !== undefined) return { ...item, part: undefined, entries: [], otherType };
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
