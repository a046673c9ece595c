import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, localDate, type LocalDate } from '#domain/time/dates.ts';
import { formatInstant, truncateToSecond, type UtcSecond } from '#domain/status/instants.ts';
import { computeDepartureDelay, computeOutcome, type FlightOutcome } from '#demo/activity/flight-times.ts';
import { type DemoFlight, linkLegs, toFlightKey, listDemoFlights } from '#demo/activity/demo-flight.ts';
import { buildFlightMessages } from '#demo/activity/flight-messages.ts';
import { mergeFacts, createFlight, mergeLandings } from './sample-flights.ts';

const day = localDate('2026-11-21');
const hours = (number: number): number => number * 3_600_000;
const departureOf = ({ departsAt }: DemoFlight): number => departsAt * 1000;

/** Days of flights with linked legs; 40 in a long run. */
const LEG_DAYS = Number(process.env['DEMO_FLIGHT_DAYS'] ?? 10);
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
      "21T09:34 estimatedOut 21T12:00, estimatedIn 21T20:00",
      "21T11:34 estimatedOut 21T12:05, estimatedIn 21T20:05",
      "21T12:05 actualOut 21T12:04, estimatedIn 21T19:53",
      "21T16:00 estimatedIn 21T19:54",
      "21T19:55 actualIn 21T19:54",
    ]
  `);
});

test('messages are in ascending order, and have unique IDs and something to report at a whole minute', () => {
  const ids = messagesOfFlights.flatMap((messages) => messages.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const unordered = messagesOfFlights.filter((messages) =>
    messages.some(({ observedAt }, index) => observedAt <= (messages[index - 1]?.observedAt ?? -Infinity)),
  );
  expect(unordered).toEqual([]);
  const values = messagesOfFlights.flat().map(({ facts, landings }) => [facts, ...landings].flatMap(Object.values));
  expect(values.filter((all) => all.every((value) => value === undefined))).toEqual([]);
  expect(values.flat().filter((value) => typeof value === 'number' && value % 60 !== 0)).toEqual([]);
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

const flight = createFlight(day);

test('outcome cancelled: no message follows the cancellation', () => {
  const last = buildFlightMessages(flight, { kind: 'cancelled', minutesBefore: 300 }).at(-1);
  expect([last?.facts, last?.observedAt]).toEqual([{ cancelled: true }, departureOf(flight) - hours(5)]);
});

test('outcome reinstated: it departs at least an hour late', () => {
  const reinstated = { kind: 'reinstated', minutesBefore: 300, againMinutesBefore: 255 } as const;
  const { cancelled, actualOut } = mergeFacts(buildFlightMessages(flight, reinstated));
  expect([cancelled, (actualOut ?? 0) - flight.departsAt >= 3600]).toEqual([false, true]);
});

test('outcome returned: it leaves the gate, returns, and departs later', () => {
  const messages = buildFlightMessages(flight, { kind: 'returned' });
  const [out, returned, again, ...others] = messages
    .map(({ facts }) => facts.actualOut)
    .filter((at) => at !== undefined);
  expect([typeof out, returned, others, (again ?? 0) - (out ?? 0) > 2700]).toEqual(['number', null, [], true]);
});

test('outcome diverted: it ends at another airport, and is never reported at its destination', () => {
  const messages = buildFlightMessages(flight, diverted);
  const { actualOn, actualIn, baggage, estimatedOn, estimatedIn } = mergeFacts(messages);
  expect({ actualOn, actualIn, baggage, estimatedOn, estimatedIn }).toEqual({ estimatedOn: null, estimatedIn: null });
  const landing = mergeLandings(messages);
  expect(landing).toMatchObject({ id: '1', airport: 'BOS', type: 'Unplanned', continues: false });
  expect(landing?.actualIn).toBeGreaterThan(landing?.actualOn ?? Infinity);
});

test('outcome diverted: it lands elsewhere and continues to its destination', () => {
  for (const outcome of outcomes.filter((each) => each.kind === 'diverted' && each.continues)) {
    const messages = buildFlightMessages(flight, outcome);
    const landing = mergeLandings(messages);
    expect(landing?.continues).toBe(true);
    expect(mergeFacts(messages).actualOn).toBeGreaterThan(landing?.actualOff ?? Infinity);
  }
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

test('a flight of an unknown airline has no registration', () => {
  const registrationOf = (carrier: string): unknown => {
    const flight = createFlight(day);
    const renamed = { ...flight, reference: { ...flight.reference, carrier } };
    return mergeFacts(buildFlightMessages(renamed, flown).slice(0, 2)).registration;
  };
  expect(['L0', 'QQ'].map(registrationOf)).toEqual([expect.stringMatching(/^G[A-Z]{4}$/), undefined]);
});

test('a passenger flight has a stand at both ends, and its gate closes shortly before it leaves', () => {
  const { departureStand, arrivalStand, checkIn, boarding, actualOut } = mergeFacts(
    buildFlightMessages(createFlight(day), flown),
  );
  expect([departureStand, arrivalStand, checkIn, boarding]).toEqual([
    expect.stringMatching(/^[1-3]\d\d$/),
    expect.stringMatching(/^[1-3]\d\d$/),
    { status: 'Open', at: expect.any(Number) },
    { status: 'GateClosed', at: expect.any(Number) },
  ]);
  expect(((actualOut ?? 0) - (boarding?.at ?? 0)) / 60).toBeGreaterThanOrEqual(8);
});

test('freight flights have neither gates nor baggage', () => {
  const facts = mergeFacts(buildFlightMessages(createFlight(day, { serviceType: 'F' }), flown));
  const { departureGate, departureStand, arrivalGate, checkInCounter, boarding, baggage, actualIn } = facts;
  expect({ departureGate, departureStand, arrivalGate, checkInCounter, boarding, baggage, actualIn }).toEqual({
    actualIn: expect.any(Number),
  });
});

const airports = ['LHR', 'JFK', 'SIN', 'SYD', 'CPH', 'BOG', 'HND', 'DOH', 'ORD', 'LGW'];

const createFlights = (count: number): readonly DemoFlight[] =>
  Array.from({ length: count }, (_, index) => {
    const date = addDays(localDate('2027-03-02'), index % 10);
    const departsAt = (date * 86_400 + (index % 96) * 900) as UtcSecond;
    const flight = createFlight(date, { departsAt, arrivesAt: (departsAt + 3600 * (1 + (index % 12))) as UtcSecond });
    const [departureAirport = '', arrivalAirport = ''] = [airports[index % 10], airports[(index + 3) % 10]];
    const reference = { ...flight.reference, flightNumber: 1 + 2 * index, departureAirport, arrivalAirport };
    return { ...flight, reference };
  });

const share = <T>(all: readonly T[], is: (each: T) => boolean): number => all.filter(is).length / all.length;

test('most of 5,000 flights depart within a quarter of an hour of schedule, and one in a hundred is cancelled', () => {
  const flights = createFlights(5000);
  const flown = flights.map((flight) => ({ flight, facts: mergeFacts(buildFlightMessages(flight)) }));
  const delays = flown.flatMap(({ flight, facts }) =>
    typeof facts.actualOut === 'number' ? [(facts.actualOut - flight.departsAt) / 60] : [],
  );
  const shares = [
    [0.7, 0.88, share(delays, (delay) => delay < 15)],
    [0.005, 0.03, share(delays, (delay) => delay >= 120)],
    [0.005, 0.015, share(flown, ({ facts }) => facts.cancelled === true)],
  ] as const;
  expect(shares.filter(([least, most, value]) => value < least || value > most)).toEqual([]);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(-5);
  expect(Math.max(...delays)).toBeLessThan(320);
});

test('of 50,000 flights, about one in some hundreds each is reinstated, returns to its gate or is diverted', () => {
  const kinds = Map.groupBy(createFlights(50_000), (flight) => computeOutcome(flight).kind);
  const limits = [
    ['reinstated', 10, 100],
    ['returned', 60, 140],
    ['diverted', 50, 140],
  ] as const;
  const counts = limits.map(([kind, least, most]) => ({ kind, least, most, count: kinds.get(kind)?.length ?? 0 }));
  expect(counts.filter(({ least, most, count }) => count <= least || count >= most)).toEqual([]);
});

test('departures of one airport in one hour are late together', () => {
  const hourOf = ({ reference, departsAt }: DemoFlight) =>
    `${reference.departureAirport} ${Math.floor(departsAt / 3600)}`;
  const groups = [...Map.groupBy(createFlights(5000), hourOf).values()].filter(({ length }) => length >= 3);
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  const delays = groups.map((group) => group.map(computeDepartureDelay).toSorted((a, b) => a - b));
  // In an hour in which even the most punctual flight is late, all of them are.
  const crowded = delays.filter(([earliest = 0]) => earliest >= 15);
  expect(groups.length).toBeGreaterThan(200);
  expect(crowded.length / groups.length).toBeGreaterThan(0.02);
  expect(mean(crowded.map(mean))).toBeGreaterThan(2 * mean(delays.map(mean)));
});
