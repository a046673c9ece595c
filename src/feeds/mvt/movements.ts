import type { ReportEntry } from '../load-report.ts';
import type { TelegramElement } from './elements.ts';
import { toNoticeEntry, TelegramError, type TelegramLocation } from './telegram-error.ts';
import { parseTelegramTime, type TelegramTime } from './telegram-times.ts';

/** The moments a telegram can tell: `next...` and `expected...` are estimates, `ramp` and `return...` an aircraft that came back. */
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

/** What the elements of a telegram tell. */
export type Movements = {
  /** Identifiers of the elements that tell a movement. */
  readonly identifiers: ReadonlySet<string>;
  readonly times: Partial<Readonly<Record<MovementEvent, TelegramTime>>>;
  /** Where the flight is expected (EA), when that is said. */
  readonly expectedAt: string | undefined;
  /** True for CONT, false for TERM. */
  readonly continues: boolean | undefined;
  readonly notices: readonly ReportEntry[];
};

/** Elements of one or two times; those of two may leave out either. */
const eventsOfElement: Readonly<Record<string, readonly [MovementEvent] | readonly [MovementEvent, MovementEvent]>> = {
  AD: ['out', 'off'],
  AA: ['on', 'in'],
  FR: ['returnOn', 'returnIn'],
  RR: ['ramp'],
  ED: ['nextOut'],
  EO: ['nextOff'],
  EB: ['expectedIn'],
};

/** A return is news even before its times are known. */
const optionallyTimed = new Set(['FR', 'RR']);

/** A diversion tells only what is expected at the other airport and after it. */
const diversionElements = new Set(['EA', 'EB', 'EO', 'CONT', 'TERM']);
const movementElements = new Set(['AD', 'AA', 'ED', 'EO', 'EA', 'EB', 'NI', 'RR', 'FR']);

const createElementError = (place: TelegramLocation): TelegramError => {
  const wanted =
    eventsOfElement[place.field]?.length === 2 ? 'one or two times (HHMM or DDHHMM)' : 'one time (HHMM or DDHHMM)';
  return new TelegramError(`${place.field} takes ${wanted}, not '${place.value}'.`, place, 'bad-element');
};

const parseElementTimes = (place: TelegramLocation): Movements['times'] => {
  const moments = eventsOfElement[place.field] ?? [];
  const texts = place.value === '' ? [] : place.value.split('/').map((text) => text.trim());
  if (texts.length > moments.length || texts.at(-1) === '') throw createElementError(place);
  if (texts.length === 0 && !optionallyTimed.has(place.field)) throw createElementError(place);
  const [first, second] = moments;
  const [firstText = '', secondText] = texts;
  return {
    ...(first === undefined || firstText === '' ? {} : { [first]: parseTelegramTime(firstText, place) }),
    ...(second === undefined || secondText === undefined ? {} : { [second]: parseTelegramTime(secondText, place) }),
  };
};

type ExpectedArrival = { readonly time: TelegramTime; readonly airport: string | undefined; readonly further: string };

/** `1500`, `1500 FRA` or, for a flight with stops, `1500 FRA 1720 VIE`. */
const parseExpectedArrival = (place: TelegramLocation): ExpectedArrival => {
  const match = /^(\d+)(?: ?([A-Z][A-Z0-9]{2,3}))?((?: (?:\d{6}|\d{4}) ?[A-Z][A-Z0-9]{2,3})*)$/.exec(place.value);
  const [, time = '', airport, further = ''] = match ?? [];
  if (match) return { time: parseTelegramTime(time, place), airport, further: further.trim() };
  const message = `EA takes a time (HHMM or DDHHMM) and an airport, not '${place.value}'.`;
  throw new TelegramError(message, place, 'bad-element');
};

/**
 * Reads the elements of a telegram with this identifier. Elements without a place in it, and unknown ones, give a notice.
 * Throws a TelegramError at an element that cannot be read or that contradicts another.
 */
export const parseMovements = (elements: readonly TelegramElement[], kind: 'MVT' | 'DIV'): Movements => {
  const identifiers = new Set<string>();
  const notices: ReportEntry[] = [];
  let times: Movements['times'] = {};
  let [expectedAt, continues]: [string | undefined, boolean | undefined] = [undefined, undefined];
  const [taken, other] = kind === 'DIV' ? [diversionElements, movementElements] : [movementElements, diversionElements];

  const laterStop = (place: TelegramLocation): void => {
    notices.push(toNoticeEntry('Only the first stop of a flight is taken from a telegram.', place, 'further-stop'));
  };

  for (const { identifier, value, line } of elements) {
    const place = { line, field: identifier, value };
    if (identifier === '') {
      notices.push(toNoticeEntry('The element is not known.', { line, field: 'element', value }, 'unknown-element'));
    } else if (!taken.has(identifier)) {
      if (other.has(identifier))
        notices.push(toNoticeEntry(`${identifier} has no place in ${kind}.`, place, 'misplaced-element'));
    } else if (identifier === 'CONT' || identifier === 'TERM') {
      if (continues !== undefined && continues !== (identifier === 'CONT'))
        throw new TelegramError('The flight cannot both continue and end.', place, 'contradiction');
      continues = identifier === 'CONT';
    } else if (identifier === 'EA' && identifiers.has('EA')) {
      parseExpectedArrival(place);
      laterStop(place);
    } else if (identifiers.has(identifier)) {
      throw new TelegramError(`${identifier} stands twice in the telegram.`, place, 'repeated-element');
    } else if (identifier === 'EA') {
      const expected = parseExpectedArrival(place);
      times = { ...times, expectedOn: expected.time };
      expectedAt = expected.airport;
      if (expected.further !== '') laterStop({ ...place, value: expected.further });
      identifiers.add(identifier);
    } else {
      if (identifier !== 'NI') times = { ...times, ...parseElementTimes(place) };
      identifiers.add(identifier);
    }
  }
  return { identifiers, times, expectedAt, continues, notices };
};
