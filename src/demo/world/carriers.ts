import { toOwnProvenance } from './airports.ts';
import type { Carrier } from '#domain/master-data/master-data.ts';
import { parseChoice, readCsvTable } from '#lib/csv-table.ts';
import type { CarrierFacts } from '#domain/master-data/master-data-facts.ts';

/** The rows of carriers.csv. */
export const carrierRows = readCsvTable(
  new URL('data/carriers.csv', import.meta.url),
  'iata,icao,name,rank,service,in_flight_services,registration,first_registration,country,dot_code,founded,ended,former_name,former_name_until,alliance_membership,member_from,member_until,economy_plus_letter',
);

/** The airlines of the demo world; the other carriers have no scheduled flights and no meal service. */
export const carriers = carrierRows.filter(({ service }) => service !== '');

const fleets = Map.groupBy(
  readCsvTable(new URL('data/fleets.csv', import.meta.url), 'carrier,equipment,configuration'),
  ({ carrier }) => carrier,
);

const airlines = new Map(
  carriers.map((row) => [
    row.iata,
    {
      ...row,
      service: parseChoice(row.service, ['full', 'sold', 'none']),
      /** In-flight service codes of all its flights. */
      inFlightServices: row.in_flight_services.split(' ').filter((code) => code !== ''),
      /** The configuration of each type, as filed. */
      fleet: new Map((fleets.get(row.iata) ?? []).map(({ equipment, configuration }) => [equipment, configuration])),
    },
  ]),
);

/** An invented airline. */
type DemoAirline = NonNullable<ReturnType<typeof airlines.get>>;

/** ICAO codes of the operators of business aviation. */
export const businessOperators: readonly string[] = carrierRows
  .filter(({ iata }) => iata === '')
  .map(({ icao }) => icao);

/** Returns an airline of the demo world; throws RangeError for other codes. */
export const getAirline = (iata: string): DemoAirline => {
  const airline = airlines.get(iata);
  if (!airline) throw new RangeError(`no airline of the demo world: '${iata}'`);
  return airline;
};

/** Returns the configuration in which an airline flies a type; throws RangeError when its fleet has no such type. */
export const getConfiguration = (carrier: string, equipment: string): string => {
  const configuration = getAirline(carrier).fleet.get(equipment);
  if (configuration === undefined) throw new RangeError(`${carrier} has no ${equipment} in its fleet`);
  return configuration;
};

const buildFacts = (row: (typeof carrierRows)[number]): CarrierFacts => {
  const { alliance_membership: type, member_from: from, member_until: to } = row;
  const memberships =
    type === '' ? [] : [{ alliance: 'Twelve Winds', type: parseChoice(type, ['Member', 'Affiliate']), from, to }];
  return {
    domicile: { iso: row.country, dot: row.dot_code },
    formerNames:
      row.former_name === '' ? [] : [{ name: row.former_name, from: row.founded, to: row.former_name_until }],
    memberships,
    isCodeClaimed: false,
    validity: { from: row.founded, to: row.ended },
    ...(row.economy_plus_letter !== '' && { cabinLetters: { [row.economy_plus_letter]: 'economyPlus' } }),
    provenance: toOwnProvenance({
      'code.iata': row.iata,
      'code.icao': row.icao,
      name: row.name,
      iataCodeRank: row.iata,
      iataCodeAssignmentCategory: row.iata,
      'domicile.country.code.iso': row.country,
      'domicile.country.code.dot': row.dot_code,
      'domicile.country.name': row.country,
      alliance: type,
      'validity.from': row.founded,
      'validity.to': row.ended,
    }),
  };
};

/** The carriers of the demo world: airlines, business operators, and a former airline whose IATA code was assigned again. */
export const demoCarriers: readonly (Omit<Carrier, 'id'> & { readonly facts: CarrierFacts })[] = carrierRows.map(
  (row) => ({ iata: row.iata, icao: row.icao, name: row.name, rank: Number(row.rank), facts: buildFacts(row) }),
);
