import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, localDate, type LocalDate } from '../../../../src/domain/time/dates.ts';
import { formatInstant, truncateToSecond } from '../../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../../src/domain/status/message.ts';
import { type DemoFlight, linkLegs, toFlightKey } from '../../../../src/jobs/demo/activity/demo-flight.ts';
import { computeOutcome, type FlightOutcome } from '../../../../src/jobs/demo/activity/flight-outcome.ts';
import { buildFlightMessages } from '../../../../src/jobs/demo/activity/flight-messages.ts';
import { listDemoFlights } from '../../../../src/jobs/demo/activity/list-demo-flights.ts';
import { mergeFacts, createFlight, mergeLandings } from './sample-flights.ts';

const day = localDate('2026-11-21');
const hours = (number: number): number => number * 3_600_000;
const departureOf = ({ departsAt }: DemoFlight): number => departsAt * 1000;

/** Days of flights with linked legs; 40 in a long run. */
const LEG_DAYS = Number(process.env['DEMO_FLIGHT_DAYS'] ?? 10);

/** A day of flights of the demo world with linked legs, and their messages. */
const linkedFlights = linkLegs(listDemoFlights(day, 2)).flights;
const messagesOfFlights = linkedFlights.map((flight) => buildFlightMessages(flight));
const flown: FlightOutcome = { kind: 'flown' };
const diverted: FlightOutcome = { kind: 'diverted', airport: 'BOS', type: 'Unplanned', continues: false };
const outcomes: readonly FlightOutcome[] = [
  flown,
  diverted,
  { ...diverted, continues: true },
  { kind: 'diverted', airport: 'LHR', type: 'InAirReturn', continues: true },
  { kind: 'returned' },
  { kind: 'cancelled', minutesBefore: 300 },
  { kind: 'reinstated', minutesBefore: 300, againMinutesBefore: 255 },
];

const instantNames = /^(actual|estimated)(Out|Off|On|In)$/;

/** Returns the errors of a message that the store would reject. */
const listErrors = ({ id, source, observedAt, facts, landings }: StatusMessage): readonly string[] => {
  const instants = [facts, ...landings].flatMap((each) =>
    Object.entries(each).filter(([name]) => instantNames.test(name)),
  );
  const texts = Object.values(facts).filter((value) => typeof value === 'string');
  return [
    ...(id.length < 1 || id.length > 200 ? [`id ${id}`] : []),
    ...(source !== 'demo' ? [`source ${source}`] : []),
    ...(!Number.isInteger(observedAt) ? [`observed at ${observedAt}`] : []),
    ...instants
      .filter(([, at]) => at !== null && at !== undefined && (typeof at !== 'number' || at % 60 !== 0))
      .map(([name, at]) => `${name} ${JSON.stringify(at)}`),
    ...texts.filter((text) => !/^[A-Z0-9]+(-[A-Z0-9]+)?$/.test(text)),
    ...(Object.keys(facts).length === 0 && landings.length === 0 ? [`${id} says nothing`] : []),
  ];
};

test('a train has seven messages, without runways, gates and registration', () => {
  const messages = buildFlightMessages(
    createFlight(day, { aircraftType: { iata: 'TRN', icao: '' }, serviceType: 'U', departureTerminal: '' }),
    flown,
  );
  const described = messages.map(({ observedAt, facts }) => {
    const values = Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) =>
        `${name} ${typeof value === 'number' ? formatInstant(value, 0).slice(8, 16) : ''}`.trim(),
      );
    return `${formatInstant(truncateToSecond(observedAt), 0).slice(8, 16)} ${values.join(', ')}`;
  });
  expect(described).toMatchInlineSnapshot(`
    [
      "19T12:20 aircraftType, arrivalTerminal",
      "20T11:36 estimatedOut 21T12:00, estimatedIn 21T20:00",
      "21T09:34 estimatedOut 21T12:05, estimatedIn 21T20:05",
      "21T11:34 estimatedOut 21T12:10, estimatedIn 21T20:10",
      "21T12:11 actualOut 21T12:10, estimatedIn 21T19:59",
      "21T16:06 estimatedIn 21T20:00",
      "21T20:01 actualIn 21T20:00",
    ]
  `);
});

test('the same flight always has the same messages, and another day has different ones', () => {
  expect(buildFlightMessages(createFlight(day))).toEqual(buildFlightMessages(createFlight(day)));
  const delays = Array.from({ length: 30 }, (_, index) => {
    const flight = createFlight(addDays(day, index));
    return (mergeFacts(buildFlightMessages(flight, flown)).actualOut ?? 0) - flight.departsAt;
  });
  expect(new Set(delays).size).toBeGreaterThan(10);
});

test('messages are in ascending order, have unique IDs, and can be stored', () => {
  const ids = messagesOfFlights.flatMap((messages) => messages.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const unordered = messagesOfFlights.filter((messages) =>
    messages.some(({ observedAt }, index) => observedAt <= (messages[index - 1]?.observedAt ?? -Infinity)),
  );
  expect(unordered).toEqual([]);
  expect(messagesOfFlights.flatMap((messages) => messages.flatMap(listErrors))).toEqual([]);
});

test('the first message is two days before departure, the last within half an hour after arrival', () => {
  const days = fc.integer({ min: day, max: day + 3000 }).map((value) => value as LocalDate);
  fc.assert(
    fc.property(days, (date) => {
      const flight = createFlight(date);
      const messages = buildFlightMessages(flight, flown);
      const first = (messages[0]?.observedAt ?? 0) - departureOf(flight);
      const last = (messages.at(-1)?.observedAt ?? 0) - (mergeFacts(messages).actualIn ?? 0) * 1000;
      expect(first).toBeGreaterThanOrEqual(hours(-48));
      expect(first).toBeLessThanOrEqual(hours(-46));
      expect(last).toBeLessThan(hours(0.5));
      expect(messages.length).toBeGreaterThanOrEqual(10);
      expect(messages.length).toBeLessThanOrEqual(20);
    }),
  );
});

test('out, off, on and in are in order for all flights, and no event is reported before it happened', () => {
  for (const messages of messagesOfFlights) {
    const { actualOut, actualOff, actualOn, actualIn } = mergeFacts(messages);
    const landing = mergeLandings(messages);
    const elsewhere = [landing?.actualOn, landing?.actualIn, landing?.actualOut, landing?.actualOff];
    const all = [actualOut, actualOff, ...elsewhere, actualOn, actualIn];
    const moments = all.filter((moment) => typeof moment === 'number');
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    const early = messages.flatMap(({ observedAt, facts, landings }) =>
      [facts, ...landings]
        .flatMap((each) => [each.actualOut, each.actualOff, each.actualOn, each.actualIn])
        .filter((actual) => (actual ?? 0) * 1000 > observedAt),
    );
    expect(early).toEqual([]);
  }
});

test('no estimate is more than four minutes before its message', () => {
  const late = messagesOfFlights.flat().flatMap(({ id, observedAt, facts }) =>
    [facts.estimatedOut, facts.estimatedOff, facts.estimatedOn, facts.estimatedIn]
      .filter((at) => typeof at === 'number')
      .filter((at) => at * 1000 < observedAt - 240_000)
      .map((at) => `${id} ${formatInstant(at, 0)}`),
  );
  expect(late).toEqual([]);
});

test('until seven hours before departure the messages do not depend on the outcome', () => {
  const flight = createFlight(day);
  const early = outcomes.map((outcome) =>
    buildFlightMessages(flight, outcome).filter(({ observedAt }) => observedAt < departureOf(flight) - hours(7)),
  );
  for (const each of early) expect(each).toEqual(early[0]);
  expect(early[0]?.length).toBeGreaterThanOrEqual(2);
});

describe('the outcome of a flight', () => {
  const flight = createFlight(day);

  test('cancelled: no message follows the cancellation', () => {
    const messages = buildFlightMessages(flight, { kind: 'cancelled', minutesBefore: 300 });
    expect(messages.at(-1)?.facts).toEqual({ cancelled: true });
    expect(messages.at(-1)?.observedAt).toBe(departureOf(flight) - hours(5));
  });

  test('reinstated: it departs at least an hour late', () => {
    const facts = mergeFacts(
      buildFlightMessages(flight, { kind: 'reinstated', minutesBefore: 300, againMinutesBefore: 255 }),
    );
    expect(facts.cancelled).toBe(false);
    expect((facts.actualOut ?? 0) - flight.departsAt).toBeGreaterThanOrEqual(3600);
  });

  test('returned: it leaves the gate, returns, and departs later', () => {
    const outs = buildFlightMessages(flight, { kind: 'returned' })
      .map(({ facts }) => facts.actualOut)
      .filter((out) => out !== undefined);
    expect([typeof outs[0], outs[1], typeof outs[2], outs.length]).toEqual(['number', null, 'number', 3]);
    expect((outs[2] ?? 0) - (outs[0] ?? 0)).toBeGreaterThan(2700);
  });

  test('diverted: it ends at another airport, and is never reported at its destination', () => {
    const messages = buildFlightMessages(flight, diverted);
    const facts = mergeFacts(messages);
    expect([facts.actualOn, facts.actualIn, facts.baggage]).toEqual([undefined, undefined, undefined]);
    expect([facts.estimatedOn, facts.estimatedIn]).toEqual([null, null]);
    const landing = mergeLandings(messages);
    expect(landing).toMatchObject({ id: '1', airport: 'BOS', type: 'Unplanned', continues: false });
    expect(landing?.actualIn).toBeGreaterThan(landing?.actualOn ?? Infinity);
  });

  test('diverted: it lands elsewhere and continues to its destination', () => {
    for (const outcome of outcomes.filter((each) => each.kind === 'diverted' && each.continues)) {
      const messages = buildFlightMessages(flight, outcome);
      const { actualOn, actualIn } = mergeFacts(messages);
      const landing = mergeLandings(messages);
      expect(landing?.continues).toBe(true);
      expect(actualOn).toBeGreaterThan(landing?.actualOff ?? Infinity);
      expect(actualIn).toBeGreaterThan(actualOn ?? Infinity);
    }
  });
});

test('a leg departs after the arrival of the previous leg, and all legs of a flight are cancelled together', () => {
  const many = linkLegs(listDemoFlights(day, LEG_DAYS)).flights.filter(({ previousLeg }) => previousLeg !== undefined);
  expect(many.length).toBeGreaterThan(10 * LEG_DAYS);
  for (const leg of many) {
    const before = leg.previousLeg;
    if (!before) continue;
    const [there, here] = [mergeFacts(buildFlightMessages(before)), mergeFacts(buildFlightMessages(leg))];
    expect(toFlightKey(before.reference)).toBe(toFlightKey(leg.reference));
    expect(here.cancelled).toBe(there.cancelled);
    const ready = here.cancelled === true ? 0 : (there.actualIn ?? Infinity) + 25 * 60;
    expect(here.actualOut ?? 0).toBeGreaterThanOrEqual(ready);
  }
  expect(many.some((leg) => computeOutcome(leg).kind === 'cancelled')).toBe(true);
});

test('the legs of a flight and the return flight have one aircraft with a registration of the country', () => {
  const registrations = (flightNumber: number, carrier: string, iata: string): unknown => {
    const flight = createFlight(day, { aircraftType: { iata, icao: '' } });
    const renamed = { ...flight, reference: { ...flight.reference, flightNumber, carrier } };
    return mergeFacts(buildFlightMessages(renamed, flown).slice(0, 2)).registration;
  };
  expect(registrations(171, 'L0', '77W')).toBe(registrations(172, 'L0', '77W'));
  expect(registrations(171, 'L0', '77W')).not.toBe(registrations(173, 'L0', '77W'));
  const types = ['L0 77W', 'K1 738', 'D1 388', 'M1 359', 'H0 789', 'N1 AT7', 'X2 E90', 'YF 320'];
  expect(types.map((type) => registrations(171, type.slice(0, 2), type.slice(3)))).toEqual(
    'GAFTE N360NO A7CGN 9VEXW JA790N OYMPW VHSLN HK4652'.split(' '),
  );
});

test('an airline outside the demo world has no registrations', () => {
  const flight = createFlight(day);
  const messages = buildFlightMessages({ ...flight, reference: { ...flight.reference, carrier: 'QQ' } }, flown);
  expect(mergeFacts(messages).registration).toBeUndefined();
});

test('freight flights have neither gates nor baggage', () => {
  const facts = mergeFacts(buildFlightMessages(createFlight(day, { serviceType: 'F' }), flown));
  const { departureGate, arrivalGate, checkInCounter, baggage } = facts;
  expect({ departureGate, arrivalGate, checkInCounter, baggage }).toEqual({});
  expect(facts.actualIn).toBeGreaterThan(0);
});
