import type { LoadReport } from '#feeds/load-report.ts';
import { findDomicileByCode, findDomicileByName } from '#feeds/master-data/overrides/carrier-overrides.ts';
import type { RankedCarrier } from './rank-carriers.ts';

/** The country in which a carrier is domiciled, and the source of it. */
export type CarrierDomicile = { readonly iso: string; readonly source: 'own' | 'optd-airlines' };

/** Returns the first owner of each code, which is the carrier that the table of domiciles means. */
const indexFirstOwners = (carriers: readonly RankedCarrier[]): ReadonlyMap<string, RankedCarrier> =>
  new Map(
    carriers
      .flatMap((carrier) =>
        [carrier.icao, carrier.iata].map((code): readonly [string, RankedCarrier] => [code, carrier]),
      )
      .toReversed(),
  );

const findCountryOfBases = (
  { bases }: RankedCarrier,
  findCountry: (station: string) => string | undefined,
): string | undefined => {
  const [country, ...others] = new Set(bases.map((base) => findCountry(base) ?? ''));
  return others.length === 0 && country !== '' ? country : undefined;
};

/**
 * Returns the countries of carriers: the override, which applies to the first owner of a code and its company, else the country that
 * all bases share. `findCountry` returns the country of a station by IATA code. Bases that contradict the override are reported, and
 * so is the number of carriers without a country.
 */
export const joinDomiciles = (
  carriers: readonly RankedCarrier[],
  findCountry: (station: string) => string | undefined,
  report: LoadReport,
): ReadonlyMap<RankedCarrier, CarrierDomicile> => {
  const owners = indexFirstOwners(carriers);
  const findOverride = (carrier: RankedCarrier): string | undefined => {
    const { icao, iata, company } = carrier;
    const byName = findDomicileByName(carrier);
    if (byName !== undefined) return byName;
    for (const code of [icao, iata]) {
      const owner = code === '' ? undefined : owners.get(code);
      const isMeant = owner === carrier || (company !== '' && owner?.company === company);
      const country = isMeant ? findDomicileByCode(code) : undefined;
      if (country !== undefined) return country;
    }
    return undefined;
  };
  const domiciles = new Map<RankedCarrier, CarrierDomicile>();
  for (const carrier of carriers) {
    const override = findOverride(carrier);
    const ofBases = findCountryOfBases(carrier, findCountry);
    if (override !== undefined && ofBases !== undefined && override !== ofBases) {
      const message = `${carrier.name} is domiciled in ${override}, but all its bases are in ${ofBases}.`;
      report.entries.push({
        severity: 'notice',
        field: 'bases',
        value: carrier.bases.join('='),
        reason: 'domicile-conflict',
        message,
      });
    }
    if (override !== undefined) domiciles.set(carrier, { iso: override, source: 'own' });
    else if (ofBases !== undefined) domiciles.set(carrier, { iso: ofBases, source: 'optd-airlines' });
  }
  const unknown = carriers.length - domiciles.size;
  if (unknown > 0) {
    const message = `${unknown} of ${carriers.length} carriers have no country: no list contains one, and their bases are unknown or in several countries.`;
    report.entries.push({
      severity: 'notice',
      field: 'domicile',
      value: String(unknown),
      reason: 'domicile-unknown',
      message,
    });
  }
  return domiciles;
};
