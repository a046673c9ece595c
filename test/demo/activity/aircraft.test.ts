import { expect, test } from 'vitest';
import type { StatusMessage } from '#domain/status/message.ts';
import type { UtcSecond } from '#domain/status/instants.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';
import { arrangeEventsBetween } from '#demo/activity/arranged-events.ts';
import { linkLegs, toLegKey, listDemoFlights } from '#demo/activity/demo-flight.ts';
import { buildFlightMessages } from '#demo/activity/flight-messages.ts';
import { carrierRows } from '#demo/world/carriers.ts';
import { airports } from '#demo/world/airports.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { mergeFacts, mergeLandings } from './sample-flights.ts';

/** Dates of a year that are tested: two around clock changes, the others at random; 40 in a long run. */
const DATES = Number(process.env['DEMO_WORLD_DATES'] ?? 2);
const SEED = process.env['DEMO_WORLD_SEED'] ?? 'aircraft';
const first = localDate('2026-11-01');
const dates = Array.from({ length: DATES }, (_, index) =>
  index < 2 ? first + index * 146 : first + Math.floor(365 * createSeededRandom(SEED)(String(index))),
).map((date) => formatDate(date as typeof first));

const DAY = 86_400;
const DAYS = 10;

/** Nationality marks by country. */
const marks: Readonly<Record<string, string>> = {
  AU: 'VH',
  CL: 'CC',
  DK: 'OY',
  GB: 'G',
  JP: 'JA',
  QA: 'A7',
  SG: '9V',
  US: 'N',
};
const countries = new Map(
  carrierRows.filter(({ ended }) => ended === '').map(({ iata, icao, country }) => [iata || icao, country]),
);
const inNorthAmerica = new Set(
  airports.filter(({ countryCode }) => ['US', 'CA', 'MX'].includes(countryCode)).map(({ iata, faa }) => iata || faa),
);

type Trip = {
  readonly name: string;
  readonly carrier: string;
  readonly aircraft: string;
  readonly from: string;
  readonly to: string;
  readonly out: number;
  readonly in: number;
};

/** Returns the movement of the aircraft of a flight by its messages; undefined for a flight that was cancelled or has no aircraft. */
const toTrip = (messages: readonly StatusMessage[]): Trip | undefined => {
  const reference = messages[0]?.flight;
  const { registration, cancelled, actualOut, actualOff, actualIn, actualOn } = mergeFacts(messages);
  const landing = mergeLandings(messages);
  const [out, arrival] = [actualOut ?? actualOff, actualIn ?? actualOn ?? landing?.actualIn];
  if (reference?.by !== 'designator' || !registration || cancelled || !out || !arrival) return undefined;
  const { carrier, departureAirport: from, arrivalAirport = '' } = reference;
  const to = (actualIn ?? actualOn) ? arrivalAirport : (landing?.airport ?? '');
  return { name: messages[0]?.id ?? '', carrier, aircraft: registration, from, to, out, in: arrival };
};

test.each(dates)('around %s every aircraft continues where it arrived, under the mark of its country', (text) => {
  const today = localDate(text);
  const linked = linkLegs(listDemoFlights(today, DAYS));
  const [from, to] = [today * DAY, (today + DAYS - 7) * DAY];
  const { outcomes, extraMessages } = arrangeEventsBetween(from as UtcSecond, to as UtcSecond, linked);
  const arranged = new Map(outcomes.map(({ flight, outcome }) => [toLegKey(flight.reference), outcome]));
  const scheduled = linked.flights.map((flight) =>
    buildFlightMessages(flight, arranged.get(toLegKey(flight.reference))),
  );
  const trips = [...scheduled, ...extraMessages]
    .flatMap((messages) => toTrip(messages) ?? [])
    // The list starts within flights of several legs.
    .filter(({ out }) => out >= (today - 3) * DAY);
  expect(trips.length).toBeGreaterThan(10_000);
  const foreign = trips.filter(
    ({ carrier, aircraft }) => !aircraft.startsWith(marks[countries.get(carrier) ?? ''] ?? '?'),
  );
  expect(foreign).toEqual([]);
  const broken = [...Map.groupBy(trips, ({ aircraft }) => aircraft).values()].flatMap((own) => {
    const ordered = own.toSorted((a, b) => a.out - b.out);
    return ordered.flatMap((trip, index) => {
      const previous = ordered[index - 1];
      return previous && (previous.in > trip.out || previous.to !== trip.from) ? [[previous, trip]] : [];
    });
  });
  expect(broken).toEqual([]);
  const elsewhere = extraMessages.flatMap(([message]) => {
    const { plan } = message ?? {};
    const isCovered = plan && inNorthAmerica.has(plan.departureAirport) && inNorthAmerica.has(plan.arrivalAirport);
    return plan === undefined || isCovered || plan.recovers !== undefined ? [] : [plan];
  });
  expect(elsewhere).toEqual([]);
});
