import { parseMctStatuses } from '../../domain/connections/flights/connecting-records.ts';
import type {
  MessageElement,
  MessageEquipment,
  MessageLegEnd,
  MessageReference,
} from '../../domain/schedule/messages/schedule-message.ts';
import { parseFlightReferences } from '../../domain/schedule/designators.ts';
import type { Designator } from '../../domain/schedule/schedule.ts';
import { dataElements, isPrivateElement } from '../../domain/schedule/data-elements.ts';
import { addDays, toLocalDate, type LocalDate } from '../../domain/time/dates.ts';
import { findFirstDate, type Period, toDaySet } from '../../domain/time/period.ts';
import { TelegramError } from '../text/telegram-error.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Throws the error of a field of a line. */
export const rejectField = (
  line: TelegramLine,
  field: string,
  [value, reason, message]: readonly [string, string, string],
): never => {
  throw new TelegramError(message, { line: line.number, field, value }, reason);
};

/** A date without a year is the next such date; one day is left for messages across midnight. */
const findNextDate = (day: number, month: number, after: LocalDate): LocalDate | undefined => {
  const earliest = addDays(after, -1);
  const year = new Date(earliest * 86_400_000).getUTCFullYear();
  // 29 February can be up to eight years away.
  for (let next = year; next <= year + 8; next += 1) {
    const date = toLocalDate(next, month, day);
    if (date !== undefined && date >= earliest) return date;
  }
  return undefined;
};

/** Parses DDMMM or DDMMMYY; a date without a year is the next one from `after`. Throws a TelegramError. */
export const parseDate = (line: TelegramLine, text: string, after: LocalDate): LocalDate => {
  const [, day = '', month = '', year] = /^(\d{2})([A-Z]{3})(\d{2})?$/.exec(text) ?? [];
  const monthNumber = months.indexOf(month) + 1;
  const date =
    monthNumber === 0
      ? undefined
      : year === undefined
        ? findNextDate(Number(day), monthNumber, after)
        : toLocalDate(2000 + Number(year), monthNumber, Number(day));
  return date ?? rejectField(line, 'date', [text, 'bad-date', `'${text}' is not a date (DDMMM or DDMMMYY).`]);
};

/** Parses a message reference; undefined when the line is none. The year of its date is that nearest to the receipt. */
export const parseReference = ({ text }: TelegramLine, receivedOn: LocalDate): MessageReference | undefined => {
  const [, day, month = '', group, end, part] = /^(\d{2})([A-Z]{3})(\d{5})([CE])(\d{3})(?:\/.*)?$/.exec(text) ?? [];
  const year = new Date(receivedOn * 86_400_000).getUTCFullYear();
  const dates = [year - 1, year, year + 1].flatMap(
    (each) => toLocalDate(each, months.indexOf(month) + 1, Number(day)) ?? [],
  );
  const [createdOn] = dates.toSorted((a, b) => Math.abs(a - receivedOn) - Math.abs(b - receivedOn));
  if (group === undefined || createdOn === undefined || Number(part) === 0) return undefined;
  return { text, createdOn, group, part: Number(part), isLast: end === 'E' };
};

/** Parses a designator such as `LX544A`. Throws a TelegramError. */
export const parseDesignator = (line: TelegramLine, text: string): Designator => {
  const [, carrier = '', number, suffix = ''] = /^([A-Z]{3}|[A-Z][A-Z0-9]|\d[A-Z])(\d{1,4})([A-Z]?)$/.exec(text) ?? [];
  const flightNumber = Number(number ?? 0);
  if (flightNumber > 0) return { carrier, flightNumber, suffix };
  return rejectField(line, 'flight', [
    text,
    'bad-flight',
    `'${text}' is not a flight (carrier, number 1-9999, suffix).`,
  ]);
};

/** Returns whether a line starts like a flight: one designator, with a date in an ASM, before any elements. */
export const isFlightLine = ({ text }: TelegramLine): boolean =>
  /^[A-Z0-9]{2,3}\d{1,4}[A-Z]?(?:\/\d{2}[A-Z]{3}(?:\d{2})?)?(?: \d{1,3}\/|$)/.test(text);

const maxPeriodDays = 800;

/** Parses `01JUN26 28SEP26 135/W2`. Throws a TelegramError. */
export const parsePeriod = (line: TelegramLine, text: string, after: LocalDate): Period => {
  const [, fromText = '', toText = '', days = '', rate] =
    /^(\d{2}[A-Z]{3}(?:\d{2})?) (\d{2}[A-Z]{3}(?:\d{2})?) ([1-7]{1,7})(?:\/W(\d))?$/.exec(text) ?? [];
  const reject = (reason: string, message: string): never => rejectField(line, 'period', [text, reason, message]);
  if (fromText.startsWith('00') || toText.startsWith('00'))
    return reject('open-period', 'A message with an open period (00XXX00) is not applied.');
  if (days === '') return reject('bad-period', `'${text}' is not a period (from, to, days of operation).`);
  if ([...days].toSorted().join('') !== days || new Set(days).size < days.length)
    return reject('bad-days', 'Days of operation are ascending digits 1 to 7.');
  if (rate !== undefined && rate !== '1' && rate !== '2')
    return reject('bad-frequency', `Frequency rate W${rate} is not supported (W1, W2).`);
  const from = parseDate(line, fromText, after);
  const period: Period = {
    from,
    to: parseDate(line, toText, from),
    days: toDaySet(...[...days].map((digit) => Number(digit) as 1)),
    everyWeeks: rate === '2' ? 2 : 1,
  };
  if (period.to < from) return reject('bad-period', 'The period ends before it begins.');
  if (period.to - from > maxPeriodDays) return reject('bad-period', `The period is longer than ${maxPeriodDays} days.`);
  if (findFirstDate(period, period) === undefined)
    return reject('never-operates', 'No day of operation falls within the period.');
  return period;
};

/** Returns whether a line is a period. */
export const isPeriodLine = ({ text }: TelegramLine): boolean =>
  /^\d{2}[A-Z]{3}(?:\d{2})? \d{2}[A-Z]{3}(?:\d{2})?(?: |$)/.test(text);

/** Splits `rest` of a line into data elements: numbers 1 to 999, each followed by `/`. */
const splitElements = (text: string): readonly string[] => (text === '' ? [] : text.split(/ (?=\d{1,3}\/)/));

/** Elements 10 and 50 list flights as `BA117/IB4217`; records have them in columns. */
const toReferenceText = (text: string): string | undefined => {
  const items = text
    .split('/')
    .map((item) => /^([A-Z]{3}|[A-Z][A-Z0-9]|\d[A-Z]) ?(\d{1,4})([A-Z]?)$/.exec(item.trim()));
  const padded = items.map((match) =>
    match ? `${(match[1] ?? '').padEnd(3)}${(match[2] ?? '').padStart(4, '0')}${(match[3] ?? '').padEnd(1)}` : '',
  );
  const joined = padded.join('/');
  return padded.includes('') || parseFlightReferences(joined) === undefined ? undefined : joined;
};

type Stations = Pick<MessageElement, 'boardStation' | 'offStation'>;
const allStations: Stations = { boardStation: '', offStation: '' };

/** Parses one data element such as `98/1` or `10/NIL`. Private elements (800 and above) are left out. Throws a TelegramError. */
const parseElement = (line: TelegramLine, text: string, stations: Stations): readonly MessageElement[] => {
  const [, number, value = ''] = /^(\d{1,3})\/(.*)$/.exec(text) ?? [];
  const dei = Number(number ?? 0);
  const reject = (reason: string, message: string): never => rejectField(line, 'data element', [text, reason, message]);
  if (dei === 0 || value.trim() === '')
    return reject('bad-data-element', `'${text}' is not a data element (number/value).`);
  if (isPrivateElement(dei)) return [];
  if (value === 'NIL') return [{ dei, value: undefined, ...stations }];
  if (dei === dataElements.mctStatus && parseMctStatuses(value) === undefined)
    return reject('unreadable-mctStatus', 'The status is neither D nor I.');
  if (dei !== 10 && dei !== 50) return [{ dei, value: value.trim(), ...stations }];
  return [
    {
      dei,
      value: toReferenceText(value) ?? reject('bad-flight-reference', 'The list of flights is invalid.'),
      ...stations,
    },
  ];
};

/** Parses the elements after the first part of a line. */
export const parseElements = (
  line: TelegramLine,
  text: string,
  stations: Stations = allStations,
): readonly MessageElement[] => splitElements(text).flatMap((each) => parseElement(line, each, stations));

const segmentLine = /^([A-Z]{3}|QQ)([A-Z]{3}|QQ) (\d{1,3}\/.*)$/;

/** Returns whether a line is segment information: a pair of stations and a data element. */
export const isSegmentLine = ({ text }: TelegramLine): boolean => segmentLine.test(text);

const toStation = (text: string): string => (text === 'QQQ' || text === 'QQ' ? '' : text);

/** Parses `NSKUFA 98/1`; QQQ or QQ is any station. Throws a TelegramError. */
export const parseSegmentLine = (line: TelegramLine): readonly MessageElement[] => {
  const [, board = '', off = '', element = ''] = segmentLine.exec(line.text) ?? [];
  return parseElement(line, element, { boardStation: toStation(board), offStation: toStation(off) });
};

const equipmentLine = /^([A-Z]) ([A-Z0-9]{3})(?: ([A-Z]{1,20})?(?:\.([A-Z0-9]{1,20}))?)?((?: \d{1,3}\/[^ ].*)?)$/;

/** Returns whether a line is equipment information. */
export const isEquipmentLine = ({ text }: TelegramLine): boolean => /^[A-Z] [A-Z0-9]{3}(?: |$)/.test(text);

/** Parses `J 738 CY.C6Y174`: service type, aircraft type, booking classes, configuration. Throws a TelegramError. */
export const parseEquipmentLine = (
  line: TelegramLine,
): { readonly equipment: MessageEquipment; readonly elements: readonly MessageElement[] } => {
  const match = equipmentLine.exec(line.text);
  const [, serviceType = '', equipment = '', bookingClasses = '', configuration = '', rest = ''] = match ?? [];
  if (!match)
    return rejectField(line, 'equipment', [line.text, 'bad-equipment', 'The line is not equipment information.']);
  return {
    equipment: { serviceType, equipment, bookingClasses, configuration },
    elements: parseElements(line, rest.trim()),
  };
};

const parseTime = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));

/** Parses `UFA1210/1/1215`: station, aircraft time, date variation, passenger time. */
const parseLegEnd = (line: TelegramLine, text: string, end: 'departure' | 'arrival'): MessageLegEnd => {
  const [, station = '', time = '', variation = '', passengerTime = time] =
    /^([A-Z]{3})(\d{4})(?:\/(M1|[0-7])?(?:\/(\d{4}))?)?$/.exec(text) ?? [];
  const isTime = (each: string): boolean =>
    /^(?:[01]\d|2[0-3])[0-5]\d$/.test(each) || (end === 'arrival' && each === '2400');
  if (station === '' || text.endsWith('/') || !isTime(time) || !isTime(passengerTime))
    return rejectField(line, end, [text, 'bad-leg', `'${text}' is not a station with a time.`]);
  const dateVariation = variation === 'M1' ? -1 : Number(variation);
  return { station, aircraftMinutes: parseTime(time), passengerMinutes: parseTime(passengerTime), dateVariation };
};

/** Returns whether a line is a leg: two stations with times. */
export const isLegLine = ({ text }: TelegramLine): boolean => /^[A-Z]{3}\d{4}\S* [A-Z]{3}\d/.test(text);

/** Parses a leg line and the elements of the leg. Throws a TelegramError. */
export const parseLegLine = (line: TelegramLine) => {
  const [departureText = '', arrivalText = '', ...rest] = line.text.split(' ');
  const departure = parseLegEnd(line, departureText, 'departure');
  const arrival = parseLegEnd(line, arrivalText, 'arrival');
  const stations = { boardStation: departure.station, offStation: arrival.station };
  return { departure, arrival, elements: parseElements(line, rest.join(' '), stations) };
};
