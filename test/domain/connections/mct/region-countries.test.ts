import { expect, test } from 'vitest';
import { isInRegion, isRegion, regions } from '#domain/connections/mct/region-countries.ts';

const membersOf = (region: string): readonly string[] => [...(regions.get(region) ?? [])];
const parts = ['AFR', 'CAR', 'CEM', 'EUR', 'JAK', 'MDE', 'NOA', 'SAS', 'SEA', 'SOA', 'SWP'];

test('Schengen has its 29 countries of 2026, and Åland, and is a part of Europe', () => {
  const countries = 'AT AX BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';
  expect(membersOf('SCH').toSorted().join(' ')).toBe(countries);
  expect(membersOf('SCH').filter((country) => !isInRegion(country, 'EUR'))).toEqual([]);
  expect(['GB', 'IE', 'CY', 'TR', 'MA', 'SJ', 'FO'].filter((country) => isInRegion(country, 'SCH'))).toEqual([]);
});

test('a country belongs to one region, besides Schengen and its conference area', () => {
  const all = parts.flatMap(membersOf);
  expect(all.length).toBe(new Set(all).size);
  expect(all.every((country) => /^[A-Z]{2}$/.test(country))).toBe(true);
  expect(['TC1', 'TC2', 'TC3'].flatMap(membersOf).toSorted()).toEqual(all.toSorted());
});

test('only those of the 249 countries of ISO 3166-1, and Kosovo, without a scheduled flight are in no region', () => {
  const all = parts.flatMap(membersOf);
  expect(all.length).toBe(244);
  expect(['AQ', 'BV', 'GS', 'HM', 'IO', 'TF'].filter((country) => all.includes(country))).toEqual([]);
});

test('regions are those of tariffs, not of geography', () => {
  expect(isInRegion('TN', 'EUR')).toBe(true);
  expect(isInRegion('SD', 'MDE')).toBe(true);
  expect(isInRegion('PA', 'SOA')).toBe(true);
  expect(isInRegion('KZ', 'SEA')).toBe(true);
  expect(isInRegion('PR', 'CAR')).toBe(true);
});

test('unknown countries are in no region', () => {
  expect(isInRegion('', 'EUR')).toBe(false);
  expect(isInRegion('FR', 'XYZ')).toBe(false);
  expect([isRegion('SCH'), isRegion('TC3'), isRegion('XYZ'), isRegion('')]).toEqual([true, true, false, false]);
});
