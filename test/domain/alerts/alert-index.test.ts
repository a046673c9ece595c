import { expect, test } from 'vitest';
import { type Alert, noFilters } from '#domain/alerts/alert.ts';
import { computePattern, createAlertIndex } from '#domain/alerts/alert-index.ts';
import { sampleAlert } from './sample-alert.ts';
import { scheduleEvent, statusEvent } from './sample-events.ts';

const carrierAlert: Alert = { ...sampleAlert, alertType: 'Carrier', iataCarrierCode: 'ZZ' };
const flightAlert = { ...carrierAlert, id: 'flight', flightNumber: 101 };

test('upsert replaces an alert; removed and inactive alerts do not match', () => {
  const index = createAlertIndex([flightAlert]);
  const renamed = { ...flightAlert, name: 'renamed' };
  index.upsert(renamed);
  expect(index.match(scheduleEvent)).toStrictEqual([renamed]);
  index.upsert({ ...renamed, active: false });
  expect(index.match(scheduleEvent)).toStrictEqual([]);
  index.upsert(renamed);
  index.remove('flight');
  index.remove('flight');
  expect(index.match(scheduleEvent)).toStrictEqual([]);
});

test('matches hundreds of alerts that differ only in thresholds, removable in any order', () => {
  const alerts = Array.from({ length: 1200 }, (_, index): Alert => {
    const threshold = index % 600;
    return { ...flightAlert, id: String(index), estimatedDepartureTimeThreshold: threshold };
  });
  const index = createAlertIndex(alerts);
  const event = { ...statusEvent, outGateVariationMinutes: 299.5 };
  const matchedIds = () => new Set(index.match(event).map(({ id }) => Number(id)));
  const expected = alerts.map((_, index) => index).filter((index) => index % 600 < 300);
  expect(index.match(event)).toHaveLength(600);
  expect(matchedIds()).toStrictEqual(new Set(expected));
  for (const { id } of alerts) if (Number(id) % 3 === 0) index.remove(id);
  expect(matchedIds()).toStrictEqual(new Set(expected.filter((index) => index % 3 !== 0)));
  for (const { id } of alerts.toReversed()) index.remove(id);
  expect(matchedIds()).toStrictEqual(new Set());
});

/** Two routes whose airports have the same hash. */
const routes = [
  { departureAirport: 'BP9', arrivalAirport: '128E' },
  { departureAirport: 'DUT', arrivalAirport: 'WUJ' },
] as const;

test('distinguishes routes with equal hashes', () => {
  const [bucket, otherBucket] = routes.map((route) => computePattern({ ...noFilters, ...route }).buckets);
  expect(bucket, 'the hash has changed: other routes are needed').toEqual(otherBucket);
  const [one, other] = routes.map((route, index) => {
    const alert: Alert = { ...sampleAlert, id: String(index), alertType: 'Port', ...route };
    return { alert, event: { ...scheduleEvent, ...route } };
  });
  if (!one || !other) throw new Error('two routes are needed');
  const index = createAlertIndex([one.alert, other.alert]);
  expect([index.match(one.event), index.match(other.event)]).toStrictEqual([[one.alert], [other.alert]]);
  index.remove(one.alert.id);
  expect([index.match(one.event), index.match(other.event)]).toStrictEqual([[], [other.alert]]);
});
