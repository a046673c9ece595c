import { expect, test } from 'vitest';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { formatInstant, truncateToSecond, type UtcMillisecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { arrangeEventsBetween, listMessages } from '#demo/activity/arranged-events.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { buildFlightMessages } from '#demo/activity/flight-messages.ts';
import { linkLegs, listDemoFlights, type DemoFlight } from '#demo/activity/demo-flight.ts';
import { mergeFacts, selectFlightsAround, mergeLandings } from './sample-flights.ts';

/** Worlds that are tested; 3 in a long run. */
const WORLDS = Number(process.env['DEMO_WORLD_DAYS'] ?? 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const worlds = ['2026-11-21', '2027-03-25', '2027-07-01']
  .slice(0, WORLDS)
  .map((text) => ({ text, today: localDate(text) }));

const arrangeAt = (now: UtcMillisecond, flights: readonly DemoFlight[]) =>
  arrangeEventsBetween(truncateToSecond(now), truncateToSecond(now), linkLegs(flights));

const selectUntil = (messages: readonly StatusMessage[], now: number): readonly StatusMessage[] =>
  messages.filter(({ observedAt }) => observedAt <= now);

test.each(worlds)('at any instant of ten days from $text each kind of event is visible', ({ text, today }) => {
  const flights = listDemoFlights(today, 18);
  const random = createSeededRandom(`instants ${text}`);
  const instants = Array.from({ length: 30 }, (_, index) => (today + 10 * random(String(index))) * DAY);
  // Few events have happened in the first minutes of a day.
  const early = [1, 2, 3].map((days) => addDays(today, days) * DAY + 60_000);
  const all = [...instants, ...early].map((instant) => instant as UtcMillisecond);
  const missing = all.flatMap((now) => {
    const { outcomes, extraMessages } = arrangeAt(now, selectFlightsAround(flights, now, now));
    const arranged = outcomes.map(({ flight, outcome }) => ({
      flight,
      known: selectUntil(buildFlightMessages(flight, outcome), now),
    }));
    const extra = extraMessages.map((messages) => selectUntil(messages, now)).filter((messages) => messages.length > 0);
    const recent = ({ observedAt }: StatusMessage): boolean => observedAt > now - DAY;
    const isNow = (messages: readonly StatusMessage[]): boolean => messages.some(recent);
    const plans = extra.map((messages) => ({ plan: messages[0]?.plan, facts: mergeFacts(messages), messages }));
    const business = plans.filter(({ plan }) => plan?.flightType === 'GA');
    const visible = {
      diverted: arranged.some(({ known }) =>
        known.some((message) => recent(message) && message.landings.some(({ airport }) => airport !== undefined)),
      ),
      returned: arranged.some(({ known }) =>
        known.some((message) => recent(message) && message.facts.actualOut === null),
      ),
      cancelled: arranged.some(
        ({ flight, known }) =>
          Math.floor(flight.departsAt / 86_400) === Math.floor(now / DAY) && mergeFacts(known).cancelled === true,
      ),
      recovery: plans.some(({ plan, messages }) => plan?.recovers !== undefined && isNow(messages)),
      charter: plans.some(({ plan, messages }) => plan?.serviceType === 'C' && isNow(messages)),
      inTheAir: business.some(({ facts }) => facts.actualOff !== undefined && facts.actualOn === undefined),
      proposed: business.some(({ facts }) => facts.proposed === true && facts.actualOff === undefined),
    };
    return Object.entries(visible)
      .filter(([, isVisible]) => !isVisible)
      .map(([what]) => `${formatInstant(truncateToSecond(now), 0)} ${what}`);
  });
  expect(missing).toEqual([]);
});

const flights = listDemoFlights(localDate('2026-11-21'), 11);
const noon = (localDate('2026-11-23') * DAY + 12 * HOUR) as UtcMillisecond;

test('a recovery flight departs from the airport of the diversion three hours later, to the same destination, with the same aircraft', () => {
  const { outcomes, extraFlights } = arrangeAt(noon, selectFlightsAround(flights, noon, noon));
  const recoveries = extraFlights.filter(({ unscheduled }) => unscheduled?.recovers !== undefined);
  const diverted = outcomes.filter(({ outcome }) => outcome.kind === 'diverted');
  expect([recoveries.length, recoveries.length >= 9]).toEqual([diverted.length, true]);
  for (const [index, { flight, outcome }] of diverted.entries()) {
    const recovery = recoveries[index];
    if (!recovery || outcome.kind !== 'diverted') throw new Error('no recovery flight');
    const messages = buildFlightMessages(recovery);
    const original = buildFlightMessages(flight, outcome);
    expect(recovery.reference).toEqual({
      ...flight.reference,
      suffix: 'R',
      originDate: recovery.reference.originDate,
      departureAirport: outcome.airport,
    });
    const waited = recovery.departsAt - (mergeLandings(original)?.actualIn ?? 0);
    expect([waited >= 3 * 3600, waited < 3 * 3600 + 300]).toEqual([true, true]);
    const { serviceType, aircraftType, reference: recovers } = flight;
    const { departsAt, arrivesAt } = recovery;
    const way = { departureAirport: outcome.airport, arrivalAirport: recovers.arrivalAirport };
    const plan = { flightType: 'Unscheduled', ...way, departsAt, arrivesAt, serviceType, aircraftType, recovers };
    expect(messages[0]?.plan).toEqual(plan);
    expect(mergeFacts(messages).registration).toBe(mergeFacts(original).registration);
    expect(recovery.arrivesAt).toBeGreaterThan(recovery.departsAt);
  }
});

test('a day has twelve business flights, some from airfields without an IATA code, and three charters', () => {
  const { extraMessages } = arrangeAt(noon, []);
  const day = extraMessages.filter(
    ([first]) =>
      first?.plan?.departsAt !== undefined && Math.floor(first.plan.departsAt / 86_400) === Math.floor(noon / DAY),
  );
  const names = day.map(([first]) => `${first?.plan?.flightType} ${first?.plan?.departureAirport}`);
  const business = '1C5 1C5 ANC BOS DCA EWR LAX MIA N07 PHX SEA SFO'.split(' ').map((airport) => `GA ${airport}`);
  expect(names.toSorted()).toEqual([...business, 'Unscheduled MIA', 'Unscheduled MIA', 'Unscheduled YYZ']);
  const dates = day.map(([first]) =>
    first?.flight.by === 'designator' && first.flight.originDate ? formatDate(first.flight.originDate) : '',
  );
  expect(new Set(dates)).toEqual(new Set(['2026-11-22', '2026-11-23']));
});

const from = (localDate('2026-11-22') * DAY + 6 * HOUR) as UtcMillisecond;
const to = (from + 24 * HOUR) as UtcMillisecond;
/** Some airlines are enough: the messages of a flight do not depend on other airlines. */
const ofSome = flights.filter(({ reference: { carrier } }) => ['L0', 'K1', 'YF'].includes(carrier));
const listSome = (start: number, end: number): readonly StatusMessage[] => {
  const [first, last] = [start as UtcMillisecond, end as UtcMillisecond];
  return listMessages(first, last, selectFlightsAround(ofSome, first, last));
};
const byId = (messages: readonly StatusMessage[]) => new Map(messages.map((message) => [message.id, message]));

test.each([2, 12])('calls for up to %i hours return every message of a day exactly once', (hours) => {
  const all = listSome(from, to);
  const times = all.map(({ observedAt }) => observedAt);
  expect([all.length > 5000, byId(all).size, times]).toEqual([true, all.length, times.toSorted((a, b) => a - b)]);
  expect(times.filter((at) => at <= from || at > to)).toEqual([]);
  const random = createSeededRandom('ticks');
  const returned: StatusMessage[] = [];
  for (let now: number = from, number = 0; now < to; number += 1) {
    const next = Math.min(to, now + Math.ceil(random(String(number)) * hours * HOUR));
    returned.push(...listSome(now, next));
    now = next;
  }
  expect([returned.length, byId(returned)]).toEqual([all.length, byId(all)]);
});

test('every flight that departs in the middle of the interval has all its messages', () => {
  // From two days before the first of them departs, at the date line, to a day and a half after the last.
  const today = localDate('2026-11-21');
  const start = today * DAY - 14 * HOUR;
  const messages = listSome(start, start + 134 * HOUR);
  const numbers = Map.groupBy(
    messages.filter(({ flight }) => flight.by === 'designator' && flight.originDate === today + 2),
    ({ id }) => id.replace(/\/\d+$/, ''),
  );
  expect(numbers.size).toBeGreaterThan(300);
  const broken = [...numbers].filter(([, own]) => own.some(({ id }, index) => !id.endsWith(`/${index + 1}`)));
  expect(broken.map(([flight]) => flight)).toEqual([]);
});

test('an empty interval has no messages, and without scheduled flights only unscheduled ones have messages', () => {
  expect(listMessages(from, from, flights)).toEqual([]);
  const alone = listMessages(from, (from + 12 * HOUR) as UtcMillisecond, []);
  expect(new Set(alone.map(({ plan }) => plan?.flightType))).toEqual(new Set(['GA', 'Unscheduled']));
});
