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

type AirportRow = readonly [
  codes: string,
  name: string,
  position: readonly [latitude: number, longitude: number],
  place: `${keyof typeof zones} ${string}`,
  region: string,
  more?: Partial<Pick<LocationFacts, 'validity' | 'provenance' | 'cityName'>>,
];

const sources: Provenance = {
  code: 'airportsdata',
  name: 'airportsdata',
  'place.city.code': 'optd-por',
  'place.region': 'ourairports',
};

/** Airports with the codes of IATA, ICAO and FAA, country and city, and region; `-` is none. */
const airportRows: readonly AirportRow[] = [
  ['LHR EGLL -', 'London Heathrow Airport', [51.4706, -0.461941], 'GB LON', 'GB-ENG England'],
  ['LGW EGKK -', 'London Gatwick Airport', [51.148102, -0.190278], 'GB LON', 'GB-ENG England'],
  ['GLA EGPF -', 'Glasgow International Airport', [55.8735, -4.43306], 'GB GLA', 'GB-SCT Scotland'],
  ['CDG LFPG -', 'Paris Charles de Gaulle Airport', [49.012798, 2.55], 'FR PAR', 'FR-IDF Île-de-France'],
  ['OPO LPPR -', 'Porto Francisco Sá Carneiro Airport', [41.2481, -8.68139], 'PT OPO', 'PT-13 Porto'],
  [
    'JFK KJFK JFK',
    'John F Kennedy International Airport',
    [40.639801, -73.7789],
    'US NYC',
    'US-NY New York',
    { provenance: sources },
  ],
  ['BOS KBOS BOS', 'Boston Logan International Airport', [42.3643, -71.005203], 'US BOS', 'US-MA Massachusetts'],
  ['TEB KTEB TEB', 'Teterboro Airport', [40.850102, -74.060799], 'US TEB', 'US-NJ New Jersey'],
  ['- - 2G4', 'Garrett County Airport', [39.5803, -79.3394], 'US -', 'US-MD Maryland', { cityName: 'Oakland' }],
  ['SIN WSSS -', 'Singapore Changi Airport', [1.35019, 103.994003], 'SG SIN', '- '],
  ['SYD YSSY -', 'Sydney Kingsford Smith Airport', [-33.946098, 151.177002], 'AU SYD', 'AU-NSW New South Wales'],
  [
    'TXL EDDT -',
    'Berlin Tegel Airport',
    [52.5597, 13.2877],
    'DE BER',
    'DE-BE Berlin',
    { validity: { from: '', to: '2020-11-08' } },
  ],
];

const textOf = (text = ''): string => (text === '-' ? '' : text);

const airports: readonly LocationUpdate[] = airportRows.map(
  ([codes, name, [latitude, longitude], place, region, more = {}]) => {
    const [iata, icao, faa] = codes.split(' ').map(textOf);
    const [country, cityCode] = place.split(' ').map(textOf);
    const [code, ...words] = region.split(' ').map(textOf);
    const facts: LocationFacts = {
      type: 'Airport',
      cityName: '',
      region: { code: textOf(code), name: words.join(' ') },
      validity: always,
      provenance: {},
      ...more,
    };
    const zone = Object.entries(zones).find(([of]) => of === country)?.[1] ?? '';
    const coded = { iata: textOf(iata), icao: textOf(icao), faa: textOf(faa) };
    const placed = { cityCode: textOf(cityCode), countryCode: textOf(country), latitude, longitude, zone };
    return { ...coded, name, ...placed, rank: 1, facts };
  },
);

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

const since2011 = { validity: { from: '2011-04-01', to: '' } };

const saveTheCarriers = (sql: Sql): Promise<unknown> =>
  upsertCarriers(
    sql,
    (
      [
        ['ZX', 'ZXA', 'Zenith Example Airways', 1, 'GB 493', { memberships: [winds] }],
        ['ZX', 'ZXC', 'Zenith Example Cargo', 2, 'GB 493', since2011],
        ['9Q', 'NQB', 'Nine Quays', 1, 'US 1', { memberships: [winds] }],
        ['0Z', '', 'Offshore Zephyr', 1, 'PT 469', {}],
        ['', 'XJQ', 'Crossfield Jets', 1, 'US 1', {}],
      ] as const
    ).map(([iata, icao, name, rank, domicile, more]) => {
      const [iso = '', dot = ''] = domicile.split(' ');
      return { iata, icao, name, rank, facts: { ...carrierFacts(iso, dot), ...more } };
    }),
  );

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
