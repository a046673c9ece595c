import { expect, test } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { listCarrierDomiciles } from '#feeds/master-data/overrides/carrier-overrides.ts';
import { joinDomiciles } from '#feeds/master-data/join/carriers/join-domiciles.ts';
import type { RankedCarrier } from '#feeds/master-data/join/carriers/rank-carriers.ts';
import { readWorldAreaCodes } from '#feeds/master-data/sources/countries.ts';
import { buildRankedCarrier } from './build-airline.ts';
import { createFeedFile } from '#test/feeds/master-data/feed-file.ts';

const countries: Readonly<Record<string, string>> = { FRA: 'DE', MUC: 'DE', VIE: 'AT' };

const join = (carriers: readonly RankedCarrier[]) => {
  const report = createLoadReport('test');
  const byCarrier = joinDomiciles(carriers, (station) => countries[station], report);
  return { domiciles: carriers.map((carrier) => byCarrier.get(carrier)), entries: report.entries };
};

const ofList = (iso: string) => ({ iso, source: 'own' });

const lanmei = [
  { iata: 'LQ', icao: 'MKR', name: 'Lanmei Airlines' },
  { iata: 'LQ', name: 'Air Guinea', bases: ['VIE'], isCurrent: false },
];
const virgin = ['va VA', 'va DJ', 'zz ZZ'].map((text) => ({
  company: text.slice(0, 2),
  iata: text.slice(3),
  icao: 'VOZ',
}));
test.each<readonly [string, readonly Partial<RankedCarrier>[], readonly (string | undefined)[]]>([
  ['is that of the list, by ICAO code or IATA code', [{ iata: 'QF', icao: 'QFA' }, { iata: 'PN' }], ['AU', 'CN']],
  ['is that of its code and name for a carrier that never was the first owner of its only code', lanmei, ['KH', 'GN']],
  [
    'is that of the first owner of a code and its company, not of others with the code',
    virgin,
    ['AU', 'AU', undefined],
  ],
])('the domicile of a carrier %s', (_, carriers, countriesOfList) => {
  const { domiciles } = join(carriers.map(buildRankedCarrier));
  expect(domiciles).toEqual(countriesOfList.map((iso) => (iso === undefined ? undefined : ofList(iso))));
});

test('the domicile of a carrier is the common country of all its bases where the list has none', () => {
  const { domiciles, entries } = join([
    buildRankedCarrier({ icao: 'ZZA', bases: ['FRA', 'MUC'] }),
    buildRankedCarrier({ icao: 'ZZB', bases: ['FRA', 'VIE'] }),
    buildRankedCarrier({ icao: 'ZZC', bases: ['FRA', 'XXX'] }),
    buildRankedCarrier({ icao: 'ZZD' }),
  ]);
  expect(domiciles).toEqual([{ iso: 'DE', source: 'optd-airlines' }, undefined, undefined, undefined]);
  const message =
    '3 of 4 carriers have no country: no list contains one, and their bases are unknown or in several countries.';
  const entry = { severity: 'notice', field: 'domicile', value: '3', reason: 'domicile-unknown', message };
  expect(entries).toEqual([entry]);
});

test('the domicile of a carrier is that of the list when the bases are elsewhere, which is reported', () => {
  const qantas = buildRankedCarrier({ iata: 'QF', icao: 'QFA', name: 'Qantas', bases: ['VIE'] });
  const { domiciles, entries } = join([qantas]);
  expect(domiciles).toEqual([ofList('AU')]);
  const message = 'Qantas is domiciled in AU, but all its bases are in AT.';
  const entry = { severity: 'notice', field: 'bases', value: 'VIE', reason: 'domicile-conflict', message };
  expect(entries).toEqual([entry]);
});

test('the domicile of a carrier is in the overrides for many carriers by valid codes', () => {
  expect(listCarrierDomiciles().size).toBeGreaterThan(900);
  for (const [code, country] of listCarrierDomiciles())
    expect(`${code} ${country}`).toMatch(/^(?:[A-Z]{3}|[A-Z0-9]{2}(?:\/[a-z]+)?) [A-Z]{2}$/);
});

const read = async (...rows: readonly string[]) => {
  const report = createLoadReport('test');
  const file = createFeedFile('wac.csv', 'wac^wac_name^ctry_code_iso^state_code^to_date^is_latest', ...rows);
  const codes = await readWorldAreaCodes(file, report);
  return { codes: [...codes], values: report.entries.map(({ reason, value }) => `${reason} ${value}`) };
};

test('the world area code of a country is that of its area in force', async () => {
  const former = ['429^West Germany^DE^^1990-09-30^0', '428^East Germany^DD^^1990-09-30^1'];
  expect((await read(...former, '429^Germany^DE^^^1')).codes).toEqual([['DE', '429']]);
});

test('the world area code of a country is that of the area of the capital where the country is divided', async () => {
  const { codes } = await read('1^Alaska^US^AK^^1', '32^District of Columbia^US^DC^^1', '3^Puerto Rico^US^PR^^1');
  expect(codes.map(String)).toEqual(['US,32', 'PR,3']);
});

test('the world area code of a country is absent when a country is divided and no area was chosen', async () => {
  const russia = ['475^Europe^RU^^^1', '770^Asia^RU^^^1'];
  const { codes, values } = await read('901^North^ZZ^^^1', '902^South^ZZ^^^1', ...russia);
  expect(codes).toEqual([['RU', '475']]);
  expect(values.slice(0, 1)).toEqual(['world-area-of-country ZZ']);
  expect(values).toContain('world-area-of-country US');
});
