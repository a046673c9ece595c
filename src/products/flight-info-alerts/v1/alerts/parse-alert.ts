import { noFilters } from '../../../../domain/alerts/alert-filters.ts';
import { type AlertType, alertTypes } from '../../../../domain/alerts/alert.ts';
import { type LocalDate, parseDate } from '../../../../domain/time/dates.ts';
import { invalidBody } from '../../../../http/response/problem.ts';
import type { AlertContent } from '../../../../store/alerts/alerts.ts';
import type { AlertBody } from '../shared/routes.ts';

/** The defaults of the contract: what an alert is where its creator says nothing. */
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
  statusChangeFilters: {
    baggage: true,
    aircraftRegistrationNumber: true,
    gates: true,
    terminal: true,
    seats: true,
    aircraftType: true,
  },
};

/** A member of a body: left out it changes nothing, null brings back the default. */
type Member<T> = T | null | undefined;

const mergeMember = <T>(asked: Member<T>, before: T, byDefault: T): T =>
  asked === undefined ? before : (asked ?? byDefault);

const mergeCode = (asked: Member<string>, before: string): string => mergeMember(asked, before, '').toUpperCase();

const parseAlertType = (asked: string): AlertType => {
  const type = alertTypes.find((one) => one.toLowerCase() === asked.toLowerCase());
  if (!type) throw new Error(`the contract let a type of alert through that there is not: '${asked}'`);
  return type;
};

type DateName = 'departureDate' | 'arrivalDate';

const mergeDate = (name: DateName, asked: AlertBody, before: AlertContent): LocalDate | undefined => {
  const text = asked[name];
  if (text === undefined) return before[name];
  if (text === null) return undefined;
  const date = parseDate(text);
  if (date === undefined) throw invalidBody({ [name]: [`must be a date of the calendar, not '${text}'`] });
  return date;
};

/** The datasets that a body names; the older way to ask for change indicators is among them. */
const parseDatasets = (asked: Member<string>): readonly string[] =>
  (asked ?? '').split(',').map((name) => name.trim().toLowerCase());

type EventContentSettings = Pick<AlertContent, 'content' | 'changeIndicator'>;

const mergeEventContent = (asked: AlertBody, before: AlertContent): EventContentSettings => {
  const datasets = parseDatasets(asked.content);
  const indicator =
    asked.changeIndicator === undefined && datasets.includes('changeindicator') ? true : asked.changeIndicator;
  return {
    content: asked.content === undefined ? before.content : datasets.includes('seats') ? 'seats' : '',
    changeIndicator: mergeMember(indicator, before.changeIndicator, defaultAlert.changeIndicator),
  };
};

const mergeStatusFilters = (
  asked: AlertBody['statusChangeFilters'],
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
const validateAlert = (alert: AlertContent): Readonly<Record<string, readonly string[]>> => {
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
export const parseAlertUpdate = (before: AlertContent, asked: AlertBody): AlertContent => {
  const { flightNumber, fromFlight, toFlight } = asked;
  const { estimatedDepartureTimeThreshold: departure, estimatedArrivalTimeThreshold: arrival } = asked;
  const after: AlertContent = {
    alertType: asked.alertType === undefined ? before.alertType : parseAlertType(asked.alertType),
    name: mergeMember(asked.name, before.name, ''),
    description: mergeMember(asked.description, before.description, ''),
    iataCarrierCode: mergeCode(asked.iataCarrierCode, before.iataCarrierCode),
    icaoCarrierCode: mergeCode(asked.icaoCarrierCode, before.icaoCarrierCode),
    flightNumber: mergeMember(flightNumber, before.flightNumber, undefined),
    fromFlight: mergeMember(fromFlight, before.fromFlight, undefined),
    toFlight: mergeMember(toFlight, before.toFlight, undefined),
    departureAirport: mergeCode(asked.departureAirport, before.departureAirport),
    arrivalAirport: mergeCode(asked.arrivalAirport, before.arrivalAirport),
    departureDate: mergeDate('departureDate', asked, before),
    arrivalDate: mergeDate('arrivalDate', asked, before),
    schedules: mergeMember(asked.schedules, before.schedules, defaultAlert.schedules),
    status: mergeMember(asked.status, before.status, defaultAlert.status),
    gaFlights: mergeMember(asked.gaFlights, before.gaFlights, defaultAlert.gaFlights),
    unscheduledFlights: mergeMember(
      asked.unscheduledFlights,
      before.unscheduledFlights,
      defaultAlert.unscheduledFlights,
    ),
    codeshare: mergeMember(asked.codeshare, before.codeshare, defaultAlert.codeshare),
    estimatedDepartureTimeThreshold: mergeMember(departure, before.estimatedDepartureTimeThreshold, undefined),
    estimatedArrivalTimeThreshold: mergeMember(arrival, before.estimatedArrivalTimeThreshold, undefined),
    statusChangeFilters: mergeStatusFilters(asked.statusChangeFilters, before.statusChangeFilters),
    ...mergeEventContent(asked, before),
  };
  const faults = validateAlert(after);
  if (Object.keys(faults).length > 0) throw invalidBody(faults);
  return after;
};

/** A new alert as a body asks for it. */
export const parseNewAlert = (asked: AlertBody & { readonly alertType: string }): AlertContent =>
  parseAlertUpdate({ ...defaultAlert, alertType: parseAlertType(asked.alertType) }, asked);
