import type { AlertSetting } from '#domain/alerts/alert-match.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { defaultAlert } from '#products/flight-info-alerts/v1/alerts/parse-alert.ts';
import { insertAlert, type AlertContent } from '#store/alerts/alerts.ts';
import { localDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';

const gatesChanged: EventFacts = { ...statusEvent, changed: new Set(['gates']), changedElse: false };
const noGates = { ...defaultAlert.statusChangeFilters, gates: false };

/** For each setting, an alert whose value excludes an event, and the event. */
export const alertMismatches: readonly (readonly [AlertSetting, Partial<AlertContent>, EventFacts])[] = [
  ['active', {}, statusEvent],
  ['schedules', { schedules: false }, scheduleEvent],
  ['status', { status: false }, statusEvent],
  ['gaFlights', {}, { ...statusEvent, flightType: 'GA' }],
  ['unscheduledFlights', {}, { ...statusEvent, flightType: 'Unscheduled' }],
  ['codeshare', { codeshare: false }, { ...scheduleEvent, isMarketing: true }],
  ['iataCarrierCode', { iataCarrierCode: 'XX' }, statusEvent],
  ['icaoCarrierCode', { icaoCarrierCode: 'XXX' }, statusEvent],
  ['flightNumber', { flightNumber: 102 }, statusEvent],
  ['fromFlight', { fromFlight: 102 }, statusEvent],
  ['toFlight', { toFlight: 100 }, statusEvent],
  ['departureAirport', { departureAirport: 'BBB' }, statusEvent],
  ['arrivalAirport', { arrivalAirport: 'AAA' }, statusEvent],
  ['departureDate', { departureDate: localDate('2027-03-02') }, statusEvent],
  ['arrivalDate', { arrivalDate: localDate('2027-03-01') }, statusEvent],
  ['statusChangeFilters', { statusChangeFilters: noGates }, gatesChanged],
  ['estimatedDepartureTimeThreshold', { estimatedDepartureTimeThreshold: 15 }, statusEvent],
  ['estimatedArrivalTimeThreshold', { estimatedArrivalTimeThreshold: 15 }, statusEvent],
];

/** Stores an alert without the check for duplicates; returns its UUID. */
export const storeAlert = async (
  db: Database,
  accountId: string,
  alert: Partial<AlertContent> & { readonly active?: boolean },
): Promise<string> => {
  const { active = true, ...settings } = alert;
  const content: AlertContent = { ...defaultAlert, alertType: 'Carrier', ...settings };
  let id = '';
  await db.begin(async (sql) => {
    id = await insertAlert(sql, accountId, { content, now: new Date('2026-06-01T12:00:00Z') });
  });
  await db`update alert set active = ${active} where id = ${id}`;
  return id;
};
