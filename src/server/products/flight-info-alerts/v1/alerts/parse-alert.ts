import { type AlertType, alertTypes, noFilters } from '#domain/alerts/alert.ts';
import { type LocalDate, parseDate } from '#domain/time/dates.ts';
import { invalidBody } from '#http/response/problem.ts';
import type { AlertContent } from '#store/alerts/alerts.ts';
import type { z } from 'zod';
import type { zUpdateAlertBody } from '#generated/flight-info-alerts/v1/zod.gen.ts';

/** The members of a request body that describe an alert. */
export type AlertBody = Omit<z.output<typeof zUpdateAlertBody>, 'alertId'>;

/** The defaults of the contract for members that the creator omits. */
export const defaultAlert: Omit<AlertContent, 'alertType'> = {
  name: '',
  description: '',
  ...noFilters,
  content: '',
  schedules: true,
  status: true,
  gaFlights: false,
  unscheduledFlights: false,
  codeshare: true,
  changeIndicator: false,
  estimatedDepartureTimeThreshold: undefined,
  estimatedArrivalTimeThreshold: undefined,
  thresholdOnce: false,
  cancellations: false,
  statusChangeFilters: {
    baggage: true,
    aircraftRegistrationNumber: true,
    gates: true,
    terminal: true,
    seats: true,
    aircraftType: true,
  },
};

/** A member of a body: absent changes nothing, null restores the default. */
type Member<T> = T | null | undefined;

const mergeMember = <T>(value: Member<T>, before: T, defaultValue: T): T =>
  value === undefined ? before : (value ?? defaultValue);

const mergeCode = (code: Member<string>, before: string): string => mergeMember(code, before, '').toUpperCase();

/** Parses a number that a client sent as text; the contract has validated its form. */
const parseNumber = (value: Member<number | string>): Member<number> =>
  typeof value === 'string' ? Number(value) : value;

/** Parses a boolean that a client sent as text, in any letter case; the contract has validated it. */
export const parseSwitch = <T extends boolean | null | undefined>(value: T | string): T | boolean =>
  typeof value === 'string' ? value.toLowerCase() === 'true' : value;

const mergeNumber = (value: Member<number | string>, before: number | undefined): number | undefined =>
  mergeMember(parseNumber(value), before, undefined);

const mergeSwitch = (value: Member<boolean | string>, before: boolean, defaultValue: boolean): boolean =>
  mergeMember(parseSwitch(value), before, defaultValue);

const parseAlertType = (text: string): AlertType => {
  const type = alertTypes.find((name) => name.toLowerCase() === text.toLowerCase());
  if (!type) throw new Error(`validation accepted an unknown alert type: '${text}'`);
  return type;
};

type DateName = 'departureDate' | 'arrivalDate';

const mergeDate = (name: DateName, body: AlertBody, before: AlertContent): LocalDate | undefined => {
  const text = body[name];
  if (text === undefined) return before[name];
  if (text === null) return undefined;
  const date = parseDate(text);
  if (date === undefined) throw invalidBody({ [name]: [`must be a date of the calendar, not '${text}'`] });
  return date;
};

/** Parses the datasets in `content`; `changeIndicator` among them is the older form of the member of that name. */
const parseDatasets = (names: Member<string>): readonly string[] =>
  (names ?? '').split(',').map((name) => name.trim().toLowerCase());

type EventContentSettings = Pick<AlertContent, 'content' | 'changeIndicator'>;

const mergeEventContent = (body: AlertBody, before: AlertContent): EventContentSettings => {
  const datasets = parseDatasets(body.content);
  const indicator =
    body.changeIndicator === undefined && datasets.includes('changeindicator') ? true : body.changeIndicator;
  return {
    content: body.content === undefined ? before.content : datasets.includes('seats') ? 'seats' : '',
    changeIndicator: mergeSwitch(indicator, before.changeIndicator, defaultAlert.changeIndicator),
  };
};

const mergeStatusFilters = (
  filters: AlertBody['statusChangeFilters'],
  before: AlertContent['statusChangeFilters'],
): AlertContent['statusChangeFilters'] => {
  if (filters === null) return defaultAlert.statusChangeFilters;
  return {
    baggage: parseSwitch(filters?.baggage) ?? before.baggage,
    aircraftRegistrationNumber: parseSwitch(filters?.aircraftRegistrationNumber) ?? before.aircraftRegistrationNumber,
    gates: parseSwitch(filters?.gates) ?? before.gates,
    terminal: parseSwitch(filters?.terminal) ?? before.terminal,
    seats: parseSwitch(filters?.seats) ?? before.seats,
    aircraftType: parseSwitch(filters?.aircraftType) ?? before.aircraftType,
  };
};

/** Returns violations of rules across members, by member; `''` if no single member is the cause. */
const validateAlert = (alert: AlertContent): Readonly<Record<string, readonly string[]>> => {
  const { alertType, flightNumber, fromFlight, toFlight } = alert;
  const needs =
    alertType === 'Carrier' && alert.iataCarrierCode === '' && alert.icaoCarrierCode === ''
      ? 'iataCarrierCode, icaoCarrierCode'
      : alertType === 'Port' && alert.departureAirport === '' && alert.arrivalAirport === ''
        ? 'departureAirport, arrivalAirport'
        : undefined;
  const isBackwards = fromFlight !== undefined && toFlight !== undefined && fromFlight > toFlight;
  const isBelow = flightNumber !== undefined && fromFlight !== undefined && flightNumber < fromFlight;
  const isAbove = flightNumber !== undefined && toFlight !== undefined && flightNumber > toFlight;
  const comparison = isBelow ? `less than ${fromFlight}` : `greater than ${toFlight}`;
  return {
    ...(needs !== undefined && { '': [`An alert of the type ${alertType} needs ${needs} or both.`] }),
    ...(isBackwards && {
      fromFlight: [`must not be greater than toFlight, but ${fromFlight} is greater than ${toFlight}`],
    }),
    ...(!isBackwards &&
      (isBelow || isAbove) && {
        flightNumber: [`must be in the range from fromFlight to toFlight, but ${flightNumber} is ${comparison}`],
      }),
  };
};

/** Returns an alert with the members of a body applied. Throws the Problem that lists all violations. */
export const parseAlertUpdate = (before: AlertContent, body: AlertBody): AlertContent => {
  const { flightNumber, fromFlight, toFlight } = body;
  const { estimatedDepartureTimeThreshold: departure, estimatedArrivalTimeThreshold: arrival } = body;
  const after: AlertContent = {
    alertType: body.alertType === undefined ? before.alertType : parseAlertType(body.alertType),
    name: mergeMember(body.name, before.name, ''),
    description: mergeMember(body.description, before.description, ''),
    iataCarrierCode: mergeCode(body.iataCarrierCode, before.iataCarrierCode),
    icaoCarrierCode: mergeCode(body.icaoCarrierCode, before.icaoCarrierCode),
    flightNumber: mergeNumber(flightNumber, before.flightNumber),
    fromFlight: mergeNumber(fromFlight, before.fromFlight),
    toFlight: mergeNumber(toFlight, before.toFlight),
    departureAirport: mergeCode(body.departureAirport, before.departureAirport),
    arrivalAirport: mergeCode(body.arrivalAirport, before.arrivalAirport),
    departureDate: mergeDate('departureDate', body, before),
    arrivalDate: mergeDate('arrivalDate', body, before),
    schedules: mergeSwitch(body.schedules, before.schedules, defaultAlert.schedules),
    status: mergeSwitch(body.status, before.status, defaultAlert.status),
    gaFlights: mergeSwitch(body.gaFlights, before.gaFlights, defaultAlert.gaFlights),
    unscheduledFlights: mergeSwitch(
      body.unscheduledFlights,
      before.unscheduledFlights,
      defaultAlert.unscheduledFlights,
    ),
    codeshare: mergeSwitch(body.codeshare, before.codeshare, defaultAlert.codeshare),
    estimatedDepartureTimeThreshold: mergeNumber(departure, before.estimatedDepartureTimeThreshold),
    estimatedArrivalTimeThreshold: mergeNumber(arrival, before.estimatedArrivalTimeThreshold),
    thresholdOnce: mergeSwitch(body.thresholdOnce, before.thresholdOnce, defaultAlert.thresholdOnce),
    cancellations: mergeSwitch(body.cancellations, before.cancellations, defaultAlert.cancellations),
    statusChangeFilters: mergeStatusFilters(body.statusChangeFilters, before.statusChangeFilters),
    ...mergeEventContent(body, before),
  };
  const violations = validateAlert(after);
  if (Object.keys(violations).length > 0) throw invalidBody(violations);
  return after;
};

/** Returns a new alert from a body and the defaults. */
export const parseNewAlert = (body: AlertBody & { readonly alertType: string }): AlertContent =>
  parseAlertUpdate({ ...defaultAlert, alertType: parseAlertType(body.alertType) }, body);
