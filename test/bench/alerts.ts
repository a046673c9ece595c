/**
 * `node --expose-gc test/bench/alerts.ts`: how many change events a second one core matches against 100,000 alerts, how long the index takes
 * to build and to change, and how much memory it holds. The flights are made up: the few large carriers and airports of the world have
 * most of them, and so they have most of the alerts. Times are those that the thread was at work, so that others on the machine count for
 * less. Without `--expose-gc` memory is not told.
 */
import { newAlertIndex, type AlertIndex } from '../../src/domain/alerts/alert-index.ts';
import { statusChanges, type Alert } from '../../src/domain/alerts/alert.ts';
import type { EventFacts } from '../../src/domain/alerts/event-facts.ts';
import { addDays, localDate } from '../../src/domain/time/dates.ts';
import { newChance, type Chance } from '../domain/connections/worlds/random/chance.ts';
import { anyAlert } from '../domain/alerts/any-alert.ts';
import { median, printFigure } from './figures.ts';

const ALERTS = (process.env['BENCH_ALERTS'] ?? '10000,100000').split(',').map(Number);
const EVENTS = 50_000;
const CHANGES = 20_000;
const ROUNDS = 4;
const FLIGHTS = 60_000;
const today = localDate('2027-03-01');

const base36 = (value: number, length: number): string => value.toString(36).toUpperCase().padStart(length, 'A');

/** Of so many, the first far more often than the last: the share of the n-th is about 1/n. */
const busy = (count: number, chance: Chance): number => Math.floor(count ** (chance.int(0, 999_999) / 1e6)) - 1;

type Flight = Pick<
  EventFacts,
  'iataCarrierCode' | 'icaoCarrierCode' | 'flightNumber' | 'departureAirport' | 'arrivalAirport'
>;

const flightOf = (chance: Chance): Flight => {
  const carrier = busy(900, chance);
  return {
    iataCarrierCode: base36(carrier + 36, 2),
    icaoCarrierCode: base36(carrier + 1296, 3),
    flightNumber: chance.int(1, 9999),
    departureAirport: base36(busy(4000, chance) + 1296, 3),
    arrivalAirport: base36(busy(4000, chance) + 1296, 3),
  };
};

const flightTypes = ['GA', 'Unscheduled', 'Scheduled'] as const;

const eventOf = (flights: readonly Flight[], chance: Chance): EventFacts => {
  const departureDate = addDays(today, chance.int(-1, 2));
  const flight = {
    ...chance.pick(flights),
    flightType: flightTypes[Math.min(2, chance.int(0, 40))] ?? 'Scheduled',
    isMarketing: chance.percent(40),
    departureDate,
    arrivalDate: addDays(departureDate, chance.percent(15) ? 1 : 0),
  };
  if (chance.percent(20)) return { ...flight, kind: 'schedule' };
  return {
    ...flight,
    kind: 'status',
    changed: new Set(chance.percent(40) ? chance.some(statusChanges, chance.int(1, 2)) : []),
    changedElse: chance.percent(70),
    outGateVariationMinutes: chance.percent(60) ? chance.int(-20, 120) : undefined,
    inGateVariationMinutes: chance.percent(60) ? chance.int(-30, 120) : undefined,
  };
};

/** What the alerts of a world ask for, in shares of a hundred; the rest asks for one flight. */
type Mix = { readonly routes: number; readonly ports: number; readonly ranges: number; readonly carriers: number };

const pickedOf = (flight: Flight, mix: Mix, chance: Chance): Partial<Alert> => {
  const { iataCarrierCode, icaoCarrierCode, flightNumber, departureAirport, arrivalAirport } = flight;
  const carrier = chance.percent(85) ? { iataCarrierCode } : { icaoCarrierCode };
  const kind = chance.int(0, 9999) / 100;
  const { routes, ports, ranges, carriers } = mix;
  if (kind < routes) return { ...(chance.percent(50) && carrier), departureAirport, arrivalAirport };
  if (kind < routes + ports) return chance.percent(50) ? { departureAirport } : { arrivalAirport };
  if (kind < routes + ports + ranges) {
    const fromFlight = Math.max(0, flightNumber - chance.int(0, 500));
    return { ...carrier, fromFlight, toFlight: fromFlight + chance.int(1, 999) };
  }
  if (kind < routes + ports + ranges + carriers) return carrier;
  return { ...carrier, flightNumber, ...(chance.percent(30) && { departureAirport, arrivalAirport }) };
};

const alertOf = (index: number, picked: Partial<Alert>, chance: Chance): Alert => ({
  ...anyAlert,
  id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
  alertType: 'Carrier',
  codeshare: chance.percent(80),
  gaFlights: chance.percent(10),
  unscheduledFlights: chance.percent(10),
  departureDate: chance.percent(25) ? addDays(today, chance.int(0, 30)) : undefined,
  estimatedDepartureTimeThreshold: chance.percent(10) ? 15 : undefined,
  statusChangeFilters: { ...anyAlert.statusChangeFilters, baggage: chance.percent(80), gates: chance.percent(90) },
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
  const chance = newChance(1);
  const flights = chance.times(FLIGHTS, () => flightOf(chance));
  const alerts = chance.times(count, (index) => alertOf(index, pickedOf(chance.pick(flights), mix, chance), chance));
  const events = chance.times(EVENTS, () => eventOf(flights, chance));
  const before = held();
  const [index, buildMs] = timed(() => newAlertIndex(alerts));
  const after = held();
  const rounds = Array.from({ length: ROUNDS }, () => timed(() => matchAll(index, events)));
  const perEvent = (rounds[0]?.[0] ?? 0) / EVENTS;
  const rates = rounds.map(([, milliseconds]) => (EVENTS / milliseconds) * 1000);
  const changed = chance.times(CHANGES, () => ({ ...chance.pick(alerts), description: 'changed' }));
  const [, changeMs] = timed(() => changed.forEach((alert) => index.put(alert)));
  printFigure('alerts', [
    {
      name: `${alerts.length} alerts, ${name}: events matched`,
      value: median(rates),
      unit: 'events/s',
      ...(mix.ports === 1 && { target: { atLeast: 100_000 } }),
    },
    { name: `${alerts.length} alerts, ${name}: alerts an event`, value: perEvent, unit: 'alerts' },
    { name: `${alerts.length} alerts, ${name}: built in`, value: buildMs, unit: 'ms' },
    { name: `${alerts.length} alerts, ${name}: changed alerts`, value: (CHANGES / changeMs) * 1000, unit: 'alerts/s' },
    ...(before !== undefined && after !== undefined
      ? [
          {
            name: `${alerts.length} alerts, ${name}: memory beside them`,
            value: (after - before) / 2 ** 20,
            unit: 'MB',
          },
        ]
      : []),
  ]);
};

for (const alerts of ALERTS) {
  measure(alerts, 'most ask for a flight', { routes: 10, ports: 1, ranges: 1, carriers: 0.2 });
  measure(alerts, 'many ask for a route, a carrier or an airport', { routes: 20, ports: 5, ranges: 5, carriers: 2 });
  measure(alerts, 'half ask for a range of numbers', { routes: 5, ports: 0.5, ranges: 50, carriers: 0.1 });
}
