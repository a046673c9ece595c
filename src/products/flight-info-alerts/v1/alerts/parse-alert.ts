import { alertTypes, type AlertType } from '../../../../domain/alerts/alert.ts';
import { parseDate, type LocalDate } from '../../../../domain/time/dates.ts';
import { invalidBody } from '../../../../http/response/problem.ts';
import type { AlertContent } from '../../../../store/alerts/alerts.ts';
import { defaultAlert } from './default-alert.ts';
import type { AskedAlert } from '../shared/routes.ts';

/** A member of a body: left out it changes nothing, null brings back the default. */
type Asked<T> = T | null | undefined;

const changed = <T>(asked: Asked<T>, before: T, byDefault: T): T =>
  asked === undefined ? before : (asked ?? byDefault);

const codeIn = (asked: Asked<string>, before: string): string => changed(asked, before, '').toUpperCase();

const typeIn = (asked: string): AlertType => {
  const type = alertTypes.find((one) => one.toLowerCase() === asked.toLowerCase());
  if (!type) throw new Error(`the contract let a type of alert through that there is not: '${asked}'`);
  return type;
};

type DateName = 'departureDate' | 'arrivalDate';

const dateIn = (name: DateName, asked: AskedAlert, before: AlertContent): LocalDate | undefined => {
  const text = asked[name];
  if (text === undefined) return before[name];
  if (text === null) return undefined;
  const date = parseDate(text);
  if (date === undefined) throw invalidBody({ [name]: [`must be a date of the calendar, not '${text}'`] });
  return date;
};

/** The datasets that a body names; the older way to ask for change indicators is among them. */
const datasetsIn = (asked: Asked<string>): readonly string[] =>
  (asked ?? '').split(',').map((name) => name.trim().toLowerCase());

type Carried = Pick<AlertContent, 'content' | 'changeIndicator'>;

const carriedIn = (asked: AskedAlert, before: AlertContent): Carried => {
  const datasets = datasetsIn(asked.content);
  const indicator =
    asked.changeIndicator === undefined && datasets.includes('changeindicator') ? true : asked.changeIndicator;
  return {
    content: asked.content === undefined ? before.content : datasets.includes('seats') ? 'seats' : '',
    changeIndicator: changed(indicator, before.changeIndicator, defaultAlert.changeIndicator),
  };
};

const filtersIn = (
  asked: AskedAlert['statusChangeFilters'],
  before: AlertContent['statusChangeFilters'],
): AlertContent['statusChangeFilters'] => {
  if (asked === null) return defaultAlert.statusChangeFilters;
  return {
    baggage: asked?.baggage ?? before.baggage,
    aircraftRegistrationNumber: asked?.aircraftRegistrationNumber ?? before.aircraftRegistrationNumber,
    gates: asked?.gates ?? before.gates,
    terminal: asked?.terminal ?? before.terminal,
    seats: asked?.seats ?? before.seats,
    aircraftType: asked?.aircraftType ?? before.aircraftType,
  };
};

/** What an alert breaks of the rules that concern several of its members, by the member at fault; `''` where it is none alone. */
const faultsOf = (alert: AlertContent): Readonly<Record<string, readonly string[]>> => {
  const { alertType, fromFlight, toFlight } = alert;
  const needs =
    alertType === 'Carrier' && alert.iataCarrierCode === '' && alert.icaoCarrierCode === ''
      ? 'iataCarrierCode, icaoCarrierCode'
      : alertType === 'Port' && alert.departureAirport === '' && alert.arrivalAirport === ''
        ? 'departureAirport, arrivalAirport'
        : undefined;
  const isBackwards = fromFlight !== undefined && toFlight !== undefined && fromFlight > toFlight;
  return {
    ...(needs !== undefined && { '': [`An alert of the type ${alertType} needs ${needs} or both.`] }),
    ...(isBackwards && {
      fromFlight: [`must not be greater than toFlight, but ${fromFlight} is greater than ${toFlight}`],
    }),
  };
};

/** What an alert becomes by a body. Throws the Problem that names what it would break. */
export const changeAlert = (before: AlertContent, asked: AskedAlert): AlertContent => {
  const { flightNumber, fromFlight, toFlight } = asked;
  const { estimatedDepartureTimeThreshold: departure, estimatedArrivalTimeThreshold: arrival } = asked;
  const after: AlertContent = {
    alertType: asked.alertType === undefined ? before.alertType : typeIn(asked.alertType),
    name: changed(asked.name, before.name, ''),
    description: changed(asked.description, before.description, ''),
    iataCarrierCode: codeIn(asked.iataCarrierCode, before.iataCarrierCode),
    icaoCarrierCode: codeIn(asked.icaoCarrierCode, before.icaoCarrierCode),
    flightNumber: changed(flightNumber, before.flightNumber, undefined),
    fromFlight: changed(fromFlight, before.fromFlight, undefined),
    toFlight: changed(toFlight, before.toFlight, undefined),
    departureAirport: codeIn(asked.departureAirport, before.departureAirport),
    arrivalAirport: codeIn(asked.arrivalAirport, before.arrivalAirport),
    departureDate: dateIn('departureDate', asked, before),
    arrivalDate: dateIn('arrivalDate', asked, before),
    schedules: changed(asked.schedules, before.schedules, defaultAlert.schedules),
    status: changed(asked.status, before.status, defaultAlert.status),
    gaFlights: changed(asked.gaFlights, before.gaFlights, defaultAlert.gaFlights),
    unscheduledFlights: changed(asked.unscheduledFlights, before.unscheduledFlights, defaultAlert.unscheduledFlights),
    codeshare: changed(asked.codeshare, before.codeshare, defaultAlert.codeshare),
    estimatedDepartureTimeThreshold: changed(departure, before.estimatedDepartureTimeThreshold, undefined),
    estimatedArrivalTimeThreshold: changed(arrival, before.estimatedArrivalTimeThreshold, undefined),
    statusChangeFilters: filtersIn(asked.statusChangeFilters, before.statusChangeFilters),
    ...carriedIn(asked, before),
  };
  const faults = faultsOf(after);
  if (Object.keys(faults).length > 0) throw invalidBody(faults);
  return after;
};

/** A new alert as a body asks for it. */
export const newAlert = (asked: AskedAlert & { readonly alertType: string }): AlertContent =>
  changeAlert({ ...defaultAlert, alertType: typeIn(asked.alertType) }, asked);
