import { parseConfiguration } from '#domain/schedule/cabins.ts';
import type { MessageElement, MessageEquipment, MessageLegEnd } from '#domain/schedule/messages/schedule-message.ts';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { parseElements, splitBeforeElements } from './element-formats.ts';
import { rejectField } from './reject-field.ts';

/** Returns whether a line is equipment information. */
export const isEquipmentLine = ({ text }: TelegramLine): boolean => /^[A-Z] [A-Z0-9]{3}(?: |$)/.test(text);

/** Splits `J24Y275` into the classes JY and the seats, or `CY` into classes alone; undefined when it is neither. */
const parseBookingClasses = (text: string): { readonly classes: string; readonly seats: string } | undefined => {
  if (!/^(?:[A-Z]\d{0,3})*$/.test(text)) return undefined;
  const classes = text.replaceAll(/\d/g, '');
  const seats = parseConfiguration(text)?.seats === undefined ? '' : text;
  const isValid =
    new Set(classes).size === classes.length && classes.length <= 20 && (seats !== '' || text === classes);
  return isValid ? { classes, seats } : undefined;
};

/**
 * Seats beside the classes are the configuration, followed by a version. Undefined when the configuration has other seats: one of them is wrong.
 */
const joinConfiguration = (seats: string, configuration: string): string | undefined => {
  if (seats === '' || configuration === '') return `${seats}${configuration}`;
  if (configuration.startsWith('VV')) return `${seats}${configuration}`;
  const [beside, filed] = [seats, configuration].map((text) => JSON.stringify(parseConfiguration(text)?.seats));
  if (filed === undefined) return `${seats}VV${configuration}`;
  return filed === beside ? configuration : undefined;
};

/** Senders write X for an aircraft that is not known yet. */
const toRegistration = (text: string): string | undefined => {
  const registration = text.replaceAll('-', '');
  return registration === '' || /^X+$/.test(registration) ? undefined : registration;
};

// Service type, aircraft type; classes, modifiers, configuration; registration.
const equipmentLine =
  /^([A-Z]) ([A-Z0-9]{3})(?: ([A-Z][A-Z0-9]*)?(?:\/([A-Z]{1,20}))?(?: ?\.([A-Z0-9]{1,20}))?)?(?: ([A-Z0-9-]{2,11}))?$/;

/**
 * Parses `J 738 CY.C6Y174 GABCD 4/XB`: service type, aircraft type, booking classes, configuration, registration and data elements. Throws a
 * TelegramError.
 */
export const parseEquipmentLine = (
  line: TelegramLine,
): { readonly equipment: MessageEquipment; readonly elements: readonly MessageElement[] } => {
  const [text, elements] = splitBeforeElements(line.text);
  const match = equipmentLine.exec(text);
  const [, serviceType = '', equipment = '', classText = '', modifiers = '', configuration = '', last = ''] =
    match ?? [];
  const classes = parseBookingClasses(classText);
  const joined = classes && joinConfiguration(classes.seats, configuration);
  if (!match || !classes || joined === undefined || last.replaceAll('-', '').length > 10)
    return rejectField(line, 'equipment', [
      line.text,
      'bad-equipment',
      'The line is not equipment information (service type, aircraft type, classes, configuration, registration).',
    ]);
  const registration = toRegistration(last);
  return {
    equipment: {
      serviceType,
      equipment,
      bookingClasses: classes.classes,
      ...(modifiers !== '' && { bookingModifiers: modifiers }),
      configuration: joined,
      ...(registration !== undefined && { registration }),
    },
    elements: parseElements(line, elements),
  };
};

const parseTime = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));

/** Returns the days from a flight date to the nearest date with that day of the month; undefined when it is too far. */
const findDateVariation = (day: number, flightDate: LocalDate): number | undefined =>
  [0, 1, -1, 2, 3, 4, 5, 6, 7].find((shift) => Number(formatDate(addDays(flightDate, shift)).slice(8)) === day);

const legEnd = /^([A-Z]{3})(\d{2})?(\d{4})(?:\/(?:\d{2})?(\d{4})|\/(M1|[0-7])?(?:\/(\d{4}))?)?$/;

/**
 * Parses `UFA1210/1/1215`: station, aircraft time, date variation, passenger time. On a flight date, the day can precede the times instead:
 * `UFA141210/141215`.
 */
const parseLegEnd = (
  line: TelegramLine,
  text: string,
  { end, flightDate }: { readonly end: 'departure' | 'arrival'; readonly flightDate: LocalDate | undefined },
): MessageLegEnd => {
  const [, station = '', day, time = '', directPassengerTime, variation = '', slashedPassengerTime] =
    legEnd.exec(text) ?? [];
  const passengerTime = directPassengerTime ?? slashedPassengerTime ?? time;
  const isTime = (each: string): boolean =>
    /^(?:[01]\d|2[0-3])[0-5]\d$/.test(each) || (end === 'arrival' && each === '2400');
  const reject = (reason: string, message: string): never => rejectField(line, end, [text, reason, message]);
  if (station === '' || text.endsWith('/') || !isTime(time) || !isTime(passengerTime))
    return reject('bad-leg', `'${text}' is not a station with a time.`);
  const times = { station, aircraftMinutes: parseTime(time), passengerMinutes: parseTime(passengerTime) };
  if (day === undefined) return { ...times, dateVariation: variation === 'M1' ? -1 : Number(variation) };
  if (flightDate === undefined || variation !== '')
    return reject('bad-leg', 'A time has its day only in an ASM, without a date variation.');
  const dateVariation = findDateVariation(Number(day), flightDate);
  return dateVariation === undefined
    ? reject('day-out-of-reach', `Day ${day} is not from one day before to seven days after the flight date.`)
    : { ...times, dateVariation };
};

/** Returns whether a line is a leg: two stations with times. */
export const isLegLine = ({ text }: TelegramLine): boolean => /^[A-Z]{3}\d{4}\S* [A-Z]{3}\d/.test(text);

/** Parses a leg line and the elements of the leg; times of an ASM can have their days. Throws a TelegramError. */
export const parseLegLine = (line: TelegramLine, flightDate: LocalDate | undefined) => {
  const [departureText = '', arrivalText = '', ...rest] = line.text.split(' ');
  const departure = parseLegEnd(line, departureText, { end: 'departure', flightDate });
  const arrival = parseLegEnd(line, arrivalText, { end: 'arrival', flightDate });
  const stations = { boardStation: departure.station, offStation: arrival.station };
  return { departure, arrival, elements: parseElements(line, rest.join(' '), stations) };
};
