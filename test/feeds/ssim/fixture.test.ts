import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { addDays, buildLocalMinute, formatDate } from '../../../src/domain/time/dates.ts';
import { listDepartureDates } from '../../../src/domain/time/period.ts';
import type { LegEnd, ScheduleLeg } from '../../../src/domain/schedule/schedule.ts';
import { readFileText } from './build-file.ts';

const read = (name: string): string => readFileSync(new URL(`fixture/${name}`, import.meta.url), 'latin1');

const stamp = (minute: number): string => new Date(minute * 60_000).toISOString().slice(0, 16);

/** The facts of each leg by the generator of the fixture, computed from the parsed leg. */
const describeLeg = (leg: ScheduleLeg): unknown => {
  const [first = leg.period.from, ...others] = listDepartureDates(leg.period);
  const origin = addDays(first, -leg.departure.dateVariation);
  const filed = (end: LegEnd): number => buildLocalMinute(addDays(origin, end.dateVariation), end.passengerMinutes);
  const toUtc = (end: LegEnd): number => (leg.timeMode === 'utc' ? 0 : end.utcVariationMinutes);
  const utc = (end: LegEnd): number => filed(end) - toUtc(end);
  const local = (end: LegEnd): number => utc(end) + end.utcVariationMinutes;
  return {
    flight: `${leg.carrier}${String(leg.flightNumber).padStart(4, '0')}/${leg.itinerary}/${String(leg.sequence).padStart(2, '0')}`,
    mode: leg.timeMode === 'utc' ? 'U' : 'L',
    route: `${leg.departure.station}-${leg.arrival.station}`,
    instances: others.length + 1,
    originDate: formatDate(origin),
    depLocal: stamp(local(leg.departure)),
    depUtc: stamp(utc(leg.departure)),
    arrLocal: stamp(local(leg.arrival)),
    arrUtc: stamp(utc(leg.arrival)),
    elapsedMin: utc(leg.arrival) - utc(leg.departure),
  };
};

test('the fixture reads without a remark, with the flights and times it was made from', async () => {
  const { itineraries, report } = await readFileText(read('fixture.ssim'));
  expect(report.entries).toEqual([]);
  expect(report.accepted).toEqual({
    header: 1,
    filler: 36,
    carrier: 3,
    leg: 12,
    segmentData: 5,
    trailer: 3,
    itinerary: 11,
  });
  const expected: unknown = JSON.parse(read('expected.json'));
  expect(itineraries.flatMap(({ legs }) => legs).map(describeLeg)).toEqual(expected);
});
