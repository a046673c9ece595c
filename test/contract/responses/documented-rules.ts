import { addDays, parseDate } from '../../../src/domain/time/dates.ts';
import { resolveReference, toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { findHeaderError } from '../../../src/delivery/webhook/custom-header.ts';
import { parseTarget } from '../../../src/delivery/webhook/target-guard.ts';
import { offlineGuard } from '../../support/offline-deliverer.ts';
import { findBodySchema } from '../random/bodies.ts';
import type { Contract } from '../contract.ts';
import type { ParameterValues } from '../random/valid-requests.ts';
import { toParameter } from '../random/parameter-values.ts';

/** A rule that no schema can express: the sentences that document it, and the names with which a request is rejected. */
type DocumentedRule = {
  readonly sentences: readonly string[];
  readonly broken: (values: ParameterValues) => readonly string[];
};

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
  return !endsBefore && last.date < addDays(first.date, days);
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

const dateNames = ['DepartureDateTime', 'ArrivalDateTime', 'DepartureDate', 'ArrivalDate'];
const hasNo = (values: ParameterValues, names: readonly string[]): readonly string[] =>
  has(values, ...names) ? [] : names;

/** All rules by name. A rule applies only to operations whose document states it. */
export const rules: Readonly<Record<string, DocumentedRule>> = {
  'a day of departure or arrival (v2)': {
    sentences: ['At least one of `DepartureDateTime` and `ArrivalDateTime` is required.'],
    broken: (values) => hasNo(values, ['DepartureDateTime', 'ArrivalDateTime']),
  },
  'a day of departure or arrival (v1)': {
    sentences: ['At least one of `DepartureDate` and `ArrivalDate` is required.'],
    broken: (values) => hasNo(values, ['DepartureDate', 'ArrivalDate']),
  },
  'at most 31 days of the calendar, in their order': {
    sentences: [
      'Both ends are included. A range can cover 31 calendar days.',
      'both included. A range can cover 31 days.',
    ],
    broken: (values) => dateNames.filter((name) => values[name]?.some((text) => !isRange(text, 31))),
  },
  'at most 7 days of the calendar, in their order': {
    sentences: ['both included. A range can cover 7 days.'],
    broken: (values) => dateNames.filter((name) => values[name]?.some((text) => !isRange(text, 7))),
  },
  'a place of a connection': {
    sentences: [
      'At least one of a departure (`DepartureAirport`, `DepartureCity`), an arrival (`ArrivalAirport`, `ArrivalCity`) and `ViaPoint` is required.',
    ],
    broken: (values) =>
      has(values, 'DepartureAirport', 'DepartureCity', 'ArrivalAirport', 'ArrivalCity', 'ViaPoint') ? [] : [''],
  },
  'no connecting time both longer and shorter': {
    sentences: ['It must not be greater than `MaxConnectingTime`'],
    broken: (values) =>
      Number(values['MinConnectingTime']?.[0] ?? 0) > Number(values['MaxConnectingTime']?.[0] ?? 360)
        ? ['MinConnectingTime']
        : [],
  },
  'a code type explains codes': {
    sentences: ['Requires at least one of these three parameters.'],
    broken: (values) =>
      has(values, 'CodeType') && !has(values, 'DepartureAirport', 'ArrivalAirport', 'CarrierCode') ? [''] : [],
  },
  'diverted to one airport, with status': {
    sentences: ['Requires exactly one `ArrivalAirport`, and a `Content` with `Status` or `StatusHistory`.'],
    broken: (values) => {
      if (!values['IncludeDiverted']?.some((text) => text.toLowerCase() === 'true')) return [];
      const airports = new Set(values['ArrivalAirport']?.map((code) => code.toUpperCase()));
      const hasStatus = values['Content']?.some((name) => /^status(history)?$/i.test(name)) ?? false;
      return airports.size === 1 && hasStatus ? [] : ['IncludeDiverted'];
    },
  },
  'days of the calendar, in their order': {
    sentences: ['A range can have any length.'],
    broken: (values) => dateNames.filter((name) => values[name]?.some((text) => !isRange(text, Infinity))),
  },
  'a point has a distance, and a distance a point': {
    sentences: ['Requires `WithinKm`.', 'Requires `Near`.'],
    broken: (values) => (has(values, 'Near') === has(values, 'WithinKm') ? [] : ['']),
  },
  'a carrier has a code': {
    sentences: ['`Carrier` requires `iataCarrierCode`, `icaoCarrierCode` or both.'],
    broken: (values) => (isType(values, 'carrier') && !has(values, 'iataCarrierCode', 'icaoCarrierCode') ? [''] : []),
  },
  'a port has an airport': {
    sentences: ['`Port` requires `departureAirport`, `arrivalAirport` or both.'],
    broken: (values) => (isType(values, 'port') && !has(values, 'departureAirport', 'arrivalAirport') ? [''] : []),
  },
  'a range of flights goes up': {
    sentences: ['`fromFlight` must not be greater than `toFlight`.'],
    broken: (values) =>
      has(values, 'fromFlight') && Number(values['fromFlight']?.[0]) > Number(values['toFlight']?.[0] ?? 9999)
        ? ['fromFlight']
        : [],
  },
  'an address that events may be sent to': {
    sentences: ['The `url` must begin with `https://`, have port 443 or 8443'],
    broken: (values) => (values['url']?.every(isAllowedUrl) === false ? ['url'] : []),
  },
  'a header that may be sent': {
    sentences: ['and must not frame, route or sign a message. Its value consists of visible ASCII characters.'],
    broken: (values) => {
      const [name, value] = [values['header.name']?.[0], values['header.value']?.[0]];
      return name !== undefined && value !== undefined && findHeaderError({ name, value }) !== undefined
        ? ['header']
        : [];
    },
  },
  'a description that can be kept': {
    sentences: ['A description of the endpoint, in any characters but U+0000.'],
    broken: (values) => (values['description']?.some((text) => text.includes('\u0000')) ? ['description'] : []),
  },
  'one thing is sent again': {
    sentences: ['The body contains exactly one of `eventId`, a range, and `deadLetters: true`.'],
    broken: (values) => {
      const isRange = has(values, 'fromPosition', 'toPosition');
      const selected = [has(values, 'eventId'), isRange, isTrue(values, 'deadLetters')].filter(Boolean).length;
      return selected !== 1 || (isRange && !(has(values, 'fromPosition') && has(values, 'toPosition'))) ? [''] : [];
    },
  },
  'a range of positions goes up, and not too far': {
    sentences: ['`fromPosition` must not be greater than `toPosition`. A range can have 100,000 positions.'],
    broken: (values) => {
      if (has(values, 'eventId') || isTrue(values, 'deadLetters')) return [];
      const [from, to] = [Number(values['fromPosition']?.[0]), Number(values['toPosition']?.[0])];
      if (from > to) return ['fromPosition'];
      return to - from >= 100_000 ? ['toPosition'] : [];
    },
  },
  'a point of the earth': {
    sentences: ['A point: latitude and longitude in degrees'],
    broken: (values) => (values['Near']?.some((text) => !isPoint(text)) ? ['Near'] : []),
  },
};

/** Marks the cursor parameters that any made-up value violates; they are validated last. */
export const cursorRule = 'from `paging.next`';

const normalizeSpaces = (text: unknown): string => String(text).replaceAll(/\s+/g, ' ');

const joinDescriptions = (contract: Contract, operation: OpenApiOperation): string =>
  [
    operation.operation['description'],
    ...operation.parameters.map((parameter) => toParameter(contract.document, parameter).description),
    ...Object.values(toJsonObject(findBodySchema({ contract }, operation)?.['properties'])).map(
      (member) => toJsonObject(resolveReference(contract.document, member))['description'],
    ),
  ]
    .map(normalizeSpaces)
    .join('\n');

/** Returns the rules that the descriptions of an operation state. */
export const findRules = (
  contract: Contract,
  operation: OpenApiOperation,
): readonly (readonly [string, DocumentedRule])[] => {
  const words = joinDescriptions(contract, operation);
  return Object.entries(rules).filter(([, { sentences }]) => sentences.some((sentence) => words.includes(sentence)));
};

/** Returns the sentences of rules that none of these operations has. */
export const findUndocumentedSentences = (operations: readonly (readonly [Contract, OpenApiOperation])[]) => {
  const words = operations.map(([contract, operation]) => joinDescriptions(contract, operation)).join('\n');
  return Object.values(rules).flatMap(({ sentences }) => sentences.filter((sentence) => !words.includes(sentence)));
};
