import type {
  CarrierFacts,
  City,
  EquipmentFacts,
  LocationFacts,
  LocationType,
  Validity,
} from '../../../../src/domain/master-data/master-data-facts.ts';
import { upsertCarriers } from '../../../../src/store/master-data/carriers.ts';
import { upsertCities } from '../../../../src/store/master-data/cities.ts';
import { upsertCountries } from '../../../../src/store/master-data/countries.ts';
import type { Sql } from '../../../../src/store/pool/database.ts';
import { upsertEquipment } from '../../../../src/store/master-data/equipment.ts';
import { insertReferencedIds } from '../../../../src/store/master-data/referenced-ids.ts';
import { upsertLocations, type LocationUpdate } from '../../../../src/store/master-data/locations.ts';
import { serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';

const always: Validity = { from: '', to: '' };
const noCodes = { iata: '', icao: '', faa: '' };

const station = (
  codes: Partial<Record<'iata' | 'icao' | 'faa', string>>,
  {
    name = '',
    city = '',
    country = '',
    at = [undefined, undefined],
    zone,
    rank = 1,
    type = 'Airport',
    ...facts
  }: {
    readonly name?: string;
    readonly city?: string;
    readonly country?: string;
    readonly at?: readonly [number | undefined, number | undefined];
    readonly zone?: string;
    readonly rank?: number;
    readonly type?: LocationType;
  } & Partial<Omit<LocationFacts, 'type'>>,
): LocationUpdate => ({
  ...noCodes,
  ...codes,
  name,
  cityCode: city,
  countryCode: country,
  latitude: at[0],
  longitude: at[1],
  zone,
  rank,
  facts: { type, cityName: '', region: { code: '', name: '' }, validity: always, provenance: {}, ...facts },
});

const london = { city: 'LON', country: 'GB', zone: 'Europe/London' };
const england = { code: 'GB-ENG', name: 'England' };
const newYork = { city: 'NYC', country: 'US', zone: 'America/New_York' };
const berlin = { city: 'BER', country: 'DE', zone: 'Europe/Berlin' };
const istanbul = { city: 'IST', country: 'TR', zone: 'Europe/Istanbul' };

const stations: readonly LocationUpdate[] = [
  station(
    { iata: 'LHR', icao: 'EGLL' },
    {
      ...london,
      name: 'London Heathrow Airport',
      at: [51.4706, -0.461941],
      region: england,
      provenance: { name: 'airportsdata', 'place.city.code': 'optd-por', 'place.region.code': 'ourairports' },
    },
  ),
  station({ iata: 'LGW', icao: 'EGKK' }, { ...london, name: 'London Gatwick Airport', at: [51.148102, -0.190278] }),
  station({ iata: 'QQP' }, { ...london, name: 'London Paddington', type: 'RailwayStation', at: [51.5167, -0.1769] }),
  station(
    { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
    { ...newYork, name: 'John F Kennedy International Airport', at: [40.639801, -73.7789] },
  ),
  station(
    { iata: 'JRB', icao: 'KJRB', faa: 'JRB' },
    { ...newYork, name: 'Downtown-Manhattan/Wall St Heliport', type: 'Heliport', at: [40.7012, -74.009] },
  ),
  station({ iata: 'NYS', faa: '6N7' }, { ...newYork, name: 'Skyports Seaplane Base', type: 'SeaplaneBase' }),
  station(
    { faa: 'NK39' },
    { country: 'US', name: 'One Field', cityName: 'Schenectady', zone: 'America/New_York', at: [42.5, -73.5] },
  ),
  station(
    { iata: 'ZBU' },
    { name: 'Busby', type: 'BusStation', country: 'US', validity: { from: '', to: '2026-06-30' } },
  ),
  station({ iata: 'ZPT' }, { name: 'Portby', type: 'Port', country: 'US' }),
  station(
    { iata: 'ZOF' },
    { name: 'Offby', type: 'OffPoint', country: 'US', validity: { from: '', to: '2026-06-30' } },
  ),
  station({ iata: 'TXL', icao: 'EDDT' }, { ...berlin, name: 'Tegel', validity: { from: '', to: '2020-11-08' } }),
  station(
    { iata: 'SXF', icao: 'EDDB' },
    { ...berlin, name: 'Schönefeld', validity: { from: '', to: '2020-10-24' }, rank: 2 },
  ),
  station({ iata: 'BER', icao: 'EDDB' }, { ...berlin, name: 'Brandenburg', validity: { from: '2020-10-31', to: '' } }),
  station({ iata: 'IST', icao: 'LTFM' }, { ...istanbul, name: 'Istanbul', validity: { from: '2019-04-06', to: '' } }),
  station(
    { iata: 'IST', icao: 'LTBA' },
    { ...istanbul, name: 'Atatürk', validity: { from: '', to: '2019-04-05' }, rank: 2 },
  ),
  station({ iata: 'LDH', icao: 'YLHI' }, { name: 'Lord Howe Island', country: 'AU', zone: 'Australia/Lord_Howe' }),
  station(
    { iata: 'GRU', icao: 'SBGR' },
    { name: "Guarulhos D'Oeste-Norte", city: 'SAO', country: 'BR', zone: 'America/Sao_Paulo' },
  ),
  station({ icao: 'EGVN' }, { name: 'Brize Norton', country: 'GB', zone: 'Europe/London' }),
];

const city = (code: string, name: string, { countryCode = '', zone = '', at = [0, 0] }): City => ({
  code,
  name,
  countryCode,
  zone,
  latitude: at[0],
  longitude: at[1],
  provenance: { name: 'airportsdata-macs' },
});

const cities: readonly City[] = [
  city('LON', 'London', { countryCode: 'GB', zone: 'Europe/London', at: [51.50853, -0.12574] }),
  city('NYC', 'New York', { countryCode: 'US', zone: 'America/New_York', at: [40.71427, -74.00597] }),
  city('BER', 'Berlin', { countryCode: 'DE', zone: 'Europe/Berlin', at: [52.52437, 13.41053] }),
  city('IST', 'İstanbul', { countryCode: 'TR', zone: 'Europe/Istanbul', at: [41.01384, 28.94966] }),
  city('SAO', 'São Paulo', { countryCode: 'BR', zone: 'America/Sao_Paulo', at: [-23.5475, -46.63611] }),
];

const carrierFacts = (facts: Partial<CarrierFacts>): CarrierFacts => ({
  domicile: { iso: '', dot: '' },
  formerNames: [],
  memberships: [],
  isCodeClaimed: false,
  validity: always,
  provenance: {},
  ...facts,
});

const british = { iso: 'GB', dot: '493' };

const saveCarriers = (sql: Sql) =>
  upsertCarriers(sql, [
    {
      iata: 'ZX',
      icao: 'ZXA',
      name: 'Zenith Example Airways',
      rank: 1,
      facts: carrierFacts({
        domicile: british,
        formerNames: [{ name: 'Äther-Flug', from: '2001-01-01', to: '2010-12-31' }],
        memberships: [
          { alliance: 'Twelve Winds', type: 'Member', from: '2005-01-01', to: '2019-12-31' },
          { alliance: 'Nine Stars', type: 'Member', from: '2021-01-01', to: '' },
        ],
        validity: { from: '2001-01-01', to: '' },
        provenance: { name: 'optd-airlines' },
      }),
    },
    {
      iata: 'ZX',
      icao: 'ZXC',
      name: 'Zenith Example Cargo',
      rank: 2,
      facts: carrierFacts({
        domicile: british,
        memberships: [{ alliance: 'Twelve Winds', type: 'Affiliate', from: '2011-04-01', to: '' }],
        validity: { from: '2011-04-01', to: '2030-12-31' },
      }),
    },
    { iata: 'ZX', icao: 'ZXQ', name: 'Claims Air', rank: 3, facts: carrierFacts({ isCodeClaimed: true }) },
    {
      iata: '9Q',
      icao: 'NQB',
      name: 'Nine Quays',
      rank: 1,
      facts: carrierFacts({ domicile: { iso: 'US', dot: '1' } }),
    },
    { iata: '', icao: 'QQX', name: 'Quick Quest', rank: 1, facts: carrierFacts({}) },
    { iata: 'WW', icao: '', name: '', rank: 1 },
  ]);

const equipmentFacts = (facts: Partial<EquipmentFacts>): EquipmentFacts => ({
  category: 'LandPlane',
  engine: { type: 'Jet', count: 2 },
  body: '',
  manufacturer: '',
  group: '',
  icaoTypes: [],
  faa: '',
  wakeTurbulence: '',
  serviceTypes: [],
  provenance: {},
  ...facts,
});

const boeing = { manufacturer: 'Boeing', body: 'Narrow', wakeTurbulence: 'M', serviceTypes: ['C', 'G', 'J'] } as const;

const saveEquipment = (sql: Sql) =>
  upsertEquipment(sql, [
    {
      iata: '789',
      icao: 'B789',
      name: 'Boeing 787-9',
      cargoTonnes: 15,
      facts: equipmentFacts({
        ...boeing,
        body: 'Wide',
        wakeTurbulence: 'H',
        group: '787',
        icaoTypes: ['B789'],
        faa: 'B789',
        provenance: { name: 'optd-aircraft' },
      }),
    },
    {
      iata: '737',
      icao: '',
      name: 'Boeing 737',
      cargoTonnes: undefined,
      facts: equipmentFacts({ ...boeing, icaoTypes: ['B737', 'B738'] }),
    },
    {
      iata: '73H',
      icao: 'B738',
      name: 'Boeing 737-800 winglets',
      cargoTonnes: 2,
      facts: equipmentFacts({ ...boeing, group: '737', icaoTypes: ['B738'] }),
    },
    {
      iata: '738',
      icao: 'B738',
      name: 'Boeing 737-800',
      cargoTonnes: 2,
      facts: equipmentFacts({ ...boeing, group: '737', icaoTypes: ['B738'] }),
    },
    {
      iata: '388',
      icao: 'A388',
      name: 'Airbus A380',
      cargoTonnes: 8,
      facts: equipmentFacts({ manufacturer: 'Airbus', engine: { type: 'Jet', count: 4 }, wakeTurbulence: 'J' }),
    },
    {
      iata: 'TRN',
      icao: '',
      name: 'Train',
      cargoTonnes: undefined,
      facts: equipmentFacts({
        category: 'SurfaceVehicle',
        engine: { type: '', count: undefined },
        serviceTypes: ['U'],
      }),
    },
    ...(
      [
        ['R44', 'Helicopter', 'Piston'],
        ['S76', 'Helicopter', 'Turboshaft'],
        ['DHC6', 'SeaPlane', 'Turboprop'],
        ['CL2T', 'Amphibian', 'Turboprop'],
        ['CAV4', 'Gyrocopter', 'Piston'],
        ['B609', 'TiltRotor', 'Turboshaft'],
        ['PIVE', 'LandPlane', 'Electric'],
        ['X15', 'LandPlane', 'Rocket'],
      ] as const
    ).map(([icao, category, type]) => ({
      iata: '',
      icao,
      name: icao,
      cargoTonnes: undefined,
      facts: equipmentFacts({
        category,
        engine: { type, count: 1 },
        icaoTypes: [icao],
        wakeTurbulence: icao === 'DHC6' ? 'L/M' : 'L',
      }),
    })),
    { iata: '320', icao: 'A320', name: '', cargoTonnes: undefined },
  ]);

/** Flights reference ZX, as its first carrier. */
const markCarriersInUse = async (sql: Sql): Promise<void> => {
  const rows = await sql<{ id: number }[]>`select id from carrier where icao = 'ZXA'`;
  await insertReferencedIds(sql, { carriers: rows.map(({ id }) => id), locations: [] });
};

/**
 * A service over locations of all types, areas with a limited validity, carriers that share a code and change their names, and
 * equipment of every kind; its clock is fixed at noon UTC of 1 June 2026. The station ZSN is in a schedule only.
 */
export const serveMasterData = async (): Promise<TinyService> => {
  const world = await serveTinyWorld();
  await world.db.begin(async (sql) => {
    for (const table of ['location', 'carrier', 'equipment', 'in_use']) await sql`delete from ${sql(table)}`;
    await upsertCountries(
      sql,
      new Map([
        ['GB', 'United Kingdom'],
        ['US', 'United States'],
        ['DE', 'Germany'],
        ['TR', 'Türkiye'],
      ]),
    );
    await upsertCities(sql, cities);
    await upsertLocations(sql, stations);
    await upsertLocations(sql, [
      {
        ...noCodes,
        iata: 'ZSN',
        name: '',
        cityCode: '',
        countryCode: '',
        latitude: undefined,
        longitude: undefined,
        zone: undefined,
        rank: 1,
      },
    ]);
    await saveCarriers(sql);
    await saveEquipment(sql);
    await markCarriersInUse(sql);
  });
  await world.refresh();
  return world;
};

/** Parses the JSON body of a response that must be 200. */
export const parseBody = async <T>(pending: Promise<Response>): Promise<T> => {
  const response = await pending;
  const body: T = await response.json();
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
};
