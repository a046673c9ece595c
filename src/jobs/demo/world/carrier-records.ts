import type { CarrierFacts, CarrierName, Membership } from '../../../domain/master-data/master-data-facts.ts';
import type { Carrier } from '../../../domain/master-data/master-data.ts';
import { businessOperators, carriers } from './carriers.ts';

type Told = {
  /** Country of its hub, and the world area code that the US Department of Transportation has for that country. */
  readonly domicile: readonly [iso: string, dot: string];
  readonly since: string;
  readonly until?: string;
  readonly formerNames?: readonly CarrierName[];
  readonly memberships?: readonly Membership[];
};

const ALLIANCE = 'Twelve Winds';

const inAlliance = (from: string, further: Partial<Membership> = {}): readonly Membership[] => [
  { alliance: ALLIANCE, type: 'Member', from, to: '', ...further },
];

/** Invented histories of the airlines and operators of the demo world, by ICAO code. */
const told: Readonly<Record<string, Told>> = {
  LDQ: { domicile: ['GB', '493'], since: '1974-04-01', memberships: inAlliance('1999-05-14') },
  LSQ: {
    domicile: ['US', '32'],
    since: '1958-09-15',
    formerNames: [{ name: 'Lakeshore Air Lines', from: '1958-09-15', to: '1983-12-31' }],
    memberships: inAlliance('1999-05-14'),
  },
  DLQ: { domicile: ['QA', '664'], since: '1994-01-20', memberships: inAlliance('2013-10-30', { to: '2022-03-26' }) },
  MGQ: { domicile: ['SG', '776'], since: '1972-10-01', memberships: inAlliance('2000-04-01') },
  HNQ: { domicile: ['JP', '736'], since: '1986-03-03', memberships: inAlliance('2007-04-01') },
  SYQ: { domicile: ['DK', '419'], since: '1989-06-01', memberships: inAlliance('2004-11-01', { type: 'Affiliate' }) },
  WRQ: { domicile: ['GB', '493'], since: '1995-11-10' },
  BQN: { domicile: ['US', '32'], since: '1981-02-09', memberships: inAlliance('1999-05-14', { type: 'Affiliate' }) },
  IWQ: {
    domicile: ['US', '32'],
    since: '1978-07-01',
    formerNames: [{ name: 'Ironwing Air Freight', from: '1978-07-01', to: '2001-03-24' }],
  },
  SOQ: { domicile: ['GB', '493'], since: '2002-05-01' },
  PEQ: {
    domicile: ['AU', '802'],
    since: '1968-08-12',
    formerNames: [{ name: 'Petrel Airways of the Pacific', from: '1968-08-12', to: '2018-10-27' }],
    memberships: inAlliance('2019-03-31'),
  },
  JCQ: { domicile: ['CL', '324'], since: '2005-10-30' },
  JQV: { domicile: ['US', '32'], since: '2009-01-05' },
  WQK: { domicile: ['US', '32'], since: '2014-06-16' },
  YWQ: { domicile: ['US', '32'], since: '1979-05-01', until: '2003-09-30' },
};

/** A carrier of the past: its IATA code went to Jacaranda Air, two years after it had ended. */
const former: Omit<Carrier, 'id'> = { iata: 'YF', icao: 'YWQ', name: 'Yellow Warbler Airways', rank: 2 };

const factsOf = ({ iata, icao }: Omit<Carrier, 'id'>): CarrierFacts | undefined => {
  const known = told[icao];
  if (!known) return undefined;
  const { domicile, since, until = '', formerNames = [], memberships = [] } = known;
  const fields = [
    ...(iata === '' ? [] : ['code.iata', 'iataCodeRank', 'iataCodeAssignmentCategory']),
    'code.icao',
    'name',
    'domicile.country.code.iso',
    'domicile.country.code.dot',
    'domicile.country.name',
    'validity.from',
    ...(until === '' ? [] : ['validity.to']),
    ...(memberships.length === 0 ? [] : ['alliance']),
  ];
  return {
    domicile: { iso: domicile[0], dot: domicile[1] },
    formerNames,
    memberships,
    isCodeClaimed: false,
    validity: { from: since, to: until },
    provenance: Object.fromEntries(fields.map((field) => [field, 'own'])),
  };
};

/** The carriers of the demo world as they are stored, with what is told of them: airlines, business operators and one of the past. */
export const demoCarriers: readonly (Omit<Carrier, 'id'> & { readonly facts: CarrierFacts | undefined })[] = [
  ...carriers.map(({ id: _, ...carrier }) => carrier),
  ...businessOperators.map((operator) => ({ ...operator, iata: '', rank: 1 })),
  former,
].map((carrier) => ({ ...carrier, facts: factsOf(carrier) }));
