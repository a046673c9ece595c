import type { CabinLetters } from '#domain/master-data/cabin-letters.ts';
import type { Carrier } from '#domain/master-data/master-data.ts';
import type { CarrierFacts, Provenance } from '#domain/master-data/master-data-facts.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import type { Airline } from '#feeds/master-data/sources/airlines.ts';
import type { AllianceMember } from '#feeds/master-data/sources/alliances.ts';
import { joinDomiciles, type CarrierDomicile } from './join-domiciles.ts';
import { joinMemberships, type CarrierMemberships } from './join-memberships.ts';
import { rankCarriers, type RankedCarrier } from './rank-carriers.ts';
import type { WorldAreaCodes } from '#feeds/master-data/sources/countries.ts';

export type CarrierSources = {
  readonly airlines: readonly Airline[];
  readonly operators: readonly Airline[];
  readonly members: readonly AllianceMember[];
  readonly worldAreas: WorldAreaCodes;
  /** By designator as filed. */
  readonly cabinLetters: ReadonlyMap<string, CabinLetters>;
  /** Returns the ISO 3166-1 alpha-2 country of a station by its IATA code. */
  readonly findCountry: (station: string) => string | undefined;
};

/** A carrier ready to be stored. */
export type DescribedCarrier = Omit<Carrier, 'id'> & { readonly facts: CarrierFacts };

type JoinedFacts = {
  readonly dot: string;
  readonly domicile: CarrierDomicile | undefined;
  readonly alliances: CarrierMemberships | undefined;
};

/** Returns the source of each property that has a value. */
const listProvenance = (carrier: RankedCarrier, { dot, domicile, alliances }: JoinedFacts): Provenance => {
  const list = carrier.list === 'airlines' ? 'optd-airlines' : 'vrs-airlines';
  const fields: readonly (readonly [field: string, value: string, source: string])[] = [
    ['code.iata', carrier.iata, list],
    ['code.icao', carrier.icao, carrier.icaoSource ?? list],
    ['name', carrier.name, list],
    ['iataCodeRank', carrier.iata, 'own'],
    ['iataCodeAssignmentCategory', carrier.iata, 'own'],
    ['domicile.country.code.iso', domicile?.iso ?? '', domicile?.source ?? ''],
    ['domicile.country.code.dot', dot, 'optd-wac'],
    ['domicile.country.name', domicile?.iso ?? '', 'ourairports'],
    ['alliance', alliances ? alliances.source : '', alliances?.source ?? ''],
    ['validity.from', carrier.startedOn, list],
    ['validity.to', carrier.endedOn, carrier.isEndOverridden ? 'own' : list],
  ];
  return Object.fromEntries(fields.filter(([, value]) => value !== '').map(([field, , source]) => [field, source]));
};

/**
 * Returns the carriers of a master data directory with their rank among the owners of their IATA code, names, dates, alliances and
 * domicile. Contradictions and gaps of the sources are reported.
 */
export const describeCarriers = (
  { airlines, operators, members, worldAreas, cabinLetters, findCountry }: CarrierSources,
  report: LoadReport,
): readonly DescribedCarrier[] => {
  const carriers = rankCarriers(airlines, operators, report);
  const memberships = joinMemberships(carriers, members, report);
  const domiciles = joinDomiciles(carriers, findCountry, report);
  const countriesWithoutArea = new Set<string>();
  const described = carriers.map((carrier): DescribedCarrier => {
    const { iata, icao, name, rank, isCodeClaimed, precededUntil, formerNames, startedOn, endedOn } = carrier;
    const domicile = domiciles.get(carrier);
    const alliances = memberships.get(carrier);
    const dot = domicile ? (worldAreas.get(domicile.iso) ?? '') : '';
    if (domicile && dot === '') countriesWithoutArea.add(domicile.iso);
    // Schedules resolve a designator to its first owner.
    const letters = rank === 1 ? (cabinLetters.get(iata) ?? cabinLetters.get(icao)) : undefined;
    return {
      iata,
      icao,
      name,
      rank,
      facts: {
        ...(letters && { cabinLetters: letters }),
        domicile: { iso: domicile?.iso ?? '', dot },
        formerNames,
        memberships: alliances?.memberships ?? [],
        isCodeClaimed,
        ...(precededUntil === '' ? {} : { precededUntil }),
        validity: { from: startedOn, to: endedOn },
        provenance: listProvenance(carrier, { dot, domicile, alliances }),
      },
    };
  });
  const designators = new Set(carriers.flatMap(({ rank, iata, icao }) => (rank === 1 ? [iata, icao] : [])));
  for (const designator of cabinLetters.keys()) {
    if (designators.has(designator)) continue;
    const message = `No carrier has the designator ${designator}, for which there are cabin letters; they are not used.`;
    report.entries.push({
      severity: 'notice',
      field: 'carrier',
      value: designator,
      reason: 'cabin-letters-without-carrier',
      message,
    });
  }
  for (const country of worldAreas.size === 0 ? [] : countriesWithoutArea) {
    const message = `No world area code of the US Department of Transportation for ${country}, the domicile of a carrier.`;
    report.entries.push({
      severity: 'notice',
      field: 'domicile',
      value: country,
      reason: 'world-area-unknown',
      message,
    });
  }
  return described;
};
