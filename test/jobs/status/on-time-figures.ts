import { expect } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { findCarrier, findStation } from '../../../src/domain/master-data/master-data-index.ts';
import { computeOnTimeShares } from '../../../src/domain/status/on-time.ts';
import { listOnTimePerformance } from '../../../src/store/schedules/on-time-performance.ts';
import { buildOnTime } from '../../../src/jobs/statistics/build-on-time.ts';
import type { RealWorld, Row } from './real-world.ts';

/** Indexes of the columns that a direct count needs. */
export type OnTimeColumns = Readonly<
  Record<'carrier' | 'number' | 'from' | 'to' | 'cancelled' | 'diverted' | 'departureDelay' | 'arrivalDelay', string>
> & { readonly date: (row: Row) => string };

const isLessThan15 = (minutes: string): boolean => minutes !== '' && Number(minutes) < 15;

/** 2 of 3: 66.67. By long division: the digits, then the last one is rounded. */
const percentage = (part: number, whole: number): number => {
  const thousandths = (BigInt(part) * 100_000n) / BigInt(whole);
  const hundredths = thousandths / 10n + (thousandths % 10n >= 5n ? 1n : 0n);
  return Number(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`);
};

/** Computes the shares of some rows directly from their columns: cancelled, else diverted, else by the minutes of delay. */
const computeShares = (rows: readonly Row[], columns: OnTimeColumns) => {
  const count = (matches: (row: Row) => boolean): number => percentage(rows.filter(matches).length, rows.length);
  const isCancelled = (row: Row): boolean => row(columns.cancelled) === '1';
  const isDiverted = (row: Row): boolean => !isCancelled(row) && row(columns.diverted) === '1';
  const hasArrived = (row: Row): boolean => !isCancelled(row) && !isDiverted(row) && row(columns.arrivalDelay) !== '';
  const hasDeparted = (row: Row): boolean => isCancelled(row) || row(columns.departureDelay) !== '';
  const departures = rows.filter(hasDeparted);
  const inTime = departures.filter((row) => !isCancelled(row) && isLessThan15(row(columns.departureDelay)));
  return {
    onTimePercentage: count((row) => hasArrived(row) && isLessThan15(row(columns.arrivalDelay))),
    latePercentage: count((row) => hasArrived(row) && !isLessThan15(row(columns.arrivalDelay))),
    cancelledPercentage: count(isCancelled),
    divertedPercentage: count(isDiverted),
    departedOnTimePercentage: departures.length === 0 ? null : percentage(inTime.length, departures.length),
    flights: rows.length,
    departures: departures.length,
  };
};

/**
 * Builds on-time figures for the days of a file and compares them with a direct count of its rows: of every carrier, of every number
 * between two airports, and of all. Returns the numbers of carriers and of flight numbers.
 */
export const expectOnTimeFigures = async (
  { db, masterDataIndex }: RealWorld,
  rows: readonly Row[],
  columns: OnTimeColumns,
): Promise<{ readonly carriers: number; readonly numbers: number }> => {
  // A row without a known end would have to be excluded on both sides.
  const hasEnd = (row: Row): boolean =>
    row(columns.cancelled) === '1' || row(columns.diverted) === '1' || row(columns.arrivalDelay) !== '';
  expect(rows.every(hasEnd)).toBe(true);

  const dates = rows.map(columns.date).toSorted();
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const days = localDate(last) - localDate(first) + 1;
  const built = await buildOnTime(db, { today: localDate('2026-06-01'), until: localDate(last), days });

  const ofCarriers = Map.groupBy(rows, (row) => row(columns.carrier));
  const actual = [...built.byCarrier].map(([id, counts]) => [
    masterDataIndex().carrier(id)?.iata,
    { ...computeOnTimeShares(counts), flights: counts.flights, departures: counts.departures },
  ]);
  expect(Object.fromEntries(actual)).toEqual(
    Object.fromEntries([...ofCarriers].map(([carrier, those]) => [carrier, computeShares(those, columns)])),
  );
  const { flights, departures } = built.total;
  expect({ ...computeOnTimeShares(built.total), flights, departures }).toEqual(computeShares(rows, columns));

  const ofNumbers = Map.groupBy(rows, (row) =>
    [columns.carrier, columns.number, columns.from, columns.to].map((name) => row(name)).join(' '),
  );
  expect(built.numbers).toBe(ofNumbers.size);
  const routes = [...ofNumbers.keys()].map((name) => {
    const [carrier = '', number, from = '', to = ''] = name.split(' ');
    return {
      carrier: findCarrier(masterDataIndex(), carrier)?.id ?? 0,
      flightNumber: Number(number),
      departure: findStation(masterDataIndex(), from)?.id ?? 0,
      arrival: findStation(masterDataIndex(), to)?.id ?? 0,
    };
  });
  const performances = await listOnTimePerformance(db, routes);
  const expected = [...ofNumbers.values()].map((those) => {
    const [startDate, ...others] = those.map(columns.date).toSorted();
    return {
      ...computeShares(those, columns),
      period: { startDate, endDate: others.at(-1) ?? startDate },
      rule: 'D15/A14',
    };
  });
  expect(performances).toEqual(expected);
  return { carriers: ofCarriers.size, numbers: ofNumbers.size };
};
