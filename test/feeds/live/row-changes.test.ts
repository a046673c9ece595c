import { expect, test } from 'vitest';
import { readAvinor } from '#feeds/live/avinor.ts';
import { readHkia } from '#feeds/live/hkia.ts';
import { listRowChanges, type LastRow, type RowChanges } from '#feeds/live/row-changes.ts';
import type { LiveAnswer } from '#feeds/live/live-row.ts';
import {
  avinorArrival,
  avinorDeparture,
  avinorRequest,
  hkiaDeparture,
  hkiaRequest,
  writeAvinor,
  writeHkia,
  type AvinorRow,
} from './live-inputs.ts';

const stations: Readonly<Record<string, { zone: string; latitude: number; longitude: number }>> = {
  HKG: { zone: 'Asia/Hong_Kong', latitude: 22.3, longitude: 113.9 },
  TPE: { zone: 'Asia/Taipei', latitude: 25.1, longitude: 121.2 },
  LAX: { zone: 'America/Los_Angeles', latitude: 33.9, longitude: -118.4 },
  OSL: { zone: 'Europe/Oslo', latitude: 60.2, longitude: 11.1 },
  BKK: { zone: 'Asia/Bangkok', latitude: 13.7, longitude: 100.7 },
  VAW: { zone: 'Europe/Oslo', latitude: 70.4, longitude: 31 },
  BJF: { zone: 'Europe/Oslo', latitude: 70.6, longitude: 29.7 },
  BVG: { zone: 'Europe/Oslo', latitude: 70.9, longitude: 29 },
};

/** A feed that is read again and again; its last rows are kept. */
const follow = (source: string, zone: string) => {
  const last = new Map<string, LastRow>();
  return (answer: LiveAnswer, isFull = true): RowChanges => {
    const changes = listRowChanges(answer, {
      source,
      zone,
      last,
      isComplete: () => isFull,
      findStation: (code) => stations[code],
    });
    for (const { key, row, replaces } of changes.messages) {
      if (replaces !== undefined) last.delete(replaces);
      last.set(key, row);
    }
    return changes;
  };
};

const readBvg = (rows: readonly AvinorRow[], lastUpdate?: string) =>
  readAvinor(writeAvinor('BVG', rows, lastUpdate === undefined ? {} : { lastUpdate }), avinorRequest('BVG'));

const readHkg = (rows: readonly object[], arrival = false) =>
  readHkia(
    writeHkia({ '2026-08-16': rows.map((row) => ({ ...row })) }, { arrival }),
    hkiaRequest('2026-08-16', { arrival }),
  );

/** The facts of messages, without flight and plan. */
const listFacts = ({ messages }: RowChanges) =>
  messages.map(
    ({ message: { messageId: _, observedAt: _at, source: _source, flight: _flight, plan: _plan, ...facts } }) => facts,
  );

test('a new row is a message with the flight, its plan and its facts', async () => {
  const { messages, taken, unchanged, rejected } = follow(
    'avinor',
    'Europe/Oslo',
  )(
    await readBvg([
      {
        ...avinorDeparture,
        status: 'code="E" time="2026-10-07T12:05:00Z"',
        codeshareAirlineDesignators: 'SK',
        codeshareFlightNumbers: '4955',
        codeshareOperationalSuffixs: '',
      },
    ]),
  );
  expect({ taken, unchanged, rejected }).toEqual({ taken: 1, unchanged: 0, rejected: [] });
  expect(messages.map(({ message }) => message)).toEqual([
    {
      messageId: expect.stringMatching(/^avinor:BVG D WF955 VDS 2026-10-07T12:05:00Z:[0-9a-f]{24}$/),
      observedAt: '2026-10-07T12:00:00.123Z',
      source: 'avinor',
      flight: {
        carrier: 'WF',
        flightNumber: 955,
        originDate: '2026-10-07',
        departureAirport: 'BVG',
        arrivalAirport: 'VDS',
        scheduledDeparture: '2026-10-07T12:05:00Z',
      },
      departure: { estimated: { out: '2026-10-07T12:05:00Z' } },
      plan: {
        flightType: 'Scheduled',
        departs: { airport: 'BVG', at: '2026-10-07T12:05:00Z' },
        arrives: { airport: 'VDS' },
        codeshares: [{ carrier: 'SK', flightNumber: 4955 }],
      },
    },
  ]);
});

test('only differences become messages, and a value that returns counts again', async () => {
  const next = follow('avinor', 'Europe/Oslo');
  const ids: unknown[] = [];
  const facts = [];
  for (const [index, gate] of ['F1', 'F1', 'F2', 'F1'].entries()) {
    const changes = next(await readBvg([{ ...avinorDeparture, gate }], `2026-10-07T12:0${index}:00Z`));
    ids.push(...changes.messages.map(({ message }) => message['messageId']));
    facts.push(listFacts(changes));
  }
  const gate = (name: string) => [{ departure: { gate: name } }];
  expect(facts).toEqual([gate('F1'), [], gate('F2'), gate('F1')]);
  expect(new Set(ids).size).toBe(3);
});

test('a blank gate, an absent estimate and an absent row withdraw nothing', async () => {
  const next = follow('avinor', 'Europe/Oslo');
  next(
    await readBvg([{ ...avinorDeparture, gate: 'F1', status: 'code="E" time="2026-10-07T12:25:00Z"' }, avinorArrival]),
  );
  expect(next(await readBvg([{ ...avinorDeparture, gate: '' }]))).toMatchObject({
    messages: [],
    taken: 0,
    unchanged: 1,
  });
  expect(next(await readBvg([]))).toMatchObject({ messages: [] });
});

test('a flight without news is confirmed every hour from 6 hours before it leaves until it has left', async () => {
  const next = follow('avinor', 'Europe/Oslo');
  const row = { ...avinorDeparture, schedule_time: '2026-10-07T18:30:00Z' };
  const left = { ...row, status: 'code="D" time="2026-10-07T18:33:00Z"' };
  const read = async (time: string, state: AvinorRow) => {
    const { messages, taken, unchanged } = next(await readBvg([state], `2026-10-07T${time}:00Z`));
    return { taken, unchanged, messages: messages.map(({ isConfirmation }) => isConfirmation) };
  };
  const [same, confirmed] = [
    { taken: 0, unchanged: 1, messages: [] },
    { taken: 0, unchanged: 1, messages: [true] },
  ];
  expect(await read('10:00', row)).toEqual({ taken: 1, unchanged: 0, messages: [false] });
  expect(await read('12:00', row)).toEqual(same);
  expect(await read('12:30', row)).toEqual(confirmed);
  expect(await read('13:29', row)).toEqual(same);
  expect(await read('13:30', row)).toEqual(confirmed);
  expect(await read('18:34', left)).toEqual({ taken: 1, unchanged: 0, messages: [false] });
  expect(await read('19:40', left)).toEqual(same);
});

test('a confirmation names the flight and states no fact', async () => {
  const next = follow('avinor', 'Europe/Oslo');
  next(await readBvg([{ ...avinorDeparture, gate: 'F1' }], '2026-10-07T10:00:00Z'));
  const { messages } = next(await readBvg([{ ...avinorDeparture, gate: 'F1' }], '2026-10-07T11:00:00Z'));
  expect(messages.map(({ message }) => message)).toEqual([
    {
      messageId: expect.stringMatching(/^avinor:BVG D WF955 VDS 2026-10-07T12:05:00Z:[0-9a-f]{24}$/),
      observedAt: '2026-10-07T11:00:00.000Z',
      source: 'avinor',
      flight: {
        carrier: 'WF',
        flightNumber: 955,
        originDate: '2026-10-07',
        departureAirport: 'BVG',
        arrivalAirport: 'VDS',
        scheduledDeparture: '2026-10-07T12:05:00Z',
      },
    },
  ]);
});

test('a cancelled flight with another code is reinstated; without a code it stays cancelled', async () => {
  const next = follow('avinor', 'Europe/Oslo');
  const statuses = [
    'code="C"',
    'code="N"',
    'code="E" time="2026-10-07T12:25:00Z"',
    'code="E" time="2026-10-07T12:25:00Z"',
  ];
  const facts = [];
  for (const status of statuses) facts.push(listFacts(next(await readBvg([{ ...avinorDeparture, status }]))));
  expect(facts).toEqual([
    [{ cancelled: true }],
    [],
    [{ departure: { estimated: { out: '2026-10-07T12:25:00Z' } }, cancelled: false }],
    [],
  ]);
});

test('boarding has the time at which it was first seen', async () => {
  const next = follow('hkia', 'Asia/Hong_Kong');
  next(await readHkg([hkiaDeparture]));
  const row = { ...hkiaDeparture, status: 'Boarding' };
  expect(listFacts(next(await readHkg([row])))).toEqual([
    { departure: { boarding: { status: 'Boarding', at: '2026-08-16T01:00:00.000Z' } } },
  ]);
  expect(listFacts(next(await readHkg([row])))).toEqual([]);
});

test('two rows for one leg that disagree: what they agree on is taken, one is rejected with the names of the facts', async () => {
  const changes = follow(
    'avinor',
    'Europe/Oslo',
  )(
    await readBvg([
      { ...avinorDeparture, gate: 'F1', check_in: '4' },
      { ...avinorDeparture, gate: 'F2', check_in: '4' },
      { ...avinorDeparture, check_in: '4' },
    ]),
  );
  expect(listFacts(changes)).toEqual([{ departure: { checkInCounter: '4' } }]);
  expect(changes).toMatchObject({
    taken: 1,
    unchanged: 1,
    rejected: [{ reason: 'contradicts-another-row', value: 'BVG D WF955 VDS 2026-10-07T12:05:00Z: gate' }],
  });
});

test('a number twice a day is two flights; a flight that moved to another time keeps its identity', async () => {
  const next = follow('hkia', 'Asia/Hong_Kong');
  const [early, late] = ['03:05', '21:35'].map((time) => ({ ...hkiaDeparture, time }));
  const listTimes = ({ messages }: RowChanges) =>
    messages.map(({ message: { flight, departure } }) => ({ flight, departure }));
  expect(next(await readHkg([early, late].map((row) => ({ ...row }))))).toMatchObject({ taken: 2 });
  const moved = listTimes(next(await readHkg([{ ...early }, { ...late, time: '22:10' }])));
  expect(moved).toMatchObject([
    {
      flight: { scheduledDeparture: '2026-08-16T13:35:00Z' },
      departure: { estimated: { out: '2026-08-16T14:10:00Z' } },
    },
  ]);
  const departed = listTimes(next(await readHkg([{ ...early }, { ...late, time: '22:10', status: 'Dep 22:15' }])));
  expect(departed).toMatchObject([
    { flight: { scheduledDeparture: '2026-08-16T13:35:00Z' }, departure: { actual: { out: '2026-08-16T14:15:00Z' } } },
  ]);
});

test('two flights of a number that both move are two flights', async () => {
  const next = follow('hkia', 'Asia/Hong_Kong');
  const rows = (...times: readonly string[]) => times.map((time) => ({ ...hkiaDeparture, time }));
  next(await readHkg(rows('03:05', '21:35')));
  const { messages } = next(await readHkg(rows('04:00', '22:10')));
  expect(messages.map(({ message: { flight, departure } }) => ({ flight, departure }))).toMatchObject([
    {
      flight: { scheduledDeparture: '2026-08-15T19:05:00Z' },
      departure: { estimated: { out: '2026-08-15T20:00:00Z' } },
    },
    {
      flight: { scheduledDeparture: '2026-08-16T13:35:00Z' },
      departure: { estimated: { out: '2026-08-16T14:10:00Z' } },
    },
  ]);
});

const getOriginDate = ({ messages }: RowChanges): unknown => {
  const flight = messages.at(-1)?.message['flight'];
  return typeof flight === 'object' && flight !== null && 'originDate' in flight ? flight.originDate : undefined;
};

test('a departure of a number that has just arrived has no origin date', async () => {
  const night = { ...avinorDeparture, schedule_time: '2026-10-07T22:10:00Z' };
  const arrival = { ...avinorArrival, schedule_time: '2026-10-07T21:55:00Z' };
  const first = await readBvg([night]);
  expect(getOriginDate(follow('avinor', 'Europe/Oslo')(first))).toBe('2026-10-08');
  expect(getOriginDate(follow('avinor', 'Europe/Oslo')(await readBvg([arrival, night])))).toBe(undefined);
});

test('an arrival has the origin date that distance and ID leave, if it is only one', async () => {
  const arrival = (time: string, from: string) => ({ ...hkiaDeparture, destination: undefined, time, origin: [from] });
  const find = async (time: string, from: string) =>
    getOriginDate(follow('hkia', 'Asia/Hong_Kong')(await readHkg([arrival(time, from)], true)));
  expect(await find('12:00', 'TPE')).toBe('2026-08-16');
  expect(await find('01:30', 'TPE')).toBe(undefined);
  expect(await find('19:00', 'LAX')).toBe('2026-08-15');
  expect(await find('05:00', 'XXX')).toBe(undefined);
  // TG954 can leave Bangkok before or after midnight.
  const foreign = {
    airline: 'TG',
    flight_id: 'TG954',
    dom_int: 'I',
    schedule_time: '2026-10-07T05:25:00Z',
    arr_dep: 'A',
    airport: 'BKK',
  };
  const answer = await readAvinor(writeAvinor('OSL', [foreign]), avinorRequest('OSL'));
  expect(answer.remarks).toEqual([{ reason: 'unverified-id', value: 'arrival' }]);
  expect(getOriginDate(follow('avinor', 'Europe/Oslo')(answer))).toBe(undefined);
});
