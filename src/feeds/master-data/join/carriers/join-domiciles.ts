import type { LoadReport } from '../../../load-report.ts';
import { findDomicileByCode, findDomicileByName } from '../../overrides/carrier-overrides.ts';
import type { RankedCarrier } from './rank-carriers.ts';

/** Where a carrier is domiciled, and the source of it. */
export type Domicile = { readonly iso: string; readonly source: 'own' | 'optd-airlines' };

/** The first owner of each code, whom the list of domiciles means. */
const firstOwners = (carriers: readonly RankedCarrier[]): ReadonlyMap<string, RankedCarrier> =>
  new Map(
    carriers
      .flatMap((carrier) =>
        [carrier.icao, carrier.iata].map((code): readonly [string, RankedCarrier] => [code, carrier]),
      )
      .toReversed(),
  );

const countryOfBases = (
  { bases }: RankedCarrier,
  countryOf: (station: string) => string | undefined,
): string | undefined => {
  const [country, ...others] = new Set(bases.map((base) => countryOf(base) ?? ''));
  return others.length === 0 && country !== '' ? country : undefined;
};

/**
 * Tells the countries of carriers: those of the service's own list, which holds for the first owner of a code and its
 * company; else the country that all bases of a carrier share; else none. `countryOf` is that of a station by IATA code.
 * A list and bases that disagree are reported, and so is the number of carriers without a country.
 */
export const joinDomiciles = (
  carriers: readonly RankedCarrier[],
  countryOf: (station: string) => string | undefined,
  report: LoadReport,
): ReadonlyMap<RankedCarrier, Domicile> => {
  const owners = firstOwners(carriers);
  const listed = (carrier: RankedCarrier): string | undefined => {
    const { icao, iata, company } = carrier;
    const named = findDomicileByName(carrier);
    if (named !== undefined) return named;
    for (const code of [icao, iata]) {
      const owner = code === '' ? undefined : owners.get(code);
      const isMeant = owner === carrier || (company !== '' && owner?.company === company);
      const country = isMeant ? findDomicileByCode(code) : undefined;
      if (country !== undefined) return country;
    }
    return undefined;
  };
  const domiciles = new Map<RankedCarrier, Domicile>();
  for (const carrier of carriers) {
    const own = listed(carrier);
    const based = countryOfBases(carrier, countryOf);
    if (own !== undefined && based !== undefined && own !== based) {
      const message = `${carrier.name} is domiciled in ${own}, though all its bases are in ${based}.`;
      report.entries.push({
        severity: 'notice',
        field: 'bases',
        value: carrier.bases.join('='),
        reason: 'domicile-conflict',
        message,
      });
    }
    if (own !== undefined) domiciles.set(carrier, { iso: own, source: 'own' });
    else if (based !== undefined) domiciles.set(carrier, { iso: based, source: 'optd-airlines' });
  }
  const without = carriers.length - domiciles.size;
  if (without > 0) {
    const message = `${without} of ${carriers.length} carriers have no country: they are in no list, and their bases are unknown or in several.`;
    report.entries.push({
      severity: 'notice',
      field: 'domicile',
      value: String(without),
      reason: 'domicile-unknown',
      message,
    });
  }
  return domiciles;
};
