import type { ReportEntry } from '../load-report.ts';
import type { TelegramElement } from './elements.ts';
import { toNoticeEntry, TelegramError, type TelegramLocation } from '../text/telegram-error.ts';
import { parseTelegramTime, type TelegramTime } from './telegram-times.ts';

/** The events of a telegram: `next...` and `expected...` are estimates, `ramp` and `return...` are those of an aircraft that came back. */
export type MovementEvent =
  | 'out'
  | 'off'
  | 'ramp'
  | 'nextOut'
  | 'nextOff'
  | 'returnOn'
  | 'returnIn'
  | 'on'
  | 'in'
  | 'expectedOn'
  | 'expectedIn';

/** The parsed elements of a telegram. */
export type Movements = {
  /** Identifiers of the elements about a movement. */
  readonly identifiers: ReadonlySet<string>;
  readonly times: Partial<Readonly<Record<MovementEvent, TelegramTime>>>;
  /** The airport at which the flight is expected (EA, or after the times of AD), if any. */
  readonly expectedAt: string | undefined;
  /** True for CONT, false for TERM. */
  readonly continues: boolean | undefined;
  readonly notices: readonly ReportEntry[];
};

/** Elements of one or two times; of two, either can be absent. */
const eventsOfElement: Readonly<Record<string, readonly [MovementEvent] | readonly [MovementEvent, MovementEvent]>> = {
  AD: ['out', 'off'],
  AA: ['on', 'in'],
  FR: ['returnOn', 'returnIn'],
  RR: ['ramp'],
  ED: ['nextOut'],
  EO: ['nextOff'],
  EB: ['expectedIn'],
};

/** A return is reported before its times are known. */
const optionallyTimed = new Set(['FR', 'RR']);

/** A diversion telegram has only estimates, for the other airport and after it. */
const diversionElements = new Set(['EA', 'EB', 'EO', 'CONT', 'TERM']);
const movementElements = new Set(['AD', 'AA', 'ED', 'EO', 'EA', 'EB', 'NI', 'RR', 'FR']);

const createElementError = (location: TelegramLocation): TelegramError => {
  const expected =
    eventsOfElement[location.field]?.length === 2 ? 'one or two times (HHMM or DDHHMM)' : 'one time (HHMM or DDHHMM)';
  return new TelegramError(`${location.field} must be ${expected}, not '${location.value}'.`, location, 'bad-element');
};

const parseElementTimes = (location: TelegramLocation): Movements['times'] => {
  const events = eventsOfElement[location.field] ?? [];
  const texts = location.value === '' ? [] : location.value.split('/').map((text) => text.trim());
  if (texts.length > events.length || texts.at(-1) === '') throw createElementError(location);
  if (texts.length === 0 && !optionallyTimed.has(location.field)) throw createElementError(location);
  const [first, second] = events;
  const [firstText = '', secondText] = texts;
  return {
    ...(first === undefined || firstText === '' ? {} : { [first]: parseTelegramTime(firstText, location) }),
    ...(second === undefined || secondText === undefined ? {} : { [second]: parseTelegramTime(secondText, location) }),
  };
};

type ExpectedArrival = { readonly time: TelegramTime; readonly airport: string | undefined; readonly further: string };

/** The next airport can follow the times of a departure: `1433 OOL`. */
const splitNextAirport = (location: TelegramLocation): readonly [TelegramLocation, airport: string | undefined] => {
  const [, times, airport] = /^(\S+) ([A-Z][A-Z0-9]{2,3})$/.exec(location.value) ?? [];
  return location.field === 'AD' && times !== undefined
    ? [{ ...location, value: times }, airport]
    : [location, undefined];
};

/** `1500`, `1500 FRA` or, for a flight with stops, `1500 FRA 1720 VIE`. */
const parseExpectedArrival = (location: TelegramLocation): ExpectedArrival => {
  const match = /^(\d+)(?: ?([A-Z][A-Z0-9]{2,3}))?((?: (?:\d{6}|\d{4}) ?[A-Z][A-Z0-9]{2,3})*)$/.exec(location.value);
  const [, time = '', airport, further = ''] = match ?? [];
  if (match) return { time: parseTelegramTime(time, location), airport, further: further.trim() };
  const message = `EA must be a time (HHMM or DDHHMM) and an airport, not '${location.value}'.`;
  throw new TelegramError(message, location, 'bad-element');
};

/**
 * Parses the elements of a telegram of one kind. Misplaced and unknown elements give a notice. Throws a TelegramError for an element
 * that is invalid or contradicts another.
 */
export const parseMovements = (elements: readonly TelegramElement[], kind: 'MVT' | 'DIV'): Movements => {
  const identifiers = new Set<string>();
  const notices: ReportEntry[] = [];
  let times: Movements['times'] = {};
  let [expectedAt, continues]: [string | undefined, boolean | undefined] = [undefined, undefined];
  const [accepted, other] =
    kind === 'DIV' ? [diversionElements, movementElements] : [movementElements, diversionElements];

  const addFurtherStop = (location: TelegramLocation): void => {
    notices.push(
      toNoticeEntry('Only the first stop in a telegram is used; this element was ignored.', location, 'further-stop'),
    );
  };

  for (const { identifier, value, line } of elements) {
    const location = { line, field: identifier, value };
    if (identifier === '') {
      notices.push(
        toNoticeEntry('Unknown element; it was ignored.', { line, field: 'element', value }, 'unknown-element'),
      );
    } else if (!accepted.has(identifier)) {
      if (other.has(identifier))
        notices.push(toNoticeEntry(`${identifier} is not allowed in ${kind}.`, location, 'misplaced-element'));
    } else if (identifier === 'CONT' || identifier === 'TERM') {
      if (continues !== undefined && continues !== (identifier === 'CONT'))
        throw new TelegramError('The flight cannot both continue and end at this airport.', location, 'contradiction');
      continues = identifier === 'CONT';
    } else if (identifier === 'EA' && identifiers.has('EA')) {
      parseExpectedArrival(location);
      addFurtherStop(location);
    } else if (identifiers.has(identifier)) {
      throw new TelegramError(`${identifier} appears twice in the telegram.`, location, 'repeated-element');
    } else if (identifier === 'EA') {
      const expected = parseExpectedArrival(location);
      times = { ...times, expectedOn: expected.time };
      expectedAt = expected.airport ?? expectedAt;
      if (expected.further !== '') addFurtherStop({ ...location, value: expected.further });
      identifiers.add(identifier);
    } else {
      const [timesLocation, nextAirport] = splitNextAirport(location);
      if (identifier !== 'NI') times = { ...times, ...parseElementTimes(timesLocation) };
      expectedAt ??= nextAirport;
      identifiers.add(identifier);
    }
  }
  return { identifiers, times, expectedAt, continues, notices };
};
