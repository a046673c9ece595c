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
  expect(repeated(carriers.map(({ iata }) => iata))).toEqual([]);
  expect(repeated(carriers.map(({ icao }) => icao))).toEqual([]);
  expect(repeated(equipment.map(({ iata }) => iata))).toEqual([]);
  for (const code of ['iata', 'icao', 'faa'] as const)
    expect(repeated(airports.map((airport) => airport[code]))).toEqual([]);
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
  const real = readFileSync(airlinesFile ?? '', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('^'));
  const others = readFileSync(otherAirlinesFile ?? '', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
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
    return { iata, icao, faa, countryCode: country, zone, latitude: Number(latitude), longitude: Number(longitude) };
  });
  expect(facts).toEqual(
    named.map(({ iata, icao, faa, countryCode, zone, latitude = 0, longitude = 0 }) => ({
      iata,
      icao,
      faa,
      countryCode,
      zone,
      latitude: expect.closeTo(latitude, 2),
      longitude: expect.closeTo(longitude, 2),
    })),
  );
});
