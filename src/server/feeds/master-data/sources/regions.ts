import { foldText } from '#domain/master-data/name-words.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { findRegionCode } from '../overrides/station-overrides.ts';

export type Region = { readonly code: string; readonly name: string };

/** Regions of countries, by ISO 3166-2 code, or by country and a name in any common spelling. */
export type RegionIndex = {
  readonly findByCode: (code: string) => Region | undefined;
  readonly findByName: (countryCode: string, name: string) => Region | undefined;
};

/** Words that one source adds to the name of a region and another leaves out. */
const genericWords =
  /\b(department|province|region|state|district|governorate|parish|county|prefecture|municipality|territory|oblast|kray|krai|republic|autonomous|islands?|city|federal|voivodeship|canton|emirate|division|administrative|community|comunidad|principado|foral|of|de|the|and)\b/g;
const toNameKey = (name: string): string => foldText(name).replace(/[^\p{Letter}\p{Number}]/gu, '');
const toBareKey = (name: string): string => toNameKey(foldText(name).replace(genericWords, ' '));

/**
 * Reads the states, provinces and other regions of countries (ourairports_regions.csv). Text in brackets is not part of a name;
 * rows of unassigned areas and of abolished regions are skipped.
 */
export const readRegions = async (file: FeedFile, report: LoadReport): Promise<RegionIndex> => {
  const byCode = new Map<string, Region>();
  const byName = [new Map<string, Region>(), new Map<string, Region>(), new Map<string, Region>()] as const;
  const columns = ['code', 'name', 'iso_country', 'keywords'] as const;
  for await (const { values } of readCsvRows(file, { columns, separator: ',', report })) {
    const name = values.name.replace(/ ?\([^)]*\)/g, '').trim();
    if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(values.code) || name === '' || /\(old\)/i.test(values.name)) continue;
    const region = { code: values.code, name };
    byCode.set(values.code, region);
    const others = values.keywords.split(',').filter((keyword) => !keyword.startsWith('Airports in'));
    for (const [index, keys] of [[toNameKey(name)], [toBareKey(name)], others.map(toNameKey)].entries()) {
      for (const key of keys) {
        const keyInCountry = `${values.iso_country} ${key}`;
        const regions = byName[index];
        if (key !== '' && regions && !regions.has(keyInCountry)) regions.set(keyInCountry, region);
      }
    }
  }
  const findByName = (countryCode: string, name: string): Region | undefined => {
    const override = byCode.get(findRegionCode(countryCode, name) ?? '');
    if (override) return override;
    const keys = [toNameKey(name), toBareKey(name)].filter((key) => key !== '').map((key) => `${countryCode} ${key}`);
    for (const names of byName) {
      for (const key of keys) {
        const region = names.get(key);
        if (region) return region;
      }
    }
    return undefined;
  };
  return { findByCode: (code) => byCode.get(code), findByName };
};

/** An empty index, for imports without the file. */
export const noRegions: RegionIndex = { findByCode: () => undefined, findByName: () => undefined };
