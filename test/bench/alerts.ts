/**
 * `node --expose-gc test/bench/alerts.ts`: measures change events per second that one core matches against 100,000 alerts, the time to
 * build and change the index, and its memory. Flights are synthetic: a few large carriers and airports have most flights and most
 * alerts. Times are thread processor times. Without `--expose-gc` memory is not measured.
 */
import { createAlertIndex, type AlertIndex } from '#domain/alerts/alert-index.ts';
import { statusChangeKinds, type Alert } from '#domain/alerts/alert.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { addDays, localDate } from '#domain/time/dates.ts';
import { createRandom, type SeededRandom } from '../lib/seeded-random.ts';
import { sampleAlert } from '../domain/alerts/sample-alert.ts';
import { figure, median, printFigure } from './figures.ts';

const ALERTS = (process.env['BENCH_ALERTS'] ?? '10000,100000').split(',').map(Number);
const EVENTS = 50_000;
const CHANGES = 20_000;
const ROUNDS = 4;
const FLIGHTS = 60_000;
const today = localDate('2027-03-01');

const base36 = (value: number, length: number): string => value.toString(36).toUpperCase().padStart(length, 'A');

/** Picks one of `count` by Zipf's law: the share of the n-th is about 1/n. */
const busy = (count: number, chance: SeededRandom): number =>
  Math.floor(count ** (chance.integer(0, 999_999) / 1e6)) - 1;

type Flight = Pick<
  EventFacts,
  'iataCarrierCode' | 'icaoCarrierCode' | 'flightNumber' | 'departureAirport' | 'arrivalAirport'
>;

const flightOf = (chance: SeededRandom): Flight => {
  const carrier = busy(900, chance);
  return {
    iataCarrierCode: base36(carrier + 36, 2),
    icaoCarrierCode: base36(carrier + 1296, 3),
    flightNumber: chance.integer(1, 9999),
    departureAirport: base36(busy(4000, chance) + 1296, 3),
    arrivalAirport: base36(busy(4000, chance) + 1296, 3),
  };
};

const flightTypes = ['GA', 'Unscheduled', 'Scheduled'] as const;

const eventOf = (flights: readonly Flight[], chance: SeededRandom): EventFacts => {
  const departureDate = addDays(today, chance.integer(-1, 2));
  const flight = {
    ...chance.pick(flights),
    flightType: flightTypes[Math.min(2, chance.integer(0, 40))] ?? 'Scheduled',
    isMarketing: chance.chance(40),
    departureDate,
    arrivalDate: addDays(departureDate, chance.chance(15) ? 1 : 0),
  };
  if (chance.chance(20)) return { ...flight, kind: 'schedule' };
  return {
    ...flight,
    kind: 'status',
    changed: new Set(chance.chance(40) ? chance.sample(statusChangeKinds, chance.integer(1, 2)) : []),
    changedElse: chance.chance(70),
    outGateVariationMinutes: chance.chance(60) ? chance.integer(-20, 120) : undefined,
    inGateVariationMinutes: chance.chance(60) ? chance.integer(-30, 120) : undefined,
  };
};

/** Kinds of alerts in percent; the rest selects one flight. */
type Mix = { readonly routes: number; readonly ports: number; readonly ranges: number; readonly carriers: number };

const pickedOf = (flight: Flight, mix: Mix, chance: SeededRandom): Partial<Alert> => {
  const { iataCarrierCode, icaoCarrierCode, flightNumber, departureAirport, arrivalAirport } = flight;
  const carrier = chance.chance(85) ? { iataCarrierCode } : { icaoCarrierCode };
  const kind = chance.integer(0, 9999) / 100;
  const { routes, ports, ranges, carriers } = mix;
  if (kind < routes) return { ...(chance.chance(50) && carrier), departureAirport, arrivalAirport };
  if (kind < routes + ports) return chance.chance(50) ? { departureAirport } : { arrivalAirport };
  if (kind < routes + ports + ranges) {
    const fromFlight = Math.max(0, flightNumber - chance.integer(0, 500));
    return { ...carrier, fromFlight, toFlight: fromFlight + chance.integer(1, 999) };
  }
  if (kind < routes + ports + ranges + carriers) return carrier;
  return { ...carrier, flightNumber, ...(chance.chance(30) && { departureAirport, arrivalAirport }) };
};

const alertOf = (index: number, picked: Partial<Alert>, chance: SeededRandom): Alert => ({
  ...sampleAlert,
  id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
  alertType: 'Carrier',
  codeshare: chance.chance(80),
  gaFlights: chance.chance(10),
  unscheduledFlights: chance.chance(10),
  departureDate: chance.chance(25) ? addDays(today, chance.integer(0, 30)) : undefined,
  estimatedDepartureTimeThreshold: chance.chance(10) ? 15 : undefined,
  statusChangeFilters: { ...sampleAlert.statusChangeFilters, baggage: chance.chance(80), gates: chance.chance(90) },
  ...picked,
});

const held = (): number | undefined => {
  globalThis.gc?.();
  return globalThis.gc ? process.memoryUsage().heapUsed : undefined;
};

const timed = <T>(work: () => T): readonly [result: T, milliseconds: number] => {
  const start = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(start);
  return [result, (user + system) / 1000];
};

const matchAll = (index: AlertIndex<Alert>, events: readonly EventFacts[]): number => {
  let matches = 0;
  for (const event of events) matches += index.match(event).length;
  return matches;
};

const measure = (count: number, name: string, mix: Mix): void => {
  const chance = createRandom(1);
  const flights = chance.times(FLIGHTS, () => flightOf(chance));
  const alerts = chance.times(count, (index) => alertOf(index, pickedOf(chance.pick(flights), mix, chance), chance));
  const events = chance.times(EVENTS, () => eventOf(flights, chance));
  const before = held();
  const [index, buildMs] = timed(() => createAlertIndex(alerts));
  const after = held();
  const rounds = Array.from({ length: ROUNDS }, () => timed(() => matchAll(index, events)));
  const perEvent = (rounds[0]?.[0] ?? 0) / EVENTS;
  const rates = rounds.map(([, milliseconds]) => (EVENTS / milliseconds) * 1000);
  const changed = chance.times(CHANGES, () => ({ ...chance.pick(alerts), description: 'changed' }));
  const [, changeMs] = timed(() => changed.forEach((alert) => index.upsert(alert)));
  const title = `${alerts.length} alerts, ${name}`;
  printFigure('alerts', [
    figure(`${title}: events matched`, median(rates), 'events/s', mix.ports === 1 ? { atLeast: 100_000 } : undefined),
    figure(`${title}: alerts an event`, perEvent, 'alerts'),
    figure(`${title}: built in`, buildMs, 'ms'),
    figure(`${title}: changed alerts`, (CHANGES / changeMs) * 1000, 'alerts/s'),
    ...(before !== undefined && after !== undefined
      ? [figure(`${title}: memory beside them`, (after - before) / 2 ** 20, 'MB')]
      : []),
  ]);
};

for (const alerts of ALERTS) {
  measure(alerts, 'most select one flight', { routes: 10, ports: 1, ranges: 1, carriers: 0.2 });
  measure(alerts, 'many select a route, a carrier or an airport', { routes: 20, ports: 5, ranges: 5, carriers: 2 });
  measure(alerts, 'half select a range of numbers', { routes: 5, ports: 0.5, ranges: 50, carriers: 0.1 });
}
