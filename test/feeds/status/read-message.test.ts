import { expect, test } from 'vitest';
import { parseInstant, truncateToSecond } from '#domain/status/instants.ts';
import type { FlightReference } from '#domain/status/message.ts';
import { localDate } from '#domain/time/dates.ts';
import { parseStatusMessage } from '#feeds/status/read-message.ts';

const at = (time: string) => {
  const instant = parseInstant(`2027-03-01T${time}:00Z`);
  if (instant === undefined) throw new RangeError(time);
  return truncateToSecond(instant);
};
const allAt = (times: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, at(time)]));
const utc = (time: string): string => `2027-03-01T${time}:00Z`;

const frame = {
  messageId: 'm-1',
  observedAt: '2027-03-01T12:00:00.250+01:00',
  flight: { carrier: 'ZZ', flightNumber: 117, originDate: '2027-03-01', departureAirport: 'LHR' },
};
const read = (members: object = {}) => {
  const result = parseStatusMessage(JSON.stringify({ ...frame, ...members }));
  if ('rejection' in result) return result;
  const { value: _value, ...accepted } = result;
  return accepted;
};

const landingsOf = (diversions: readonly object[]) => {
  const result = read({ diversions });
  return 'message' in result ? result.message.landings : result.rejection.message;
};

const factsOf = (members: object) => {
  const result = read(members);
  if ('rejection' in result) throw new Error(result.rejection.message);
  return { ...result.message.facts, fieldErrors: result.fieldErrors };
};

const flight: FlightReference = {
  by: 'designator',
  carrier: 'ZZ',
  flightNumber: 117,
  suffix: '',
  originDate: localDate('2027-03-01'),
  departureAirport: 'LHR',
  arrivalAirport: undefined,
};

const observedAt = Date.UTC(2027, 2, 1, 11, 0, 0, 250);
const signOfLife = { id: 'm-1', source: 'feed', observedAt, flight, facts: {}, landings: [], plan: undefined };
const from = { ...frame.flight, departureAirport: 'egll' };
const estimated = { out: utc('10:00'), off: '2027-03-01T11:15:30.900+01:00' };
const out = { estimated, actual: { out: utc('10:01'), off: utc('10:16') } };
const on = { estimated: { on: utc('17:00'), in: utc('17:10') }, actual: { on: utc('17:01'), in: utc('17:11') } };
const classes = { firstClass: 8, businessClass: 48, premiumEconomyClass: 0, economyPlusClass: 12 };
const message = {
  source: 'ops',
  flight: { ...from, carrier: 'zz', suffix: 'a', originDate: '2027-02-28', arrivalAirport: 'jfk' },
  departure: {
    ...out,
    terminal: '5',
    gate: '',
    stand: '332',
    checkInCounter: '110-118',
    checkIn: { status: 'Closed', at: utc('09:15') },
    boarding: { status: 'GateClosed', at: utc('09:45') },
  },
  arrival: { ...on, terminal: 'NORTH WING', gate: '7', stand: 'R7', baggage: '4' },
  aircraft: { registration: 'g-zzab', type: { iata: '73h', icao: 'b738' } },
  seats: { ...classes, economyClass: 200, totalSeats: 268 },
  cancelled: false,
  proposed: false,
};

test('parses a message with every member into every fact', () => {
  const departure = {
    departureTerminal: '5',
    departureGate: '',
    departureStand: '332',
    checkInCounter: '110-118',
    checkIn: { status: 'Closed', at: at('09:15') },
    boarding: { status: 'GateClosed', at: at('09:45') },
  };
  const arrival = { arrivalTerminal: 'NORTH WING', arrivalGate: '7', arrivalStand: 'R7', baggage: '4' };
  const estimates = allAt({ estimatedOut: '10:00', estimatedOn: '17:00', estimatedIn: '17:10' });
  const airports = { departureAirport: 'EGLL', arrivalAirport: 'JFK' };
  const seats = { first: 8, business: 48, premiumEconomy: 0, economyPlus: 12, economy: 200, total: 268 };
  expect(read(message)).toStrictEqual({
    message: {
      id: 'm-1',
      source: 'ops',
      observedAt,
      flight: { ...flight, ...airports, suffix: 'A', originDate: localDate('2027-02-28') },
      facts: {
        ...estimates,
        estimatedOff: at('10:15') + 30,
        ...allAt({ actualOut: '10:01', actualOff: '10:16', actualOn: '17:01', actualIn: '17:11' }),
        ...departure,
        ...arrival,
        registration: 'GZZAB',
        aircraftType: { iata: '73H', icao: 'B738' },
        seats,
        cancelled: false,
        proposed: false,
      },
      landings: [],
      plan: undefined,
    },
    fieldErrors: [],
  });
});

test('parses a message with every member into every fact of a diversion', () => {
  const onward = {
    estimated: { out: utc('14:00'), off: utc('14:10') },
    actual: { out: utc('14:01'), off: utc('14:11') },
  };
  const landing = {
    estimated: { on: utc('13:00'), in: utc('13:10') },
    actual: { on: utc('13:01'), in: utc('13:11') },
  };
  const stop = { id: '2', airport: 'BOS', type: 'TechnicalStop', continues: true };
  const named = { number: 2, airport: 'bos', type: 'TechnicalStop', continues: true };
  expect(landingsOf([{ ...named, ...landing, onward }, { airport: 'kbdl' }])).toStrictEqual([
    {
      ...stop,
      ...allAt({ estimatedOn: '13:00', estimatedIn: '13:10', actualOn: '13:01', actualIn: '13:11' }),
      ...allAt({ estimatedOut: '14:00', estimatedOff: '14:10', actualOut: '14:01', actualOff: '14:11' }),
    },
    { id: 'KBDL', airport: 'KBDL' },
  ]);
});

test('parses a message with every member into a plan', () => {
  const [departs, arrives] = [utc('09:55'), utc('17:05')];
  const route = { departs: { airport: 'egll', at: departs }, arrives: { airport: 'kjfk', at: arrives } };
  const recovers = { statusKey: 'AB'.repeat(32), departureDate: '2027-02-28' };
  const plan = { flightType: 'GA', ...route, serviceType: 'd', aircraftType: { icao: 'c56x' }, recovers };
  const airports = { departureAirport: 'EGLL', arrivalAirport: 'KJFK' };
  const expected = {
    flightType: 'GA',
    ...airports,
    ...allAt({ departsAt: '09:55', arrivesAt: '17:05' }),
    serviceType: 'D',
    aircraftType: { iata: '', icao: 'C56X' },
    recovers: { by: 'statusKey', key: 'ab'.repeat(32), departureDate: localDate('2027-02-28') },
  };
  expect(read({ plan })).toStrictEqual({ message: { ...signOfLife, plan: expected }, fieldErrors: [] });
});

test('a message without a fact is a sign of life, and empty objects have no facts', () => {
  expect(read()).toStrictEqual({ message: signOfLife, fieldErrors: [] });
  const times = { estimated: {}, actual: {} };
  const others = { aircraft: { type: {} }, seats: {}, diversions: [] };
  expect(read({ departure: times, arrival: times, ...others })).toStrictEqual(read());
});

/** Replaces each value in an object by null; seats, aircraft type, check-in and boarding are one fact each. */
const withdraw = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'object' && !['seats', 'type', 'checkIn', 'boarding'].includes(name) ? withdraw(inner) : null,
    ]),
  );

test('null withdraws any fact', () => {
  const { source: _source, flight: _flight, ...facts } = message;
  const names = Object.keys(factsOf(facts)).filter((name) => name !== 'fieldErrors');
  expect(names).toHaveLength(23);
  const withdrawn = Object.fromEntries(names.map((name) => [name, null]));
  expect(factsOf(withdraw(facts))).toStrictEqual({ ...withdrawn, fieldErrors: [] });
});

test('null withdraws a diversion, and its facts', () => {
  expect(landingsOf([{ number: 1, airport: null }])).toStrictEqual([{ id: '1', airport: null }]);
  expect(landingsOf([{ airport: 'bos', type: null, actual: { on: null }, continues: null }])).toStrictEqual([
    { id: 'BOS', airport: 'BOS', type: null, actualOn: null, continues: null },
  ]);
});

test('seats that are not listed are unknown', () => {
  const classes = ['first', 'business', 'premiumEconomy', 'economyPlus', 'economy'];
  const unlisted = Object.fromEntries(classes.map((name) => [name, undefined]));
  expect(factsOf({ seats: { totalSeats: 180 } }).seats).toStrictEqual({ ...unlisted, total: 180 });
});

test.each(['statusKey', 'scheduleInstanceKey'])('a flight may be identified by its %s', (by) => {
  expect(read({ flight: { [by]: 'F0'.repeat(32), departureDate: '2027-03-01' } })).toMatchObject({
    message: { flight: { by, key: 'f0'.repeat(32), departureDate: localDate('2027-03-01') } },
  });
});

const withdrawn = { actualOut: null, actualOff: null };

test('a flight may be identified by its scheduled times, which are read to the minute', () => {
  const designator = { carrier: 'zz', flightNumber: 117 };
  const departure = { scheduledDeparture: '2027-03-01T11:07:59+01:00', departureAirport: 'lhr' };
  const arrival = { scheduledArrival: utc('18:00'), arrivalAirport: 'jfk' };
  const minute = (time: string) => at(time) / 60;
  const expected = { ...flight, originDate: undefined };
  const flightOf = (members: object) => {
    const result = read({ flight: { ...designator, ...members } });
    return 'message' in result ? result.message.flight : result.rejection;
  };
  expect(flightOf(departure)).toStrictEqual({ ...expected, scheduledOut: minute('10:07') });
  expect(flightOf({ ...arrival, originDate: '2027-03-01' })).toStrictEqual({
    ...flight,
    departureAirport: '',
    arrivalAirport: 'JFK',
    scheduledIn: minute('18:00'),
  });
  expect(flightOf({ ...departure, ...arrival, suffix: 'a' })).toStrictEqual({
    ...expected,
    suffix: 'A',
    arrivalAirport: 'JFK',
    scheduledOut: minute('10:07'),
    scheduledIn: minute('18:00'),
  });
});

test('a return to the gate withdraws the actual departure times, and keeps the estimated ones', () => {
  const facts = factsOf({ returnedToGate: true, departure: { estimated: { out: utc('12:30') } } });
  expect(facts).toStrictEqual({ estimatedOut: at('12:30'), ...withdrawn, fieldErrors: [] });
});

test('a return to the gate withdraws an actual departure time in the same message', () => {
  const message =
    'departure.actual.out must not be combined with returnedToGate, which deletes it: 2027-03-01T10:00:00Z.';
  expect(factsOf({ returnedToGate: true, departure: { actual: { out: utc('10:00'), off: null } } })).toStrictEqual({
    ...withdrawn,
    fieldErrors: [{ reason: 'contradiction', field: 'departure.actual.out', value: utc('10:00'), message }],
  });
});

const flown = (texts: readonly (string | null | undefined)[]) => {
  const [out, off, on, inGate] = texts.map((text) => (typeof text === 'string' ? utc(text) : text));
  const members = { departure: { actual: { out, off } }, arrival: { actual: { on, in: inGate } } };
  const { fieldErrors, ...facts } = factsOf(members);
  return { kept: Object.keys(facts), ignored: fieldErrors.map(({ field }) => field) };
};

test('a time out of order is ignored and reported, with the times it contradicts', () => {
  const message = 'departure.estimated.off is out of order with departure.estimated.out: 2027-03-01T09:59:00Z.';
  expect(factsOf({ departure: { estimated: { out: utc('10:00'), off: utc('09:59') } } })).toStrictEqual({
    estimatedOut: at('10:00'),
    fieldErrors: [{ reason: 'out-of-order', field: 'departure.estimated.off', value: utc('09:59'), message }],
  });
});

const names = ['departure.actual.out', 'departure.actual.off', 'arrival.actual.on', 'arrival.actual.in'];
test.each<readonly [string, readonly (string | null | undefined)[], readonly number[]]>([
  ['if it is the later stage of two that contradict each other', ['10:00', undefined, undefined, '09:00'], [3]],
  ['if it contradicts several', ['23:00', '10:00', '11:00', '11:10'], [0]],
  ['as many as necessary', ['13:00', '12:00', '11:00', '10:00'], [1, 2, 3]],
  ['but not an equal one', ['10:00', '10:00', '10:00', '10:00'], []],
  ['but not a deleted one', ['10:00', null, '11:00', null], []],
])('a time out of order is ignored %s', (_, times, ignored) => {
  const facts = ['actualOut', 'actualOff', 'actualOn', 'actualIn'];
  expect(flown(times)).toEqual({
    kept: facts.filter((name, index) => times[index] !== undefined && !ignored.includes(index)),
    ignored: names.filter((name, index) => ignored.includes(index)),
  });
});

test('an actual time is not ignored because of an estimated one', () => {
  const departure = { estimated: { out: utc('11:00') }, actual: { off: utc('10:00') } };
  expect(factsOf({ departure }).fieldErrors).toEqual([]);
});

test('a time out of order is ignored in a diversion too', () => {
  const actual = { on: utc('13:00'), in: utc('13:10') };
  const onward = { actual: { out: utc('13:05'), off: utc('14:00') } };
  const landing = { id: '2', ...allAt({ actualOn: '13:00', actualIn: '13:10', actualOff: '14:00' }) };
  expect(read({ diversions: [{ number: 1 }, { number: 2, actual, onward }] })).toMatchObject({
    message: { landings: [{ id: '1' }, landing] },
    fieldErrors: [{ reason: 'out-of-order', field: 'diversions.1.onward.actual.out', value: utc('13:05') }],
  });
});

test('a time out of order is ignored in a plan too', () => {
  const [departs, arrives] = [utc('13:00'), utc('12:00')];
  const route = { departs: { airport: 'BOS', at: departs }, arrives: { airport: 'JFK', at: arrives } };
  const plan = { departureAirport: 'BOS', arrivalAirport: 'JFK', departsAt: at('13:00'), arrivesAt: undefined };
  const message = 'plan.arrives.at is before plan.departs.at, which is 2027-03-01T13:00:00Z: 2027-03-01T12:00:00Z.';
  expect(read({ plan: { flightType: 'Unscheduled', ...route } })).toMatchObject({
    message: { plan },
    fieldErrors: [{ reason: 'out-of-order', field: 'plan.arrives.at', value: utc('12:00'), message }],
  });
});

test('bytes and text of the same line have the same result', () => {
  const line = JSON.stringify({ ...frame, arrival: { terminal: 'Süd 東' } });
  expect(parseStatusMessage(Buffer.from(line))).toStrictEqual(parseStatusMessage(line));
  expect(factsOf({ arrival: { terminal: 'Süd 東' } })).toStrictEqual({ arrivalTerminal: 'Süd 東', fieldErrors: [] });
});
