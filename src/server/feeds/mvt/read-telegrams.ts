import { hash } from 'node:crypto';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '#domain/status/message.ts';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { ReportEntry } from '../load-report.ts';
import { parseElements } from './elements.ts';
import { type FlightLine, parseFlightLine } from './flight-line.ts';
import { type Movements, parseMovements } from './movements.ts';
import { type EventTimes, resolveTimes } from './resolve-times.ts';
import { type Telegram, type TelegramLine, type TelegramSyntax, splitTelegrams } from '../text/split-telegrams.ts';
import { findTelegramType } from '../text/telegram-types.ts';
import { toNoticeEntry, toQuarantineEntry, TelegramError } from '../text/telegram-error.ts';
import { toDiversionFacts, toMovementFacts, type TelegramFacts } from './telegram-facts.ts';
import { resolveFlightDate, resolveOriginTime, findOriginTimeText } from './telegram-times.ts';

const movementSyntax: TelegramSyntax = { identifier: /^(?:(?:COR|PDM) )*(?:MVT|MVA|DIV)$/, maxLines: 100 };

export type TelegramOptions = {
  /** When the telegram was received, or the file was read: a telegram has only days of the month. */
  readonly receivedAt: UtcMillisecond;
  /** Whether telegrams are received once; those of a file can be read again later. */
  readonly isReceived?: boolean;
};

/** A parsed telegram: its message, unless it has no movement, and its notices. */
type ParsedTelegram = {
  readonly line: number;
  readonly message: StatusMessage | undefined;
  readonly notices: readonly ReportEntry[];
};

const isMarkedDuplicate = ({ header, body }: Telegram): boolean =>
  [...header, ...body].some(({ text }) => /^(?:COR )?PDM\b/.test(text));

const removeDuplicateMark = ({ text }: TelegramLine): string => text.replaceAll('PDM ', '');

type OriginTime = { readonly at: UtcMillisecond | undefined; readonly notices: readonly ReportEntry[] };

const parseOriginTime = (header: readonly TelegramLine[], receivedAt: UtcMillisecond): OriginTime => {
  const origin = findOriginTimeText(header);
  if (!origin) return { at: undefined, notices: [] };
  const at = resolveOriginTime(origin.text, receivedAt);
  if (at !== undefined) return { at, notices: [] };
  const location = { line: origin.line, field: 'origin time', value: origin.text };
  return {
    at,
    notices: [toNoticeEntry('The origin time must be DDHHMM; it was ignored.', location, 'bad-origin-time')],
  };
};

const getFlightDate = ({ date, line }: FlightLine, reference: UtcMillisecond): LocalDate => {
  const flightDate = resolveFlightDate(date, reference);
  if (flightDate !== undefined) return flightDate;
  const location = { line: line.number, field: 'flight date', value: date.text };
  const message = `'${date.text}' must be a date from two months ago to three days ahead.`;
  throw new TelegramError(message, location, 'date-out-of-reach');
};

const actualEvents = ['out', 'off', 'ramp', 'returnOn', 'returnIn', 'on', 'in'] as const;

/**
 * Returns when a telegram without an origin time was created: not before its last actual time, and not after its receipt. A correction
 * is as new as its receipt, since the time it corrects may have been later than the right one.
 */
const computeObservedAt = (times: EventTimes, isCorrection: boolean, receivedAt: UtcMillisecond): UtcMillisecond => {
  const actualTimes = actualEvents.flatMap((event) => times[event] ?? []);
  if (isCorrection || actualTimes.length === 0) return receivedAt;
  return Math.min(Math.max(...actualTimes) * 1000, receivedAt) as UtcMillisecond;
};

/** Returns the same ID for a telegram that is sent twice; addresses and the mark of a possible duplicate do not matter. */
const formatMessageId = (
  body: readonly TelegramLine[],
  flightDate: LocalDate,
  origin: UtcMillisecond | undefined,
): string =>
  `mvt:${hash('sha256', [formatDate(flightDate), origin ?? '', ...body.map(removeDuplicateMark)].join('\n'))}`;

const toFlightReference = (
  flight: FlightLine,
  originDate: LocalDate,
  { departureAirport, arrivalAirport, hasDerivedDays }: TelegramFacts & { readonly hasDerivedDays: boolean },
): FlightReference => ({
  by: 'designator',
  carrier: flight.carrier,
  flightNumber: flight.flightNumber,
  suffix: flight.suffix,
  originDate,
  datedBy: 'utc',
  ...(hasDerivedDays && { hasDerivedDays }),
  departureAirport,
  arrivalAirport,
});

const findFramingError = ({ header, body, isCut }: Telegram): TelegramError | undefined => {
  const first = header[0] ?? body[0];
  const location = { line: first?.number ?? 0, field: 'telegram', value: first?.text ?? '' };
  if (isCut)
    return new TelegramError(
      'The telegram has more than 100 lines, or one of more than 1000 characters.',
      location,
      'too-long',
    );
  if (body.length === 0)
    return new TelegramError('The telegram has no line MVT, MVA or DIV.', location, 'no-identifier');
  return undefined;
};

/** Parses one telegram. Throws a TelegramError when it is invalid. */
const parseTelegram = (telegram: Telegram, { receivedAt, isReceived = false }: TelegramOptions): ParsedTelegram => {
  const framingError = findFramingError(telegram);
  if (framingError) throw framingError;
  const body = telegram.body.filter(({ text }) => text !== 'PDM');
  const [identifier, flightLine, ...lines] = body;
  const line = identifier?.number ?? 0;
  if (!identifier || !flightLine) {
    throw new TelegramError(
      'The telegram ends before its flight line.',
      { line, field: 'flight line', value: '' },
      'cut-telegram',
    );
  }
  const kind = identifier.text.endsWith('DIV') ? 'DIV' : 'MVT';
  const isCorrection = identifier.text.includes('COR ') || telegram.header.some(({ text }) => text === 'COR');
  const flight = parseFlightLine(flightLine);
  if (lines.length === 0) {
    const location = { line: flightLine.number, field: 'elements', value: flightLine.text };
    throw new TelegramError('The telegram ends after its flight line.', location, 'cut-telegram');
  }
  const movements: Movements = parseMovements(parseElements(lines), kind);
  const origin = parseOriginTime(telegram.header, receivedAt);
  const notices = [...origin.notices, ...movements.notices];
  if (movements.identifiers.size === 0 && kind === 'MVT') {
    const location = { line, field: 'elements', value: lines.map(({ text }) => text).join(' ') };
    return {
      line,
      message: undefined,
      notices: [...notices, toNoticeEntry('The telegram contains no movement.', location, 'no-movement')],
    };
  }
  const flightDate = getFlightDate(flight, origin.at ?? receivedAt);
  const times = resolveTimes(movements.times, kind, { flightDate, origin: origin.at });
  const telegramFacts =
    kind === 'DIV' ? toDiversionFacts(flight, movements, times) : toMovementFacts(flight, movements, times);
  // Without an origin time and days, the days of the times are those nearest to the flight date.
  const hasDerivedDays =
    origin.at === undefined && Object.values(movements.times).every(({ day }) => day === undefined);
  const observedAt = origin.at ?? computeObservedAt(times, isCorrection, receivedAt);
  const message: StatusMessage = {
    id: formatMessageId(isCorrection ? [{ number: 0, text: 'COR' }, ...body] : body, flightDate, origin.at),
    source: 'mvt',
    observedAt,
    ...(isReceived &&
      origin.at === undefined &&
      observedAt === receivedAt &&
      !isMarkedDuplicate(telegram) && { isTimedByReceipt: true }),
    flight: toFlightReference(flight, flightDate, { ...telegramFacts, hasDerivedDays }),
    facts: telegramFacts.facts,
    landings: telegramFacts.landings,
    plan: undefined,
  };
  return { line, message, notices };
};

/**
 * A message, with the line of its telegram's identifier, a report entry, with the line it is about, or the type of a telegram that is none about
 * movements. Lines count from 1.
 */
export type TelegramItem =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly otherType: string }
  | { readonly line: number; readonly entry: ReportEntry };

const toItems = (telegram: Telegram, options: TelegramOptions): readonly TelegramItem[] => {
  const [other] =
    telegram.body.length > 0
      ? []
      : telegram.header.flatMap((line) => {
          const otherType = findTelegramType(line);
          return otherType === undefined ? [] : { line: line.number, otherType };
        });
  if (other) return [other];
  try {
    const { line, message, notices } = parseTelegram(telegram, options);
    const remarks = notices.map((entry) => ({ line: entry.line ?? line, entry }));
    return message === undefined ? remarks : [...remarks, { line, message }];
  } catch (error) {
    if (error instanceof TelegramError) return [{ line: error.location.line, entry: toQuarantineEntry(error) }];
    throw error;
  }
};

/**
 * Reads aircraft movement telegrams (MVT, MVA) and diversion telegrams (DIV) from a file or stream, each as soon as it has ended.
 * Notices precede the message they are about. Telegrams of other types, such as LDM, are only named. An invalid telegram gives one quarantined entry, and reading continues with the next.
 */
export async function* readTelegrams(
  bytes: AsyncIterable<Uint8Array>,
  options: TelegramOptions,
): AsyncGenerator<TelegramItem> {
  for await (const telegram of splitTelegrams(bytes, movementSyntax)) yield* toItems(telegram, options);
}
