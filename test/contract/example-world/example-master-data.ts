import type {
  City,
  EquipmentFacts,
  LocationFacts,
  Provenance,
} from '../../../src/domain/master-data/master-data-facts.ts';
import { upsertCarriers } from '../../../src/store/master-data/carriers.ts';
import { upsertCities } from '../../../src/store/master-data/cities.ts';
import { upsertCountries } from '../../../src/store/master-data/countries.ts';
import type { Sql } from '../../../src/store/pool/database.ts';
import { upsertEquipment } from '../../../src/store/master-data/equipment.ts';
import { upsertLocations, type LocationUpdate } from '../../../src/store/master-data/locations.ts';

const always = { from: '', to: '' };
const zones = {
  AU: 'Australia/Sydney',
  DE: 'Europe/Berlin',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  PT: 'Europe/Lisbon',
  SG: 'Asia/Singapore',
  US: 'America/New_York',
} as const;

type Codes = Pick<LocationUpdate, 'iata' | 'icao' | 'faa'>;

type Area = {
  readonly country: keyof typeof zones;
  readonly city: string;
  readonly cityName?: string;
  readonly region: LocationFacts['region'];
};

type Facts = Partial<Pick<LocationFacts, 'validity' | 'provenance'>>;

const airport = (
  [iata, icao, faa]: readonly [iata: string, icao: string, faa: string],
  [name, latitude, longitude]: readonly [name: string, latitude: number, longitude: number],
  { country, city, cityName = '', region, validity = always, provenance = {} }: Area & Facts,
): LocationUpdate => {
  const codes: Codes = { iata, icao, faa };
  const facts: LocationFacts = { type: 'Airport', cityName, region, validity, provenance };
  return {
    ...codes,
    name,
    cityCode: city,
    countryCode: country,
    latitude,
    longitude,
    zone: zones[country],
    rank: 1,
    facts,
  };
};

const london: Area = { country: 'GB', city: 'LON', region: { code: 'GB-ENG', name: 'England' } };
const sources: Provenance = {
  code: 'airportsdata',
  name: 'airportsdata',
  'place.city.code': 'optd-por',
  'place.region': 'ourairports',
};

const airports: readonly LocationUpdate[] = [
  airport(['LHR', 'EGLL', ''], ['London Heathrow Airport', 51.4706, -0.461941], london),
  airport(['LGW', 'EGKK', ''], ['London Gatwick Airport', 51.148102, -0.190278], london),
  airport(['GLA', 'EGPF', ''], ['Glasgow International Airport', 55.8735, -4.43306], {
    country: 'GB',
    city: 'GLA',
    region: { code: 'GB-SCT', name: 'Scotland' },
  }),
  airport(['CDG', 'LFPG', ''], ['Paris Charles de Gaulle Airport', 49.012798, 2.55], {
    country: 'FR',
    city: 'PAR',
    region: { code: 'FR-IDF', name: 'Île-de-France' },
  }),
  airport(['OPO', 'LPPR', ''], ['Porto Francisco Sá Carneiro Airport', 41.2481, -8.68139], {
    country: 'PT',
    city: 'OPO',
    region: { code: 'PT-13', name: 'Porto' },
  }),
  airport(['JFK', 'KJFK', 'JFK'], ['John F Kennedy International Airport', 40.639801, -73.7789], {
    country: 'US',
    city: 'NYC',
    region: { code: 'US-NY', name: 'New York' },
    provenance: sources,
  }),
  airport(['BOS', 'KBOS', 'BOS'], ['Boston Logan International Airport', 42.3643, -71.005203], {
    country: 'US',
    city: 'BOS',
    region: { code: 'US-MA', name: 'Massachusetts' },
  }),
  airport(['TEB', 'KTEB', 'TEB'], ['Teterboro Airport', 40.850102, -74.060799], {
    country: 'US',
    city: 'TEB',
    region: { code: 'US-NJ', name: 'New Jersey' },
  }),
  airport(['', '', '2G4'], ['Garrett County Airport', 39.5803, -79.3394], {
    country: 'US',
    city: '',
    cityName: 'Oakland',
    region: { code: 'US-MD', name: 'Maryland' },
  }),
  airport(['SIN', 'WSSS', ''], ['Singapore Changi Airport', 1.35019, 103.994003], {
    country: 'SG',
    city: 'SIN',
    region: { code: '', name: '' },
  }),
  airport(['SYD', 'YSSY', ''], ['Sydney Kingsford Smith Airport', -33.946098, 151.177002], {
    country: 'AU',
    city: 'SYD',
    region: { code: 'AU-NSW', name: 'New South Wales' },
  }),
  airport(['TXL', 'EDDT', ''], ['Berlin Tegel Airport', 52.5597, 13.2877], {
    country: 'DE',
    city: 'BER',
    region: { code: 'DE-BE', name: 'Berlin' },
    validity: { from: '', to: '2020-11-08' },
  }),
];

const city = (
  code: string,
  name: string,
  [country, latitude, longitude]: readonly [country: keyof typeof zones, latitude: number, longitude: number],
): City => ({ code, name, countryCode: country, zone: zones[country], latitude, longitude, provenance: {} });

const cities: readonly City[] = [
  city('BER', 'Berlin', ['DE', 52.52437, 13.41053]),
  city('BOS', 'Boston', ['US', 42.35843, -71.05977]),
  city('GLA', 'Glasgow', ['GB', 55.86515, -4.25763]),
  city('LON', 'London', ['GB', 51.50853, -0.12574]),
  city('NYC', 'New York', ['US', 40.71427, -74.00597]),
  city('OPO', 'Porto', ['PT', 41.14961, -8.61099]),
  city('PAR', 'Paris', ['FR', 48.85341, 2.3488]),
  city('SIN', 'Singapore', ['SG', 1.28967, 103.85007]),
  city('SYD', 'Sydney', ['AU', -33.86785, 151.20732]),
  city('TEB', 'Teterboro', ['US', 40.85982, -74.05931]),
];

const countries = new Map([
  ['AU', 'Australia'],
  ['DE', 'Germany'],
  ['FR', 'France'],
  ['GB', 'United Kingdom'],
  ['PT', 'Portugal'],
  ['SG', 'Singapore'],
  ['US', 'United States'],
]);

const carrierFacts = (iso: string, dot: string) => ({
  domicile: { iso, dot },
  formerNames: [],
  memberships: [],
  isCodeClaimed: false,
  validity: always,
  provenance: {},
});

const winds = { alliance: 'Twelve Winds', type: 'Member', from: '2005-01-01', to: '' } as const;

const saveTheCarriers = (sql: Sql): Promise<unknown> =>
  upsertCarriers(sql, [
    {
      iata: 'ZX',
      icao: 'ZXA',
      name: 'Zenith Example Airways',
      rank: 1,
      facts: { ...carrierFacts('GB', '493'), memberships: [winds] },
    },
    {
      iata: 'ZX',
      icao: 'ZXC',
      name: 'Zenith Example Cargo',
      rank: 2,
      facts: { ...carrierFacts('GB', '493'), validity: { from: '2011-04-01', to: '' } },
    },
    {
      iata: '9Q',
      icao: 'NQB',
      name: 'Nine Quays',
      rank: 1,
      facts: { ...carrierFacts('US', '1'), memberships: [winds] },
    },
    { iata: '0Z', icao: '', name: 'Offshore Zephyr', rank: 1, facts: carrierFacts('PT', '469') },
    { iata: '', icao: 'XJQ', name: 'Crossfield Jets', rank: 1, facts: carrierFacts('US', '1') },
  ]);

const plane: EquipmentFacts = {
  category: 'LandPlane',
  engine: { type: 'Jet', count: 2 },
  body: 'Narrow',
  manufacturer: 'Boeing',
  group: '',
  icaoTypes: [],
  faa: '',
  wakeTurbulence: 'M',
  serviceTypes: ['C', 'G', 'J'],
  provenance: {},
};
const dreamliner: Partial<EquipmentFacts> = { body: 'Wide', wakeTurbulence: 'H', group: '787' };

const aircraft = (
  [iata, icao, name]: readonly [iata: string, icao: string, name: string],
  cargoTonnes: number | undefined,
  facts: Partial<EquipmentFacts> = {},
) => {
  const icaoTypes = icao === '' ? [] : [icao];
  return { iata, icao, name, cargoTonnes, facts: { ...plane, icaoTypes, faa: icao, ...facts } };
};

const saveTheEquipment = (sql: Sql): Promise<unknown> =>
  upsertEquipment(sql, [
    aircraft(['320', 'A320', 'Airbus A320'], 2, { manufacturer: 'Airbus', group: '32S' }),
    aircraft(['388', 'A388', 'Airbus A380-800'], 12, {
      manufacturer: 'Airbus',
      body: 'Wide',
      engine: { type: 'Jet', count: 4 },
      wakeTurbulence: 'J',
      group: '380',
    }),
    aircraft(['737', '', 'Boeing 737'], 2, {
      icaoTypes: ['B731', 'B732', 'B733', 'B734', 'B735', 'B736', 'B737', 'B738', 'B739'],
    }),
    aircraft(['738', 'B738', 'Boeing 737-800'], 2, { group: '737' }),
    aircraft(['73H', 'B738', 'Boeing 737-800 with winglets'], 2, { group: '737' }),
    aircraft(['77X', 'B77L', 'Boeing 777F'], 103, {
      body: 'Wide',
      wakeTurbulence: 'H',
      group: '777',
      serviceTypes: ['A', 'F', 'H', 'M'],
    }),
    aircraft(['788', 'B788', 'Boeing 787-8'], 13, dreamliner),
    aircraft(['789', 'B789', 'Boeing 787-9'], 15, dreamliner),
    aircraft(['', 'C56X', 'Cessna Citation Excel'], undefined, { manufacturer: 'Cessna', serviceTypes: [] }),
    aircraft(['TRN', '', 'Train'], undefined, {
      category: 'SurfaceVehicle',
      engine: { type: '', count: undefined },
      body: '',
      manufacturer: '',
      wakeTurbulence: '',
      serviceTypes: ['U'],
    }),
  ]);

/** Inserts the locations, carriers and equipment of the examples into an empty store; `sql` must be a transaction. */
export const insertExampleMasterData = async (sql: Sql): Promise<void> => {
  await upsertCountries(sql, countries);
  await upsertCities(sql, cities);
  await upsertLocations(sql, airports);
  await saveTheCarriers(sql);
  await saveTheEquipment(sql);
};
