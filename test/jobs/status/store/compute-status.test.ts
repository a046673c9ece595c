import { expect, test } from 'vitest';
import { localDate, type UtcMinute } from '#domain/time/dates.ts';
import { compareObservations } from '#domain/status/observed-flight.ts';
import { buildHistory } from '#products/flight-info/v2/row-statuses.ts';
import type { FlightStatusRow } from '#store/status/flight-statuses.ts';
import { areNewer, computeStatus, recomputeStatus } from '#jobs/status/store/compute-status.ts';
import { applyObservations, createObservation, locationIds, report } from '#test/domain/status/observations.ts';
import { toInstant, toMessageTime } from '#test/domain/status/observations.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import { exampleReference as reference, masterDataIndex } from '#test/products/flight-info/v2/status-master-data.ts';
import { createRandomMessages, createRandomNumbers, shuffle } from '#test/domain/status/random-messages.ts';

const SEED = 20_260_602;
const context = { reference, masterDataIndex };

const fresh: FlightStatusRow = {
  departsOn: localDate('2026-06-01'),
  statusOrder: 7n,
  key: Buffer.alloc(32),
  reference,
  newest: undefined,
  describedAt: undefined,
  observationsJson: '',
  statusJson: '',
  state: '',
  registration: undefined,
  seats: undefined,
  diversions: [],
  latestTimes: { departure: undefined, arrival: undefined },
};

test('a first message creates a status', () => {
  const message = report('10:05 actualOut=10:02 registration=GABCD 1.airport=paris');
  const { row, view } = computeStatus(fresh, [message], context);
  const londonMinute = secondToMinute(toInstant('11:02'));
  expect(view.state).toBe('OutGate');
  expect({
    ...row,
    observationsJson: JSON.parse(row.observationsJson),
    statusJson: JSON.parse(row.statusJson),
  }).toEqual({
    ...fresh,
    newest: { observedAt: toMessageTime('10:05'), id: '10:05' },
    observationsJson: applyObservations([message]),
    statusJson: buildHistory([message], reference, masterDataIndex)[0],
    state: 'OutGate',
    registration: 'GABCD',
    diversions: [locationIds.paris],
    latestTimes: { departure: londonMinute, arrival: undefined },
  });
});

test('stores seats as the API returns them, and removes withdrawn ones', () => {
  const none = { first: undefined, premiumEconomy: undefined, economyPlus: undefined };
  const seats = { ...none, business: 12, economy: 150, total: 162 };
  const withSeats = computeStatus(fresh, [createObservation('10:00', { seats })], context).row;
  expect(JSON.parse(withSeats.seats ?? '')).toEqual({ businessClass: 12, economyClass: 150, totalSeats: 162 });
  expect(computeStatus(withSeats, [createObservation('10:10', { seats: null })], context).row.seats).toBeUndefined();
});

test('lists each diversion airport once, and none of withdrawn landings', () => {
  const diverted = report('11:00 1.airport=paris 1.actualOn=10:50 2.airport=paris 3.');
  const { row } = computeStatus(fresh, [diverted], context);
  expect(row.diversions).toEqual([locationIds.paris]);
  const back = report('11:10 1.airport=null 2.airport=null 3.airport=null');
  expect(computeStatus(row, [back], context).row.diversions).toEqual([]);
});

test('messages are newer than a status by source time, then by id; any is newer than none', () => {
  const { row } = computeStatus(fresh, [createObservation('10:00', {}, { id: 'm' })], context);
  const one = (time: string, id: string) => areNewer(row, [createObservation(time, {}, { id })]);
  expect([one('09:59', 'z'), one('10:00', 'l'), one('10:00', 'm')]).toEqual([false, false, false]);
  expect([one('10:00', 'n'), one('10:01', 'a')]).toEqual([true, true]);
  expect(areNewer(row, [createObservation('09:00', {}), createObservation('11:00', {})])).toBe(false);
  expect(areNewer(fresh, [createObservation('09:00', {})])).toBe(true);
});

test('a status computed from no message is an internal error', () => {
  expect(() => computeStatus(fresh, [], context)).toThrow('a status is counted from at least one message');
});

test('a retimed flight is compared with its new schedule, with all known facts', () => {
  const messages = [report('09:00 actualOff=08:50'), report('10:05 actualOut=10:02 actualOff=null')];
  const { row } = computeStatus(fresh, messages, context);
  const retimed = { ...reference, scheduledOut: (reference.scheduledOut - 30) as UtcMinute };
  const recomputed = recomputeStatus(row, messages, { reference: retimed, masterDataIndex });
  const statusJson = JSON.parse(row.statusJson);
  Object.assign(statusJson.departure.actualTime, { outGateTimeliness: 'Delayed', outGateVariation: '00:32:00' });
  expect({ ...recomputed, statusJson: JSON.parse(recomputed.statusJson) }).toEqual({
    ...row,
    reference: retimed,
    statusJson,
  });
  expect(recomputeStatus(fresh, [], { reference: retimed, masterDataIndex })).toEqual({ ...fresh, reference: retimed });
});

test('the latest status of a flight is the newest of its history, which has one of each message', () => {
  const random = createRandomNumbers(SEED + 1);
  let corrections = 0;
  for (let set = 0; set < 150; set += 1) {
    const messages = [...new Set(createRandomMessages(random, 9))];
    const history = buildHistory(shuffle(messages, random), reference, masterDataIndex);
    const times = messages.toSorted(compareObservations).map(({ observedAt }) => new Date(observedAt).toISOString());
    expect(history.map(({ updatedAt }) => `${updatedAt}Z`).toReversed()).toEqual(times);
    expect(JSON.stringify(history[0])).toBe(computeStatus(fresh, messages, context).row.statusJson);
    expect(history.at(-1)?.correction).toBeUndefined();
    corrections += history.filter(({ correction }) => correction === true).length;
  }
  expect(corrections).toBeGreaterThan(30);
});
