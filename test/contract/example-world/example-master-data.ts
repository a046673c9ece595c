import type { CarrierFacts, EquipmentFacts, LocationFacts } from '#domain/master-data/master-data-facts.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { upsertCities } from '#store/master-data/cities.ts';
import { upsertCountries } from '#store/master-data/countries.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import type { Sql } from '#store/pool/database.ts';
import { buildCarrier, buildEquipment, buildStation } from '#test/products/master-data/v1/master-data-service.ts';

const countries = {
  AU: ['Australia', 'Australia/Sydney'],
  DE: ['Germany', 'Europe/Berlin'],
  FR: ['France', 'Europe/Paris'],
  GB: ['United Kingdom', 'Europe/London'],
  PT: ['Portugal', 'Europe/Lisbon'],
  SG: ['Singapore', 'Asia/Singapore'],
  US: ['United States', 'America/New_York'],
} as const;

type Position = readonly [latitude: number, longitude: number];
type Place = readonly [country: keyof typeof countries, city?: string];
type AirportRow = readonly [
  codes: string,
  name: string,
  position: Position,
  place: Place,
  region: string,
  more?: Partial<Omit<LocationFacts, 'type'>>,
];

const source = 'airportsdata';
const provenance = { code: source, name: source, 'place.city.code': 'optd-por', 'place.region': 'ourairports' };
const kennedy = 'John F Kennedy International Airport';
const sydney = 'Sydney Kingsford Smith Airport';
const closed = { validity: { from: '', to: '2020-11-08' } };

/** Airports with the codes of IATA, ICAO and FAA, country and city, and region. */
const airports: readonly AirportRow[] = [
  ['LHR/EGLL', 'London Heathrow Airport', [51.4706, -0.461941], ['GB', 'LON'], 'GB-ENG England'],
  ['LGW/EGKK', 'London Gatwick Airport', [51.148102, -0.190278], ['GB', 'LON'], 'GB-ENG England'],
  ['GLA/EGPF', 'Glasgow International Airport', [55.8735, -4.43306], ['GB', 'GLA'], 'GB-SCT Scotland'],
  ['CDG/LFPG', 'Paris Charles de Gaulle Airport', [49.012798, 2.55], ['FR', 'PAR'], 'FR-IDF Île-de-France'],
  ['OPO/LPPR', 'Porto Francisco Sá Carneiro Airport', [41.2481, -8.68139], ['PT', 'OPO'], 'PT-13 Porto'],
  ['JFK/KJFK/JFK', kennedy, [40.639801, -73.7789], ['US', 'NYC'], 'US-NY New York', { provenance }],
  ['BOS/KBOS/BOS', 'Boston Logan International Airport', [42.3643, -71.005203], ['US', 'BOS'], 'US-MA Massachusetts'],
  ['TEB/KTEB/TEB', 'Teterboro Airport', [40.850102, -74.060799], ['US', 'TEB'], 'US-NJ New Jersey'],
  ['//2G4', 'Garrett County Airport', [39.5803, -79.3394], ['US'], 'US-MD Maryland', { cityName: 'Oakland' }],
  ['SIN/WSSS', 'Singapore Changi Airport', [1.35019, 103.994003], ['SG', 'SIN'], ''],
  ['SYD/YSSY', sydney, [-33.946098, 151.177002], ['AU', 'SYD'], 'AU-NSW New South Wales'],
  ['TXL/EDDT', 'Berlin Tegel Airport', [52.5597, 13.2877], ['DE', 'BER'], 'DE-BE Berlin', closed],
];

const cities: readonly (readonly [name: string, place: Place, position: Position])[] = [
  ['Berlin', ['DE', 'BER'], [52.52437, 13.41053]],
  ['Boston', ['US', 'BOS'], [42.35843, -71.05977]],
  ['Glasgow', ['GB', 'GLA'], [55.86515, -4.25763]],
  ['London', ['GB', 'LON'], [51.50853, -0.12574]],
  ['New York', ['US', 'NYC'], [40.71427, -74.00597]],
  ['Porto', ['PT', 'OPO'], [41.14961, -8.61099]],
  ['Paris', ['FR', 'PAR'], [48.85341, 2.3488]],
  ['Singapore', ['SG', 'SIN'], [1.28967, 103.85007]],
  ['Sydney', ['AU', 'SYD'], [-33.86785, 151.20732]],
  ['Teterboro', ['US', 'TEB'], [40.85982, -74.05931]],
];

const british = { iso: 'GB', dot: '493' };
const american = { iso: 'US', dot: '1' };
const memberships: CarrierFacts['memberships'] = [
  { alliance: 'Twelve Winds', type: 'Member', from: '2005-01-01', to: '' },
];
const since2011 = { from: '2011-04-01', to: '' };

const carriers = [
  buildCarrier('ZX/ZXA', 1, { name: 'Zenith Example Airways', domicile: british, memberships }),
  buildCarrier('ZX/ZXC', 2, { name: 'Zenith Example Cargo', domicile: british, validity: since2011 }),
  buildCarrier('9Q/NQB', 1, { name: 'Nine Quays', domicile: american, memberships }),
  buildCarrier('0Z', 1, { name: 'Offshore Zephyr', domicile: { iso: 'PT', dot: '469' } }),
  buildCarrier('/XJQ', 1, { name: 'Crossfield Jets', domicile: american }),
];

const passenger = ['C', 'G', 'J'];
const jet = { body: 'Narrow', manufacturer: 'Boeing', wakeTurbulence: 'M', serviceTypes: passenger } as const;
const wide = { ...jet, body: 'Wide', wakeTurbulence: 'H' } as const;
const airbus = { ...jet, manufacturer: 'Airbus' };
const large = { ...airbus, body: 'Wide', engine: { type: 'Jet', count: 4 }, wakeTurbulence: 'J' } as const;
const train = { category: 'SurfaceVehicle', engine: { type: '', count: undefined }, serviceTypes: ['U'] } as const;

/** The aircraft of the examples; the designators of ICAO and FAA are equal. */
const aircraft = (code: string, name: string, facts: Partial<EquipmentFacts> & { cargoTonnes?: number }) => {
  const icao = code.split('/')[1];
  return buildEquipment(code, name, { ...(icao !== undefined && { icaoTypes: [icao], faa: icao }), ...facts });
};

const equipment = [
  aircraft('320/A320', 'Airbus A320', { ...airbus, cargoTonnes: 2, group: '32S' }),
  aircraft('388/A388', 'Airbus A380-800', { ...large, cargoTonnes: 12, group: '380' }),
  aircraft('737', 'Boeing 737', { ...jet, cargoTonnes: 2, icaoTypes: [...'123456789'].map((one) => `B73${one}`) }),
  aircraft('738/B738', 'Boeing 737-800', { ...jet, cargoTonnes: 2, group: '737' }),
  aircraft('73H/B738', 'Boeing 737-800 with winglets', { ...jet, cargoTonnes: 2, group: '737' }),
  aircraft('77X/B77L', 'Boeing 777F', { ...wide, cargoTonnes: 103, group: '777', serviceTypes: ['A', 'F', 'H', 'M'] }),
  aircraft('788/B788', 'Boeing 787-8', { ...wide, cargoTonnes: 13, group: '787' }),
  aircraft('789/B789', 'Boeing 787-9', { ...wide, cargoTonnes: 15, group: '787' }),
  aircraft('/C56X', 'Cessna Citation Excel', { ...jet, manufacturer: 'Cessna', serviceTypes: [] }),
  aircraft('TRN', 'Train', train),
];

/** Inserts the locations, carriers and equipment of the examples into an empty store; `sql` must be a transaction. */
export const insertExampleMasterData = async (sql: Sql): Promise<void> => {
  await upsertCountries(sql, new Map(Object.entries(countries).map(([code, [name]]) => [code, name])));
  const filed = cities.map(([name, [countryCode, code = ''], [latitude, longitude]]) => {
    const place = { countryCode, zone: countries[countryCode][1], latitude, longitude };
    return { code, name, ...place, provenance: {} };
  });
  await upsertCities(sql, filed);
  const stations = airports.map(([codes, name, at, [country, city = ''], region, more]) => {
    const [code = '', ...words] = region.split(' ');
    const place = { country, city, at, zone: countries[country][1], region: { code, name: words.join(' ') } };
    return buildStation(codes, { name, ...place, ...more });
  });
  await upsertLocations(sql, stations);
  await upsertCarriers(sql, carriers);
  await upsertEquipment(sql, equipment);
};
