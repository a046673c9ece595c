import type { CarrierFacts, Membership } from '../../../domain/master-data/master-data-facts.ts';
import type { Carrier } from '../../../domain/master-data/master-data.ts';
import { carrierRows } from './carriers.ts';

type CarrierRow = (typeof carrierRows)[number];

const ALLIANCE = 'Twelve Winds';

const buildMemberships = (row: CarrierRow): readonly Membership[] => {
  const type = row.alliance_membership;
  if (type !== 'Member' && type !== 'Affiliate') return [];
  return [{ alliance: ALLIANCE, type, from: row.member_from, to: row.member_until }];
};

const buildFacts = (row: CarrierRow): CarrierFacts => {
  const memberships = buildMemberships(row);
  const fields = [
    ...(row.iata === '' ? [] : ['code.iata', 'iataCodeRank', 'iataCodeAssignmentCategory']),
    'code.icao',
    'name',
    'domicile.country.code.iso',
    'domicile.country.code.dot',
    'domicile.country.name',
    'validity.from',
    ...(row.ended === '' ? [] : ['validity.to']),
    ...(memberships.length === 0 ? [] : ['alliance']),
  ];
  return {
    domicile: { iso: row.country, dot: row.dot_code },
    formerNames:
      row.former_name === '' ? [] : [{ name: row.former_name, from: row.founded, to: row.former_name_until }],
    memberships,
    isCodeClaimed: false,
    validity: { from: row.founded, to: row.ended },
    ...(row.economy_plus_letter !== '' && { cabinLetters: { [row.economy_plus_letter]: 'economyPlus' } }),
    provenance: Object.fromEntries(fields.map((field) => [field, 'own'])),
  };
};

/**
 * The carriers of the demo world with their facts: airlines, business operators and a former airline, whose IATA code
 * was assigned again two years after its end.
 */
export const demoCarriers: readonly (Omit<Carrier, 'id'> & { readonly facts: CarrierFacts })[] = carrierRows.map(
  (row) => ({ iata: row.iata, icao: row.icao, name: row.name, rank: Number(row.rank), facts: buildFacts(row) }),
);
