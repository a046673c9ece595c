import { hash } from 'node:crypto';
import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { FlightReference, StatusMessage } from '../../domain/status/message.ts';
import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { ReportEntry } from '../load-report.ts';
import { elementsOf } from './elements.ts';
import { type FlightLine, readFlightLine } from './flight-line.ts';
import { type Movements, readMovements } from './movements.ts';
import { type Moments, resolveTimes } from './resolve-times.ts';
import { type Telegram, type TelegramLine, telegramsOf } from './split-telegrams.ts';
import { notice, quarantined, TelegramError } from './telegram-error.ts';
import { diversionOf, movementOf, type Told } from './telegram-facts.ts';
import { flightDateOf, originTimeOf, originTimeText } from './telegram-times.ts';

/** What has to be known besides the telegram. */
export type TelegramContext = {
  /** When the telegram reached us, or the file was read: a telegram names days of the month only. */
  readonly receivedAt: UtcMillisecond;
};

/** A telegram that was read: its message, unless it tells no movement, and what was odd about it. */
type ReadTelegram = {
  readonly line: number;
  readonly message: StatusMessage | undefined;
  readonly notices: readonly ReportEntry[];
};

const withoutMark = ({ text }: TelegramLine): string => text.replaceAll('PDM ', '');

type Origin = { readonly at: UtcMillisecond | undefined; readonly notices: readonly ReportEntry[] };

const readOrigin = (header: readonly TelegramLine[], receivedAt: UtcMillisecond): Origin => {
  const told = originTimeText(header);
  if (!told) return { at: undefined, notices: [] };
  const at = originTimeOf(told.text, receivedAt);
  if (at !== undefined) return { at, notices: [] };
  const place = { line: told.line, field: 'origin time', value: told.text };
  return {
    at,
    notices: [notice('The origin time is no DDHHMM; it is left out of account.', place, 'bad-origin-time')],
  };
};

const readFlightDate = ({ date, line }: FlightLine, reference: UtcMillisecond): LocalDate => {
  const flightDate = flightDateOf(date, reference);
  if (flightDate !== undefined) return flightDate;
  const place = { line: line.number, field: 'flight date', value: date.text };
  const message = `'${date.text}' is no date of the last two months or the next three days.`;
  throw new TelegramError(message, place, 'date-out-of-reach');
};

const actual = ['out', 'off', 'ramp', 'returnOn', 'returnIn', 'on', 'in'] as const;

/**
 * A correction without an origin time is as new as its arrival here, since the time it corrects may have been later than the right one.
 * No other telegram without an origin time can have been made before the last actual time it tells, nor after it got here.
 */
const observedAt = (moments: Moments, isCorrection: boolean, receivedAt: UtcMillisecond): UtcMillisecond => {
  const told = actual.flatMap((moment) => moments[moment] ?? []);
  if (isCorrection || told.length === 0) return receivedAt;
  return Math.min(Math.max(...told) * 1000, receivedAt) as UtcMillisecond;
};

/** The same telegram sent twice has one id; header addresses and the mark of a possible duplicate do not count. */
const idOf = (body: readonly TelegramLine[], flightDate: LocalDate, origin: UtcMillisecond | undefined): string =>
  `mvt:${hash('sha256', [formatDate(flightDate), origin ?? '', ...body.map(withoutMark)].join('\n'))}`;

const referenceTo = (flight: FlightLine, originDate: LocalDate, told: Told): FlightReference => ({
  by: 'designator',
  carrier: flight.carrier,
  flightNumber: flight.flightNumber,
  suffix: flight.suffix,
  originDate,
  datedBy: 'utc',
  departureAirport: told.departureAirport,
  arrivalAirport: told.arrivalAirport,
});

const notText = ({ header, body, isCut }: Telegram): TelegramError | undefined => {
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
const readTelegram = (telegram: Telegram, { receivedAt }: TelegramContext): ReadTelegram => {
  const fault = notText(telegram);
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
  const flight = readFlightLine(flightLine);
  if (lines.length === 0) {
    const place = { line: flightLine.number, field: 'elements', value: flightLine.text };
    throw new TelegramError('The telegram ends before it tells anything.', place, 'cut-telegram');
  }
  const movements: Movements = readMovements(elementsOf(lines), kind);
  const origin = readOrigin(telegram.header, receivedAt);
  const notices = [...origin.notices, ...movements.notices];
  if (movements.identifiers.size === 0 && kind === 'MVT') {
    const place = { line, field: 'elements', value: lines.map(({ text }) => text).join(' ') };
    return {
      line,
      message: undefined,
      notices: [...notices, notice('The telegram tells no movement.', place, 'no-movement')],
    };
  }
  const flightDate = readFlightDate(flight, origin.at ?? receivedAt);
  const moments = resolveTimes(movements.times, kind, { flightDate, origin: origin.at });
  const told = kind === 'DIV' ? diversionOf(flight, movements, moments) : movementOf(flight, movements, moments);
  const message: StatusMessage = {
    id: idOf(isCorrection ? [{ number: 0, text: 'COR' }, ...body] : body, flightDate, origin.at),
    source: 'mvt',
    observedAt: origin.at ?? observedAt(moments, isCorrection, receivedAt),
    flight: referenceTo(flight, flightDate, told),
    facts: told.facts,
    landings: told.landings,
    plan: undefined,
  };
  return { line, message, notices };
};

/** A message, at the line of its telegram's identifier, or a remark about a telegram, at the line it is about. Lines count from 1. */
export type TelegramOutcome =
  | { readonly line: number; readonly message: StatusMessage }
  | { readonly line: number; readonly entry: ReportEntry };

const outcomesOf = (telegram: Telegram, context: TelegramContext): readonly TelegramOutcome[] => {
  try {
    const { line, message, notices } = readTelegram(telegram, context);
    const remarks = notices.map((entry) => ({ line: entry.line ?? line, entry }));
    return message === undefined ? remarks : [...remarks, { line, message }];
  } catch (error) {
    if (error instanceof TelegramError) return [{ line: error.place.line, entry: quarantined(error) }];
    throw error;
  }
};

/**
 * Reads aircraft movement telegrams (MVT, MVA) and diversion telegrams (DIV) from a file or a stream, each as soon as it has ended. Notices
 * come before the message they are about. A telegram that cannot be read gives one quarantined entry, and reading goes on with the next.
 */
export async function* readTelegrams(
  bytes: AsyncIterable<Uint8Array>,
  context: TelegramContext,
): AsyncGenerator<TelegramOutcome> {
  for await (const telegram of telegramsOf(bytes)) yield* outcomesOf(telegram, context);
}
