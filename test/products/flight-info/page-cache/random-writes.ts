import { addDays, localDate, formatDate } from '#domain/time/dates.ts';
import { replaceSeatPredictions } from '#store/flights/seat-predictions.ts';
import { pruneDays } from '#jobs/retention/prune-days.ts';
import { buildCarrier, header, buildLeg, buildTrailer, buildWholeFile } from '#test/feeds/ssim/build-file.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { xx101, xx301, xx502, type FlightReference, type StatusService } from '../v2/status-service.ts';
import { schedule } from '../v2/example-schedule.ts';

/** YY 301 LHR-CDG and YY 302 CDG-LHR on three days, with other times at each turn. */
const secondSchedule = (round: number): string => {
  const [departs, arrives] = [6, 7].map((hour) => String(hour + (round % 12)).padStart(2, '0'));
  const days = { 15: '01JUN26', 22: '03JUN26' };
  const times = { 40: `${departs}00`, 44: `${departs}00`, 58: `${arrives}45`, 62: `${arrives}45` };
  const flights = ['0301', '0302'].slice(0, 1 + (round % 2));
  return buildWholeFile(
    header,
    buildCarrier({ 3: 'YY' }),
    ...flights.map((number) => buildLeg({ ...days, ...times, 3: 'YY', 6: number, 55: 'CDG', 66: '+0200', 73: '320' })),
    buildTrailer('E', 'YY'),
  );
};

export type RandomWrite = { readonly name: string; readonly run: () => Promise<unknown> };

/** Creates a generator of random writes of every kind that changes pages of flights. */
export const randomWrites = (world: StatusService, seed: number): (() => RandomWrite) => {
  const { db } = world;
  const random = createRandom(seed);
  let round = 0;
  const below = (count: number): number => random.integer(0, count - 1);
  const day = (): string => formatDate(addDays(localDate('2026-06-01'), below(3)));
  const report = async (flight: FlightReference, facts: object): Promise<void> => {
    round += 1;
    try {
      await world.report(flight, [new Date(Date.UTC(2026, 4, 31, 0, round)).toISOString(), facts]);
    } catch (error) {
      // Flights of a pruned day no longer exist.
      if (!String(error).includes('no-such-flight')) throw error;
    }
  };
  const flights = [xx101, (date: string) => xx301(1, date), (date: string) => xx301(2, date), xx502];
  const anyFlight = (): FlightReference => random.pick(flights)(day());
  const reportUnscheduled = (): Promise<void> => {
    const originDate = day();
    const hour = String(8 + below(8)).padStart(2, '0');
    const departs = { airport: 'OPO', at: `${originDate}T${hour}:00:00Z` };
    const arrives = { airport: 'LIS', at: `${originDate}T${hour}:50:00Z` };
    const flight = { carrier: 'WW', flightNumber: 700 + below(3), originDate, departureAirport: 'OPO' };
    return report({ ...flight, arrivalAirport: 'LIS' }, { plan: { flightType: 'GA', departs, arrives } });
  };
  const reportAircraft = (): Promise<void> => {
    const aircraft = { registration: `GZX${below(3)}` };
    return report(anyFlight(), { aircraft, seats: { businessClass: below(30), economyClass: 150 } });
  };
  const predictSeats = () =>
    db.begin((sql) => replaceSeatPredictions(sql, { since: localDate('2026-06-02'), days: 1 }));
  const prune = () => pruneDays(db, { before: localDate('2026-06-02'), today: localDate('2026-07-01') });
  const reportTimes = (): Promise<void> => {
    const flight = anyFlight();
    const [hours, kind] = [below(18), random.pick(['estimated', 'actual'])];
    const at = below(5) === 0 ? null : `${flight.originDate}T${String(5 + hours).padStart(2, '0')}:30:00Z`;
    return report(flight, random.pick([{ departure: { [kind]: { out: at } } }, { arrival: { [kind]: { in: at } } }]));
  };
  const diversion = () => ({ diversions: [{ number: 1, airport: random.pick(['LGW', 'SIN', 'CDG']) }] });
  // Frequent kinds of write have a higher weight.
  const kinds: readonly (readonly [weight: number, name: string, run: () => Promise<unknown>])[] = [
    [80, 'gate', () => report(anyFlight(), { departure: { gate: `A${round}` } })],
    [40, 'aircraft', reportAircraft],
    [60, 'times', reportTimes],
    [30, 'cancelled', () => report(anyFlight(), { cancelled: below(2) === 0 })],
    [30, 'diverted', () => report(anyFlight(), diversion())],
    [40, 'unscheduled', reportUnscheduled],
    [10, 'schedule of YY', () => publishText(db, secondSchedule((round += 1)))],
    [10, 'schedule of all', () => publishText(db, schedule)],
    [10, 'predicted seats', predictSeats],
    [3, 'pruned days', prune],
  ];
  const weighted = kinds.flatMap(([weight, name, run]) => Array.from({ length: weight }, () => ({ name, run })));
  return () => random.pick(weighted);
};
