import { expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { getLastAlertChange, listAlertChanges } from '../../../src/store/alerts/alert-changes.ts';
import {
  streamAlerts,
  insertAlert,
  deleteAlert,
  findAlert,
  listAlerts,
  replaceAlert,
  type AlertContent,
} from '../../../src/store/alerts/alerts.ts';
import { sharedDatabase } from '../../support/database.ts';
import { insertSampleAccount } from './sample-accounts.ts';

const now = new Date('2026-06-01T12:00:00.123Z');
const { sql: db } = await sharedDatabase();
const { id: accountId, subscriptionId } = await insertSampleAccount(db);

const content: AlertContent = {
  alertType: 'Port',
  name: 'Nul \u0000',
  description: '',
  iataCarrierCode: '',
  icaoCarrierCode: '',
  flightNumber: undefined,
  fromFlight: 0,
  toFlight: 9999,
  departureAirport: 'LHR',
  arrivalAirport: '',
  departureDate: localDate('2026-06-01'),
  arrivalDate: undefined,
  content: 'seats',
  schedules: true,
  status: false,
  gaFlights: false,
  unscheduledFlights: true,
  codeshare: true,
  changeIndicator: true,
  estimatedDepartureTimeThreshold: -10,
  estimatedArrivalTimeThreshold: undefined,
  statusChangeFilters: {
    baggage: true,
    aircraftRegistrationNumber: true,
    gates: false,
    terminal: true,
    seats: true,
    aircraftType: true,
  },
};

test('an alert is found after its insert, changed and then deleted, and each change is recorded', async () => {
  const before = await getLastAlertChange(db);
  const id = await insertAlert(db, accountId, { content, now });
  const alert = { ...content, id, accountId, active: true, createdAt: now, updatedAt: now };
  expect(await findAlert(db, { id, subscriptionId })).toEqual(alert);
  const changed = { ...alert, active: false, departureDate: undefined, updatedAt: new Date('2026-06-02T00:00:00Z') };
  await replaceAlert(db, changed);
  expect(await listAlerts(db, accountId)).toEqual([changed]);
  expect(await findAlert(db, { id, subscriptionId: subscriptionId + 1 })).toBeUndefined();
  await deleteAlert(db, id);
  expect(await findAlert(db, { id, subscriptionId })).toBeUndefined();
  expect(await listAlerts(db, accountId)).toEqual([]);
  expect(await getLastAlertChange(db)).toBe(before + 3);
  const changes = await listAlertChanges(db, { after: before + 2, limit: 10 });
  expect(changes).toEqual({ kind: 'changes', last: before + 3, ids: [id] });
});

test('an account with more alerts than the batch size is read completely, in order', async () => {
  const { id: account } = await insertSampleAccount(db);
  await db`
    insert into alert (account_id, active, doc, created_at, updated_at)
    select ${account}, true, jsonb_build_object('name', n::text)::text, now(), now() from generate_series(1, 1234) n`;
  const names = await db.begin(async (sql) => {
    const listed: string[] = [];
    for await (const piece of streamAlerts(sql, account)) listed.push(...piece.map(({ name }) => name));
    return [listed];
  });
  expect(names).toEqual([Array.from({ length: 1234 }, (_, index) => String(index + 1))]);
});
