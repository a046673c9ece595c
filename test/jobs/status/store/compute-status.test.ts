import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { localDate, type UtcMinute } from '../../../../src/domain/time/dates.ts';
import { createMasterDataIndex } from '../../../../src/domain/master-data/master-data-index.ts';
import type { FlightState } from '../../../../src/domain/status/flight-view.ts';
import { secondToMinute } from '../../../../src/domain/status/instants.ts';
import {
  applyObservations,
  compareObservations,
  type Observation,
} from '../../../../src/domain/status/observed-flight.ts';
import { buildHistory } from '../../../../src/products/flight-info/v2/row-statuses.ts';
import type { FlightStatusRow, ScheduleReference } from '../../../../src/store/status/flight-statuses.ts';
import { areNewer, computeStatus, recomputeStatus } from '../../../../src/jobs/status/store/compute-status.ts';
import { createLandingObservation, createObservation, locationIds } from '../../../domain/status/observations.ts';
import { toInstant, toMessageTime } from '../../../domain/status/observations.ts';
import {
  createRandomMessages,
  createRandomNumbers,
  shuffle,
  type Random,
} from '../../../domain/status/random-messages.ts';

const SEED = 20_260_602;
/** Sets of messages, each in 100 orders and batches; 400 in a long run. */
const SETS = Number(process.env['STATUS_ORDER_SETS'] ?? 60);

const unknown = { icao: '', faa: '', countryCode: '', latitude: undefined, longitude: undefined };
const location = (id: number, iata: string, zone: string) => ({
  ...unknown,
  id,
  iata,
  name: iata,
  cityCode: iata,
  zone,
});

const masterDataIndex = createMasterDataIndex({
  locations: [
    location(locationIds.london, 'LHR', 'Europe/London'),
    location(locationIds.newYork, 'JFK', 'America/New_York'),
    location(locationIds.paris, 'CDG', 'Europe/Paris'),
    location(locationIds.lyon, 'LYS', 'Europe/Paris'),
  ],
  carriers: [],
  equipment: [],
  inUse: { carriers: new Set(), locations: new Set() },
});

const reference: ScheduleReference = {
  departure: locationIds.london,
  arrival: locationIds.newYork,
  scheduledOut: secondToMinute(toInstant('10:00')),
  scheduledIn: secondToMinute(toInstant('18:00')),
  departureOffset: 60,
  arrivalOffset: -240,
  isRecovery: false,
};

const context = { reference, masterDataIndex };

/** The status of a flight after its first message. */
const fresh: FlightStatusRow = {
  departsOn: localDate('2026-06-01'),
  statusOrder: 7n,
  key: Buffer.alloc(32),
  reference: reference,
  newest: undefined,
  describedAt: undefined,
  observationsJson: '',
  statusJson: '',
  state: '',
  registration: undefined,
  seats: undefined,
  diversions: [],
};

type FeedState = { readonly status: FlightStatusRow; readonly messages: readonly Observation[] };

/** Applies a batch like the feed: skips duplicates, and recomputes the flight for a late message. */
const apply = ({ status, messages }: FeedState, batch: readonly Observation[]): FeedState => {
  const added = [...new Map(batch.map((message) => [message.id, message])).values()].filter(({ id }) =>
    messages.every((message) => message.id !== id),
  );
  if (added.length === 0) return { status, messages };
  const all = [...messages, ...added];
  const areAllNewer = added.every((message) => areNewer(status, [message]));
  return { status: computeStatus(status, areAllNewer ? added : all, context).row, messages: all };
};

const inBatches = (messages: readonly Observation[], random: Random): FeedState => {
  let state: FeedState = { status: fresh, messages: [] };
  for (let remaining = messages; remaining.length > 0;) {
    const size = 1 + random(3);
    state = apply(state, remaining.slice(0, size));
    remaining = remaining.slice(size);
  }
  return state;
};

test('a first message creates a status', () => {
  const message = createObservation(
    '10:05',
    { actualOut: toInstant('10:02'), registration: 'GABCD' },
    { landings: [{ id: '1', airport: locationIds.paris }] },
  );
  const { row, view } = computeStatus(fresh, [message], context);
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
  const diverted = createLandingObservation(
    '11:00',
    { id: '1', airport: locationIds.paris, actualOn: toInstant('10:50') },
    { id: '2', airport: locationIds.paris },
    { id: '3' },
  );
  const { row } = computeStatus(fresh, [diverted], context);
  expect(row.diversions).toEqual([locationIds.paris]);
  const back = createLandingObservation('11:10', ...['1', '2', '3'].map((id) => ({ id, airport: null })));
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

test('marks a step back in the latest status whether messages arrive one by one, together or late', () => {
  const messages = [
    createObservation('10:00', { actualOff: toInstant('09:58') }),
    createObservation('10:10', { departureGate: 'A1' }),
    createObservation('10:20', { actualOff: null }),
  ];
  const random = createRandomNumbers(SEED);
  const correctionOf = (order: readonly Observation[]): unknown =>
    JSON.parse(inBatches(order, random).status.statusJson).correction;
  const [off, gate, taken] = messages;
  if (!off || !gate || !taken) throw new Error('three messages');
  const orders = [messages, [taken, gate, off], [off, taken, gate]];
  expect(orders.map(correctionOf)).toEqual([true, true, true]);
  expect(JSON.parse(computeStatus(fresh, messages, context).row.statusJson).correction).toBe(true);
});

test('a status computed from no message is an internal error', () => {
  expect(() => computeStatus(fresh, [], context)).toThrow('a status is counted from at least one message');
});

test('a retimed flight is compared with its new schedule, with all known facts', () => {
  const messages = [
    createObservation('09:00', { actualOff: toInstant('08:50') }),
    createObservation('10:05', { actualOut: toInstant('10:02'), actualOff: null }),
  ];
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

test(`the whole row is the same for ${SETS * 100} orders and batches of messages`, () => {
  const random = createRandomNumbers(SEED);
  const different: unknown[] = [];
  for (let set = 0; set < SETS; set += 1) {
    const messages = createRandomMessages(random, 3 + random(6));
    const expected = computeStatus(fresh, [...new Set(messages)], context).row;
    for (let order = 0; order < 100; order += 1) {
      const { status } = inBatches(shuffle(messages, random), random);
      if (!isDeepStrictEqual(status, expected)) different.push({ set, order, status, expected });
    }
  }
  expect(different).toEqual([]);
});

/** Steps that are corrections on any leg: a landing elsewhere does not explain them. */
const never: readonly (readonly [FlightState, FlightState])[] = [
  ['Scheduled', 'Proposed'],
  ['OutGate', 'Proposed'],
  ['Canceled', 'Proposed'],
  ['inAir', 'Scheduled'],
  ['inAir', 'Canceled'],
  ['Landed', 'Scheduled'],
  ['Landed', 'Canceled'],
  ['InGate', 'Scheduled'],
  ['InGate', 'Canceled'],
];

test('the latest status of a flight is the newest of its history, with every step back marked', () => {
  const random = createRandomNumbers(SEED + 1);
  let steps = 0;
  for (let set = 0; set < 150; set += 1) {
    const messages = [...new Set(createRandomMessages(random, 9))];
    const history = buildHistory(shuffle(messages, random), reference, masterDataIndex);
    const times = messages.toSorted(compareObservations).map(({ observedAt }) => new Date(observedAt).toISOString());
    expect(history.map(({ updatedAt }) => `${updatedAt}Z`).toReversed()).toEqual(times);
    expect(JSON.stringify(history[0])).toBe(computeStatus(fresh, messages, context).row.statusJson);
    const stepsBack = history.filter(({ state }, index) => {
      const before = history[index + 1];
      return before !== undefined && never.some(([from, to]) => before.state === from && state === to);
    });
    expect(stepsBack.every(({ correction }) => correction === true)).toBe(true);
    expect(history.at(-1)?.correction).toBeUndefined();
    steps += stepsBack.length;
  }
  expect(steps).toBeGreaterThan(30);
});
