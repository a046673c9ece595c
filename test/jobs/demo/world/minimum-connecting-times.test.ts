import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { buildMinimumConnectingTimes } from '../../../../src/jobs/demo/world/minimum-connecting-times.ts';
import { readMctText } from '../../../feeds/mct/read-mct-lines.ts';
import { formatMctText } from '../../../support/mct-lines.ts';

const today = localDate('2026-11-21');
const file = buildMinimumConnectingTimes(today);

test('the minimum connecting times of the demo world are a valid file', async () => {
  const { records, partners, remarks } = await readMctText(formatMctText(file));
  expect({ records, partners }).toStrictEqual(file);
  expect(remarks).toEqual([]);
});

test('the minimum connecting times refer to stations and airlines of the demo world', () => {
  const { locations, carriers } = buildDemoWorld(today);
  const stations = new Set(locations.map(({ iata }) => iata));
  const airlines = new Set(['', ...carriers.map(({ iata }) => iata)]);
  const named = file.records.flatMap(({ arrivalStation, departureStation }) => [arrivalStation, departureStation]);
  expect(named.filter((station) => station !== '' && !stations.has(station))).toEqual([]);
  const selling = file.records.flatMap(({ arrival, departure }) =>
    [arrival, departure].flatMap(({ carrier, operator }) => [carrier, operator]),
  );
  expect(selling.filter((carrier) => !airlines.has(carrier))).toEqual([]);
});
