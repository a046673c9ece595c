import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { airports } from '../../../../src/jobs/demo/world/airports.ts';
import { demoCarriers } from '../../../../src/jobs/demo/world/carrier-records.ts';
import { carriers } from '../../../../src/jobs/demo/world/carriers.ts';
import { equipment } from '../../../../src/jobs/demo/world/equipment.ts';
import { findSharedData } from '../../../support/shared-data.ts';

const files = ['master/optd_airlines.csv', 'master/vrs_airlines.csv', 'master/airportsdata_airports.csv.gz'] as const;
const [airlinesFile, otherAirlinesFile, airportsFile] = files.map(findSharedData);
if (!airlinesFile || !otherAirlinesFile || !airportsFile)
  console.warn('shared data is absent: the codes of the demo world are not compared with real ones');

const repeated = (codes: readonly string[]): readonly string[] =>
  codes.filter((code, index) => code !== '' && codes.indexOf(code) !== index);

test('codes are unique', () => {
  const codesOf = [
    carriers.map(({ iata }) => iata),
    carriers.map(({ icao }) => icao),
    equipment.map(({ iata }) => iata),
    ...(['iata', 'icao', 'faa'] as const).map((code) => airports.map((airport) => airport[code])),
  ];
  expect(codesOf.map(repeated)).toEqual(codesOf.map(() => []));
});

test('every carrier has all facts, and one code had another owner in the past', () => {
  const described = demoCarriers.map(({ icao, facts }) => [icao, facts?.domicile.dot !== '', facts?.validity.from]);
  expect(described).toEqual(demoCarriers.map(({ icao }) => [icao, true, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]));
  expect(repeated(demoCarriers.map(({ iata }) => iata))).toEqual(['YF']);
});

test('the twelve carriers have codes of the right form', () => {
  expect(carriers.length).toBe(12);
  for (const { iata, icao } of carriers) expect(`${iata} ${icao}`).toMatch(/^(?=.*[A-Z].* )[A-Z0-9]{2} [A-Z]{3}$/);
});

test.skipIf(!airlinesFile || !otherAirlinesFile)('no real airline has a code or the name of an invented one', () => {
  const readCells = (path: string, separator: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split(separator));
  const [real, others] = [readCells(airlinesFile ?? '', '^'), readCells(otherAirlinesFile ?? '', ',')];
  const realCodes = new Set([
    ...real.flatMap(([, , , , icao = '', iata = '', , name = '']) => [icao, iata, name.toLowerCase()]),
    ...others.flatMap(([, name = '', icao = '', iata = '']) => [icao, iata, name.toLowerCase()]),
  ]);
  expect(realCodes.has('BAW') && realCodes.has('BA') && realCodes.has('british airways')).toBe(true);
  const codesOf = ({ iata, icao, name }: (typeof demoCarriers)[number]) =>
    [iata, icao, name.toLowerCase()].filter((code) => code !== '');
  expect(demoCarriers.filter((carrier) => codesOf(carrier).some((code) => realCodes.has(code)))).toEqual([]);
});

test.skipIf(!airportsFile)('codes, countries, zones and positions of airports are the real ones', () => {
  const rows = gunzipSync(readFileSync(airportsFile ?? ''))
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
  const real = new Map(
    rows.map((row) => row.map((cell) => cell.replaceAll('"', ''))).map((row) => [row[1] ?? '', row]),
  );
  const named = airports.filter(({ iata }) => iata !== '');
  const facts = named.map(({ iata }) => {
    const [icao, , , , , country, , latitude, longitude, zone, faa] = real.get(iata) ?? [];
    return [iata, icao, faa, country, zone, Number(latitude), Number(longitude)];
  });
  expect(facts).toEqual(
    named.map(({ iata, icao, faa, countryCode, zone, latitude = 0, longitude = 0 }) => {
      const position = [latitude, longitude].map((degrees): unknown => expect.closeTo(degrees, 2));
      return [iata, icao, faa, countryCode, zone, ...position];
    }),
  );
});
