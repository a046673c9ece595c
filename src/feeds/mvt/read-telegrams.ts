import { hash } from 'node:crypto';
import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '../../domain/status/message.ts';
import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { ReportEntry } from '../load-report.ts';
import { parseElements } from './elements.ts';
import { type FlightLine, parseFlightLine } from './flight-line.ts';
import { type Movements, parseMovements } from './movements.ts';
import { type EventTimes, resolveTimes } from './resolve-times.ts';
import { type Telegram, type TelegramLine, splitTelegrams } from './split-telegrams.ts';
import { toNoticeEntry, toQuarantineEntry, TelegramError } from './telegram-error.ts';
import { toDiversionFacts, toMovementFacts, type TelegramFacts } from './telegram-facts.ts';
import { resolveFlightDate, resolveOriginTime, findOriginTimeText } from './telegram-times.ts';

/** What has to be known besides the telegram. */
export type TelegramOptions = {
  /** When the telegram reached us, or the file was read: a telegram names days of the month only. */
  readonly receivedAt: UtcMillisecond;
};

/** A telegram that was read: its message, unless it tells no movement, and what was odd about it. */
type ParsedTelegram = {
  readonly line: number;
  readonly message: StatusMessage | undefined;
  readonly notices: readonly ReportEntry[];
};

const removeDuplicateMark = ({ text }: TelegramLine): string => text.replaceAll('PDM ', '');

type OriginTime = { readonly at: UtcMillisecond | undefined; readonly notices: readonly ReportEntry[] };

const parseOriginTime = (header: readonly TelegramLine[], receivedAt: UtcMillisecond): OriginTime => {
  const told = findOriginTimeText(header);
  if (!told) return { at: undefined, notices: [] };
  const at = resolveOriginTime(told.text, receivedAt);
  if (at !== undefined) return { at, notices: [] };
  const place = { line: told.line, field: 'origin time', value: told.text };
  return {
    at,
    notices: [toNoticeEntry('The origin time is no DDHHMM; it is left out of account.', place, 'bad-origin-time')],
  };
};

const getFlightDate = ({ date, line }: FlightLine, reference: UtcMillisecond): LocalDate => {
  const flightDate = resolveFlightDate(date, reference);
  if (flightDate !== undefined) return flightDate;
  const place = { line: line.number, field: 'flight date', value: date.text };
  const message = `'${date.text}' is no date of the last two months or the next three days.`;
  throw new TelegramError(message, place, 'date-out-of-reach');
};

const actualEvents = ['out', 'off', 'ramp', 'returnOn', 'returnIn', 'on', 'in'] as const;

/**
 * A correction without an origin time is as new as its arrival here, since the time it corrects may have been later than the right one.
 * No other telegram without an origin time can have been made before the last actual time it tells, nor after it got here.
 */
const computeObservedAt = (moments: EventTimes, isCorrection: boolean, receivedAt: UtcMillisecond): UtcMillisecond => {
  const told = actualEvents.flatMap((moment) => moments[moment] ?? []);
  if (isCorrection || told.length === 0) return receivedAt;
  return Math.min(Math.max(...told) * 1000, receivedAt) as UtcMillisecond;
};

/** The same telegram sent twice has one id; header addresses and the mark of a possible duplicate do not count. */
const formatMessageId = (
  body: readonly TelegramLine[],
  flightDate: LocalDate,
  origin: UtcMillisecond | undefined,
): string =>
  `mvt:${hash('sha256', [formatDate(flightDate), origin ?? '', ...body.map(removeDuplicateMark)].join('\n'))}`;

const toFlightReference = (flight: FlightLine, originDate: LocalDate, told: TelegramFacts): FlightReference => ({
  by: 'designator',
  carrier: flight.carrier,
  flightNumber: flight.flightNumber,
  suffix: flight.suffix,
  originDate,
  datedBy: 'utc',
  departureAirport: told.departureAirport,
  arrivalAirport: told.arrivalAirport,
});

const findFramingError = ({ header, body, isCut }: Telegram): TelegramError | undefined => {
  const first = header[0] ?? body[0];
  const place = { line: first?.number ?? 0, field: 'telegram', value: first?.text ?? '' };
  if (isCut)
    return new TelegramError(
      'The telegram has more than 100 lines, or one of more than 1000 characters.',
      place,
      'too-long',
    );
  if (body.length === 0) return new TelegramError('No line reads MVT, MVA or DIV.', place, 'no-identifier');
  return undefined;
};

/** Reads one telegram. Throws a TelegramError when it cannot be read. */
const parseTelegram = (telegram: Telegram, { receivedAt }: TelegramOptions): ParsedTelegram => {
  const fault = findFramingError(telegram);
  if (fault) throw fault;
  const body = telegram.body.filter(({ text }) => text !== 'PDM');
  const [identifier, flightLine, ...lines] = body;
  const line = identifier?.number ?? 0;
  if (!identifier || !flightLine) {
    throw new TelegramError(
      'The telegram ends before it names a flight.',
      { line, field: 'flight line', value: '' },
      'cut-telegram',
    );
  }
  const kind = identifier.text.endsWith('DIV') ? 'DIV' : 'MVT';
  const isCorrection = identifier.text.includes('COR ') || telegram.header.some(({ text }) => text === 'COR');
  const flight = parseFlightLine(flightLine);
  if (lines.length === 0) {
    const place = { line: flightLine.number, field: 'elements', value: flightLine.text };
    throw new TelegramError('The telegram ends before it tells anything.', place, 'cut-telegram');
  }
  const movements: Movements = parseMovements(parseElements(lines), kind);
  const origin = parseOriginTime(telegram.header, receivedAt);
  const notices = [...origin.notices, ...movements.notices];
  if (movements.identifiers.size === 0 && kind === 'MVT') {
    const place = { line, field: 'elements', value: lines.map(({ text }) => text).join(' ') };
    return {
      line,
      message: undefined,
      notices: [...notices, toNoticeEntry('The telegram tells no movement.', place, 'no-movement')],
    };
  }
  const flightDate = getFlightDate(flight, origin.at ?? receivedAt);
  const moments = resolveTimes(movements.times, kind, { flightDate, origin: origin.at });
  const told =
    kind === 'DIV' ? toDiversionFacts(flight, movements, moments) : toMovementFacts(flight, movements, moments);
  const message: StatusMessage = {
    id: formatMessageId(isCorrection ? [{ number: 0, text: 'COR' }, ...body] : body, flightDate, origin.at),
    source: 'mvt',
    observedAt: origin.at ?? computeObservedAt(moments, isCorrection, receivedAt),
    flight: toFlightReference(flight, flightDate, told),
    facts: told.facts,
    landings: told.landings,
    plan: undefined,
  };
  return { line, message, notices };
};

/** A message, at the line of its telegram's identifier, or a remark about a telegram, at the line it is about. Lines count from 1. */
export type TelegramItem =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly entry: ReportEntry };

const toItems = (telegram: Telegram, context: TelegramOptions): readonly TelegramItem[] => {
  try {
    const { line, message, notices } = parseTelegram(telegram, context);
    const remarks = notices.map((entry) => ({ line: entry.line ?? line, entry }));
    return message === undefined ? remarks : [...remarks, { line, message }];
  } catch (error) {
    if (error instanceof TelegramError) return [{ line: error.location.line, entry: toQuarantineEntry(error) }];
    throw error;
  }
};

/**
 * Reads aircraft movement telegrams (MVT, MVA) and diversion telegrams (DIV) from a file or a stream, each as soon as it has ended. Notices
 * come before the message they are about. A telegram that cannot be read gives one quarantined entry, and reading goes on with the next.
 */
export async function* readTelegrams(
  bytes: AsyncIterable<Uint8Array>,
  context: TelegramOptions,
): AsyncGenerator<TelegramItem> {
  for await (const telegram of splitTelegrams(bytes)) yield* toItems(telegram, context);
}
