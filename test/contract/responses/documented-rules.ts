import { addDays, parseDate } from '#domain/time/dates.ts';
import { resolveReference, toJsonObject, type OpenApiOperation } from '#lib/openapi-document.ts';
import { findHeaderError } from '#delivery/webhook/custom-header.ts';
import { parseTarget } from '#delivery/webhook/target-guard.ts';
import { offlineGuard } from '#test/support/offline-deliverer.ts';
import { findBodySchema } from '../random/bodies.ts';
import type { Contract } from '../contract.ts';
import type { ParameterValues } from '../random/valid-requests.ts';
import { listParameters } from '../random/parameter-values.ts';

/** A rule that no schema can express: the sentence that documents it, and the names with which a request is rejected. */
type DocumentedRule = readonly [sentence: string, broken: (values: ParameterValues) => readonly string[]];

const has = (values: ParameterValues, ...names: readonly string[]): boolean =>
  names.some((name) => values[name] !== undefined);

const isTime = (text: string): boolean =>
  text === '' || (Number(text.slice(1, 3)) < 24 && Number(text.slice(4, 6)) < 60);

/** Returns whether a date, a date-time, or a range of them is valid, in order, and not longer than `days`. */
const isRange = (text: string, days: number): boolean => {
  const ends = text.split('/').map((end) => ({ date: parseDate(end.slice(0, 10)), time: end.slice(10) }));
  if (ends.some(({ date, time }) => date === undefined || !isTime(time))) return false;
  const [first, last = first] = ends;
  if (first?.date === undefined || last?.date === undefined) return false;
  const endsBefore = last.date < first.date || (last.date === first.date && last.time !== '' && last.time < first.time);
  const end = addDays(first.date, days);
  const isWithinHours = first.time !== '' && last.time !== '' && last.date === end && last.time <= first.time;
  return !endsBefore && (last.date < end || isWithinHours);
};

const isPoint = (text: string): boolean => {
  const [latitude = 0, longitude = 0] = text.split(',').map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
};

const isType = (values: ParameterValues, type: string): boolean => values['alertType']?.[0]?.toLowerCase() === type;

/** Returns whether a webhook URL is allowed; in tests only `.example` names are public. */
const isAllowedUrl = (url: string): boolean => {
  const read = parseTarget(url, offlineGuard);
  return 'target' in read && (read.target.isLiteral || read.target.host.endsWith('.example'));
};

const isTrue = (values: ParameterValues, name: string): boolean => values[name]?.[0] === 'true';

/** Returns the names of ranges of dates that are invalid, out of order, or longer than `days`. */
const invalidRanges = (days: number) => (values: ParameterValues) =>
  ['DepartureDateTime', 'ArrivalDateTime', 'DepartureDate', 'ArrivalDate'].filter((name) =>
    values[name]?.some((text) => !isRange(text, days)),
  );

const invalidLatestRanges = (values: ParameterValues) =>
  ['LatestDepartureDateTime', 'LatestArrivalDateTime'].filter((name) =>
    values[name]?.some((text) => !isRange(text, 3)),
  );

const hasNo =
  (...names: readonly string[]) =>
  (values: ParameterValues) =>
    has(values, ...names) ? [] : names;

/** Rejects a request under a name; a rule of several parameters has an empty one. */
const rejects =
  (name: string, isBroken: (values: ParameterValues) => boolean | undefined) => (values: ParameterValues) =>
    isBroken(values) === true ? [name] : [];

const hasLatest = (values: ParameterValues): boolean => has(values, 'LatestDepartureDateTime', 'LatestArrivalDateTime');

const hasWrongDiversion = (values: ParameterValues): boolean => {
  if (!values['IncludeDiverted']?.some((text) => text.toLowerCase() === 'true')) return false;
  const airports = new Set(values['ArrivalAirport']?.map((code) => code.toUpperCase()));
  return airports.size !== 1 || values['Content']?.some((name) => /^status(history)?$/i.test(name)) !== true;
};

const hasWrongHeader = (values: ParameterValues): boolean => {
  const [name, value] = [values['header.name']?.[0], values['header.value']?.[0]];
  return name !== undefined && value !== undefined && findHeaderError({ name, value }) !== undefined;
};

const hasWrongSelection = (values: ParameterValues): boolean => {
  const isRange = has(values, 'fromPosition', 'toPosition');
  const selected = [has(values, 'eventId'), isRange, isTrue(values, 'deadLetters')].filter(Boolean).length;
  return selected !== 1 || (isRange && !(has(values, 'fromPosition') && has(values, 'toPosition')));
};

const findWrongPosition = (values: ParameterValues): readonly string[] => {
  if (has(values, 'eventId') || isTrue(values, 'deadLetters')) return [];
  const [from, to] = [Number(values['fromPosition']?.[0]), Number(values['toPosition']?.[0])];
  if (from > to) return ['fromPosition'];
  return to - from >= 100_000 ? ['toPosition'] : [];
};

const numberOf = (values: ParameterValues, name: string, fallback: number) => Number(values[name]?.[0] ?? fallback);
const places = ['DepartureAirport', 'DepartureCity', 'ArrivalAirport', 'ArrivalCity', 'ViaPoint'];
const needsPlace =
  'At least one of a departure (`DepartureAirport`, `DepartureCity`), an arrival (`ArrivalAirport`, `ArrivalCity`) and `ViaPoint` is required.';
const needsDiversion = 'Requires exactly one `ArrivalAirport`, and a `Content` with `Status` or `StatusHistory`.';
const plainHeader = 'and must not frame, route or sign a message. Its value consists of visible ASCII characters.';
const shortPositions = '`fromPosition` must not be greater than `toPosition`. A range can have 100,000 positions.';

/** A rule applies only to operations whose document states it. */
const rules: readonly DocumentedRule[] = [
  [
    'At least one of `DepartureDateTime`, `ArrivalDateTime`, `LatestDepartureDateTime` and `LatestArrivalDateTime` is required.',
    (all) => (hasLatest(all) ? [] : hasNo('DepartureDateTime', 'ArrivalDateTime')(all)),
  ],
  ['The format is that of `DepartureDateTime`. A range can cover 3 calendar days.', invalidLatestRanges],
  [
    'Requires `DepartureAirport`. A flight with stops is found by its legs.',
    rejects('LatestDepartureDateTime', (all) => has(all, 'LatestDepartureDateTime') && !has(all, 'DepartureAirport')),
  ],
  [
    'Requires `ArrivalAirport`. With `LatestDepartureDateTime`, a flight must match both',
    rejects('LatestArrivalDateTime', (all) => has(all, 'LatestArrivalDateTime') && !has(all, 'ArrivalAirport')),
  ],
  ['At least one of `DepartureDate` and `ArrivalDate` is required.', hasNo('DepartureDate', 'ArrivalDate')],
  ['Both ends are included. A range can cover 31 calendar days.', invalidRanges(31)],
  ['both included. A range can cover 31 days.', invalidRanges(31)],
  ['both included. A range can cover 7 days.', invalidRanges(7)],
  ['A range can have any length.', invalidRanges(Infinity)],
  [needsPlace, rejects('', (all) => !has(all, ...places))],
  [
    'It must not be greater than `MaxConnectingTime`',
    rejects(
      'MinConnectingTime',
      (all) => numberOf(all, 'MinConnectingTime', 0) > numberOf(all, 'MaxConnectingTime', 360),
    ),
  ],
  [
    'Requires at least one of these three parameters.',
    rejects('', (all) => has(all, 'CodeType') && !has(all, 'DepartureAirport', 'ArrivalAirport', 'CarrierCode')),
  ],
  [needsDiversion, rejects('IncludeDiverted', hasWrongDiversion)],
  ['Requires `WithinKm`.', rejects('', (all) => has(all, 'Near') !== has(all, 'WithinKm'))],
  ['Requires `Near`.', rejects('', (all) => has(all, 'Near') !== has(all, 'WithinKm'))],
  [
    '`Carrier` requires `iataCarrierCode`, `icaoCarrierCode` or both.',
    rejects('', (all) => isType(all, 'carrier') && !has(all, 'iataCarrierCode', 'icaoCarrierCode')),
  ],
  [
    '`Port` requires `departureAirport`, `arrivalAirport` or both.',
    rejects('', (all) => isType(all, 'port') && !has(all, 'departureAirport', 'arrivalAirport')),
  ],
  [
    '`fromFlight` must not be greater than `toFlight`.',
    rejects(
      'fromFlight',
      (all) => has(all, 'fromFlight') && numberOf(all, 'fromFlight', 0) > numberOf(all, 'toFlight', 9999),
    ),
  ],
  [
    '`flightNumber` must be in this range.',
    rejects('flightNumber', (all) => {
      const [number, from, to] = [
        numberOf(all, 'flightNumber', 0),
        numberOf(all, 'fromFlight', 0),
        numberOf(all, 'toFlight', 9999),
      ];
      return has(all, 'flightNumber') && from <= to && (number < from || number > to);
    }),
  ],
  [
    'The `url` must begin with `https://`, have port 443 or 8443',
    rejects('url', ({ url }) => url?.every(isAllowedUrl) === false),
  ],
  [plainHeader, rejects('header', hasWrongHeader)],
  [
    'A description of the endpoint, in any characters but U+0000.',
    rejects('description', ({ description }) => description?.some((text) => text.includes('\u0000'))),
  ],
  ['The body contains exactly one of `eventId`, a range, and `deadLetters: true`.', rejects('', hasWrongSelection)],
  [shortPositions, findWrongPosition],
  ['A point: latitude and longitude in degrees', rejects('Near', (all) => all['Near']?.some((text) => !isPoint(text)))],
];

/** Marks the cursor parameters that any made-up value violates; they are validated last. */
export const cursorRule = 'from `paging.next`';

const normalizeSpaces = (text: unknown): string => String(text).replaceAll(/\s+/g, ' ');

const joinDescriptions = (contract: Contract, operation: OpenApiOperation): string =>
  [
    operation.operation['description'],
    ...listParameters(contract, operation).map(({ description }) => description),
    ...Object.values(toJsonObject(findBodySchema({ contract }, operation)?.['properties'])).map(
      (member) => toJsonObject(resolveReference(contract.document, member))['description'],
    ),
  ]
    .map(normalizeSpaces)
    .join('\n');

/** Returns the names with which the rules in the descriptions of an operation reject values. */
export const findBrokenRules = (
  contract: Contract,
  operation: OpenApiOperation,
  values: ParameterValues,
): readonly string[] => {
  const words = joinDescriptions(contract, operation);
  return rules.flatMap(([sentence, broken]) => (words.includes(sentence) ? broken(values) : []));
};

/** Returns the sentences of rules that none of these operations has. */
export const findUndocumentedSentences = (operations: readonly (readonly [Contract, OpenApiOperation])[]) => {
  const words = operations.map(([contract, operation]) => joinDescriptions(contract, operation)).join('\n');
  return rules.map(([sentence]) => sentence).filter((sentence) => !words.includes(sentence));
};
