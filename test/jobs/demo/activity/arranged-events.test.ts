import { expect, test } from 'vitest';
import { addDays, formatDate, localDate } from '../../../../src/domain/time/dates.ts';
import { formatInstant, truncateToSecond, type UtcMillisecond } from '../../../../src/domain/status/instants.ts';
import type { StatusMessage } from '../../../../src/domain/status/message.ts';
import { arrangeEventsAt } from '../../../../src/jobs/demo/activity/arranged-events.ts';
import { createSeededRandom } from '../../../../src/lib/seeded-random.ts';
import { toLegKey } from '../../../../src/jobs/demo/activity/demo-flight.ts';
import { buildFlightMessages } from '../../../../src/jobs/demo/activity/flight-messages.ts';
import { listDemoFlights } from '../../../../src/jobs/demo/activity/list-demo-flights.ts';
import { factsAfter, flightsAround, landingAfter } from './sample-flights.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const worlds = ['2026-11-21', '2027-03-25', '2027-07-01'].map((text) => ({ text, today: localDate(text) }));

const upTo = (life: readonly StatusMessage[], now: number): readonly StatusMessage[] =>
  life.filter(({ observedAt }) => observedAt <= now);

test.each(worlds)(
  'at any instant of ten days from $text there is something of everything to see',
  ({ text, today }) => {
    const flights = listDemoFlights(today, 15);
    const chance = createSeededRandom(`instants ${text}`);
    const instants = Array.from(
      { length: 48 },
      (_, index) => ((today + 10 * chance(String(index))) * DAY) as UtcMillisecond,
    );
    // The first minutes of a day are the ones in which least has happened yet.
    const all = [...instants, ...[1, 2, 3].map((days) => (addDays(today, days) * DAY + 60_000) as UtcMillisecond)];
    const missing = all.flatMap((now) => {
      const { outcomes: chosen, extraMessages: extraLives } = arrangeEventsAt(now, flightsAround(flights, now, now));
      const lives = chosen.map(({ flight, outcome: fate }) => ({
        flight,
        known: upTo(buildFlightMessages(flight, fate), now),
      }));
      const extra = extraLives.map((life) => upTo(life, now)).filter((life) => life.length > 0);
      const recent = ({ observedAt }: StatusMessage): boolean => observedAt > now - DAY;
      const isNow = (life: readonly StatusMessage[]): boolean => life.some(recent);
      const plans = extra.map((life) => ({ plan: life[0]?.plan, facts: factsAfter(life), life }));
      const business = plans.filter(({ plan }) => plan?.flightType === 'GA');
      const shown = {
        diverted: lives.some(({ known }) =>
          known.some((message) => recent(message) && message.landings.some(({ airport }) => airport !== undefined)),
        ),
        returned: lives.some(({ known }) =>
          known.some((message) => recent(message) && message.facts.actualOut === null),
        ),
        cancelled: lives.some(
          ({ flight, known }) =>
            Math.floor(flight.departsAt / 86_400) === Math.floor(now / DAY) && factsAfter(known).cancelled === true,
        ),
        recovery: plans.some(({ plan, life }) => plan?.recovers !== undefined && isNow(life)),
        charter: plans.some(({ plan, life }) => plan?.serviceType === 'C' && isNow(life)),
        inTheAir: business.some(({ facts }) => facts.actualOff !== undefined && facts.actualOn === undefined),
        proposed: business.some(({ facts }) => facts.proposed === true && facts.actualOff === undefined),
      };
      return Object.entries(shown)
        .filter(([, isShown]) => !isShown)
        .map(([what]) => `${formatInstant(truncateToSecond(now), 0)} ${what}`);
    });
    expect(missing).toEqual([]);
  },
);

const flights = listDemoFlights(localDate('2026-11-21'), 8);
const noon = (localDate('2026-11-23') * DAY + 12 * HOUR) as UtcMillisecond;

test('whichever instant asks, the same flights are chosen', () => {
  const choiceAt = (now: UtcMillisecond): ReadonlyMap<string, unknown> =>
    new Map(
      arrangeEventsAt(now, flightsAround(flights, now, now)).outcomes.map(({ flight, outcome: fate }) => [
        toLegKey(flight.reference),
        fate,
      ]),
    );
  const [now, then] = [choiceAt(noon), choiceAt((noon + 7 * HOUR + 61_000) as UtcMillisecond)];
  const shared = [...now.keys()].filter((key) => then.has(key));
  expect(shared.length).toBeGreaterThan(20);
  for (const key of shared) expect(then.get(key)).toEqual(now.get(key));
});

test('a recovery flight leaves the airport of the diversion three hours later, for the same destination, with another aircraft', () => {
  const { outcomes: chosen, extraFlights } = arrangeEventsAt(noon, flightsAround(flights, noon, noon));
  const recoveries = extraFlights.filter(({ unscheduled }) => unscheduled?.recovers !== undefined);
  const diverted = chosen.filter(({ outcome: fate }) => fate.kind === 'diverted');
  expect([recoveries.length, recoveries.length >= 9]).toEqual([diverted.length, true]);
  for (const [index, { flight, outcome: fate }] of diverted.entries()) {
    const recovery = recoveries[index];
    if (!recovery || fate.kind !== 'diverted') throw new Error('no recovery flight');
    const life = buildFlightMessages(recovery);
    const original = buildFlightMessages(flight, fate);
    expect(recovery.reference).toEqual({
      ...flight.reference,
      suffix: 'R',
      originDate: recovery.reference.originDate,
      departureAirport: fate.airport,
    });
    expect(recovery.departsAt - (landingAfter(original)?.actualIn ?? 0)).toBeGreaterThanOrEqual(3 * 3600);
    expect(recovery.departsAt - (landingAfter(original)?.actualIn ?? 0)).toBeLessThan(3 * 3600 + 300);
    expect(life[0]?.plan).toEqual({
      flightType: 'Unscheduled',
      departureAirport: fate.airport,
      arrivalAirport: flight.reference.arrivalAirport,
      departsAt: recovery.departsAt,
      arrivesAt: recovery.arrivesAt,
      serviceType: flight.serviceType,
      aircraftType: flight.aircraftType,
      recovers: flight.reference,
    });
    expect(factsAfter(life).registration).not.toBe(factsAfter(original).registration);
    expect(recovery.arrivesAt).toBeGreaterThan(recovery.departsAt);
  }
});

test('a day sees twelve business flights, some from airfields without an IATA code, and three charters', () => {
  const { extraMessages: extraLives } = arrangeEventsAt(noon, []);
  const day = extraLives.filter(
    ([first]) => first?.plan !== undefined && Math.floor(first.plan.departsAt / 86_400) === Math.floor(noon / DAY),
  );
  const names = day.map(([first]) => `${first?.plan?.flightType} ${first?.plan?.departureAirport}`);
  expect(names.toSorted()).toEqual([
    'GA 1C5',
    'GA 1C5',
    'GA ANC',
    'GA BOS',
    'GA DCA',
    'GA EWR',
    'GA LAX',
    'GA MIA',
    'GA N07',
    'GA PHX',
    'GA SEA',
    'GA SFO',
    'Unscheduled LGW',
    'Unscheduled LGW',
    'Unscheduled LGW',
  ]);
  const dates = day.map(([first]) => (first?.flight.by === 'designator' ? formatDate(first.flight.originDate) : ''));
  expect(new Set(dates)).toEqual(new Set(['2026-11-22', '2026-11-23']));
});
