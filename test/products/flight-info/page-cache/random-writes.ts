import { addDays, localDate, formatDate } from '../../../../src/domain/time/dates.ts';
import { replaceSeatPredictions } from '../../../../src/store/flights/seat-predictions.ts';
import type { Database } from '../../../../src/store/pool/database.ts';
import { pruneDays } from '../../../../src/jobs/retention/prune-days.ts';
import { buildCarrier, header, buildLeg, buildRecord, buildWholeFile } from '../../../feeds/ssim/build-file.ts';
import { publishText } from '../../../support/tiny-world.ts';
import type { FlightReference, StatusService } from '../v2/status-service.ts';
import { xx101, xx301 } from '../v2/status-service.ts';
import { schedule } from '../v2/example-schedule.ts';

/** Creates a generator of numbers from 0 up to 1, deterministic by seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** YY 301 LHR-CDG and YY 302 CDG-LHR on three days, with other times at each turn. */
const secondSchedule = (round: number): string => {
  const days = { 15: '01JUN26', 22: '03JUN26', 3: 'YY' };
  const [departs, arrives] = [6, 7].map((hour) => String(hour + (round % 12)).padStart(2, '0'));
  return buildWholeFile(
    header,
    buildCarrier({ 3: 'YY' }),
    ...['0301', '0302'].slice(0, 1 + (round % 2)).map((number) =>
      buildLeg({
        ...days,
        6: number,
        40: `${departs}00`,
        44: `${departs}00`,
        55: 'CDG',
        58: `${arrives}45`,
        62: `${arrives}45`,
        66: '+0200',
        73: '320',
      }),
    ),
    buildRecord({ 1: '5', 3: 'YY', 188: '??????', 194: 'E' }),
  );
};

export type RandomWrite = { readonly name: string; readonly run: () => Promise<void> };

/** Creates a generator of random writes of every kind that changes pages of flights. */
export const randomWrites = ({
  world,
  db,
  random,
}: {
  world: StatusService;
  db: Database;
  random: () => number;
}): (() => RandomWrite) => {
  let round = 0;
  const below = (count: number): number => Math.floor(random() * count);
  const day = (): string => formatDate(addDays(localDate('2026-06-01'), below(3)));
  // Flights of a pruned day no longer exist.
  const report: StatusService['report'] = async (...update) => {
    try {
      await world.report(...update);
    } catch (error) {
      if (!String(error).includes('no-such-flight')) throw error;
    }
  };
  const flights: readonly ((date: string) => FlightReference)[] = [
    xx101,
    (date) => xx301(1, date),
    (date) => xx301(2, date),
    (date) => ({
      carrier: 'XX',
      flightNumber: 502,
      suffix: 'A',
      originDate: date,
      departureAirport: 'LHR',
      arrivalAirport: 'CDG',
    }),
  ];
  const anyFlight = (): FlightReference => (flights[below(flights.length)] ?? xx101)(day());
  const now = (facts: object) => {
    round += 1;
    const at = new Date(Date.UTC(2026, 4, 31, 0, round)).toISOString();
    return [at, facts] as const;
  };
  const unscheduledFlight = (): object => ({
    carrier: 'WW',
    flightNumber: 700 + below(3),
    originDate: day(),
    departureAirport: 'OPO',
    arrivalAirport: 'LIS',
  });
  const kinds: readonly ((() => RandomWrite) | undefined)[] = [
    () => ({
      name: 'gate',
      run: () => report(anyFlight(), now({ departure: { gate: `A${round}` } })),
    }),
    () => ({
      name: 'aircraft',
      run: () =>
        report(
          anyFlight(),
          now({
            aircraft: { registration: `GZX${below(3)}` },
            seats: { businessClass: below(30), economyClass: 150 },
          }),
        ),
    }),
    () => ({ name: 'cancelled', run: () => report(anyFlight(), now({ cancelled: below(2) === 0 })) }),
    () => ({
      name: 'diverted',
      run: () => report(anyFlight(), now({ diversions: [{ number: 1, airport: ['LGW', 'SIN', 'CDG'][below(3)] }] })),
    }),
    () => ({
      name: 'unscheduled',
      run: () => {
        const flight = unscheduledFlight();
        const hour = String(8 + below(8)).padStart(2, '0');
        const { originDate } = flight as { originDate: string };
        return report(
          flight,
          now({
            plan: {
              flightType: 'GA',
              departs: { airport: 'OPO', at: `${originDate}T${hour}:00:00Z` },
              arrives: { airport: 'LIS', at: `${originDate}T${hour}:50:00Z` },
            },
          }),
        );
      },
    }),
    () => ({
      name: 'schedule of YY',
      run: async () => {
        round += 1;
        await publishText(db, secondSchedule(round));
      },
    }),
    () => ({
      name: 'schedule of all',
      run: async () => {
        await publishText(db, schedule);
      },
    }),
    () => ({
      name: 'seats to expect',
      run: async () => {
        await db.begin((sql) => replaceSeatPredictions(sql, { since: localDate('2026-06-02'), days: 1 }));
      },
    }),
    () => ({
      name: 'days dropped',
      run: async () => {
        await pruneDays(db, { before: localDate('2026-06-02'), today: localDate('2026-07-01') });
      },
    }),
  ];
  // Frequent kinds of write have a higher weight.
  const weights = [8, 4, 3, 3, 4, 1, 1, 1, 0.3];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return () => {
    let left = random() * total;
    const index = weights.findIndex((weight) => (left -= weight) < 0);
    const kind = kinds[index];
    if (!kind) throw new Error('no kind of write');
    return kind();
  };
};
