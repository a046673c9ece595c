import type { CarrierFacts, City, EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import type { LocationFacts, LocationType, Validity } from '#domain/master-data/master-data-facts.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { upsertCities } from '#store/master-data/cities.ts';
import { upsertCountries } from '#store/master-data/countries.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { insertReferencedIds } from '#store/master-data/referenced-ids.ts';
import { upsertLocations, type LocationUpdate } from '#store/master-data/locations.ts';
import { insertScheduleTerminals, replaceConnectingTimeTerminals } from '#store/master-data/terminals.ts';
import { serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';

const always: Validity = { from: '', to: '' };
const until = (to: string): Validity => ({ from: '', to });
const since = (from: string): Validity => ({ from, to: '' });

type StationFacts = Partial<Omit<LocationFacts, 'type'>> & {
  readonly name?: string;
  readonly city?: string;
  readonly country?: string;
  readonly at?: readonly [latitude: number, longitude: number];
  readonly zone?: string;
  readonly rank?: number;
  readonly type?: LocationType;
};

/** A station by its codes: IATA, ICAO and FAA with slashes between. */
export const buildStation = (
  codes: string,
  { name = '', city = '', country = '', at, zone, rank = 1, type = 'Airport', ...facts }: StationFacts,
): LocationUpdate => {
  const [iata = '', icao = '', faa = ''] = codes.split('/');
  const place = { name, cityCode: city, countryCode: country, latitude: at?.[0], longitude: at?.[1], zone, rank };
  const unknown = { cityName: '', region: { code: '', name: '' }, validity: always, provenance: {} };
  return { iata, icao, faa, ...place, facts: { type, ...unknown, ...facts } };
};

const london = { city: 'LON', country: 'GB', zone: 'Europe/London' };
const heathrow = {
  ...london,
  region: { code: 'GB-ENG', name: 'England' },
  provenance: { name: 'airportsdata', 'place.city.code': 'optd-por', 'place.region.code': 'ourairports' },
};
const newYork = { city: 'NYC', country: 'US', zone: 'America/New_York' };
const berlin = { city: 'BER', country: 'DE', zone: 'Europe/Berlin' };
const istanbul = { city: 'IST', country: 'TR', zone: 'Europe/Istanbul' };
const saoPaulo = { city: 'SAO', country: 'BR', zone: 'America/Sao_Paulo' };
const oneField = { cityName: 'Schenectady', country: 'US', zone: 'America/New_York' };

const stations: readonly LocationUpdate[] = [
  buildStation('LHR/EGLL', { ...heathrow, name: 'London Heathrow Airport', at: [51.4706, -0.461941] }),
  buildStation('LGW/EGKK', { ...london, name: 'London Gatwick Airport', at: [51.148102, -0.190278] }),
  buildStation('QQP', { ...london, name: 'London Paddington', type: 'RailwayStation', at: [51.5167, -0.1769] }),
  buildStation('JFK/KJFK/JFK', { ...newYork, name: 'John F Kennedy International Airport', at: [40.639801, -73.7789] }),
  buildStation('JRB/KJRB/JRB', { ...newYork, name: 'Wall St Heliport', type: 'Heliport', at: [40.7012, -74.009] }),
  buildStation('NYS//6N7', { ...newYork, name: 'Skyports Seaplane Base', type: 'SeaplaneBase' }),
  buildStation('//NK39', { ...oneField, name: 'One Field', at: [42.5, -73.5] }),
  buildStation('ZBU', { name: 'Busby', type: 'BusStation', country: 'US', validity: until('2026-06-30') }),
  buildStation('ZPT', { name: 'Portby', type: 'Port', country: 'US' }),
  buildStation('ZOF', { name: 'Offby', type: 'OffPoint', country: 'US', validity: until('2026-06-30') }),
  buildStation('TXL/EDDT', { ...berlin, name: 'Tegel', validity: until('2020-11-08') }),
  buildStation('SXF/EDDB', { ...berlin, name: 'Schönefeld', validity: until('2020-10-24'), rank: 2 }),
  buildStation('BER/EDDB', { ...berlin, name: 'Brandenburg', validity: since('2020-10-31') }),
  buildStation('IST/LTFM', { ...istanbul, name: 'Istanbul', validity: since('2019-04-06') }),
  buildStation('IST/LTBA', { ...istanbul, name: 'Atatürk', validity: until('2019-04-05'), rank: 2 }),
  buildStation('LDH/YLHI', { name: 'Lord Howe Island', country: 'AU', zone: 'Australia/Lord_Howe' }),
  buildStation('GRU/SBGR', { ...saoPaulo, name: "Guarulhos D'Oeste-Norte" }),
  buildStation('/EGVN', { name: 'Brize Norton', country: 'GB', zone: 'Europe/London' }),
];

type Place = { readonly country: string; readonly zone: string };

const city = (
  name: string,
  place: Place & { readonly city: string },
  [latitude, longitude]: readonly number[],
): City => ({
  code: place.city,
  name,
  countryCode: place.country,
  zone: place.zone,
  latitude,
  longitude,
  provenance: { name: 'airportsdata-macs' },
});

const cities: readonly City[] = [
  city('London', london, [51.50853, -0.12574]),
  city('New York', newYork, [40.71427, -74.00597]),
  city('Berlin', berlin, [52.52437, 13.41053]),
  city('İstanbul', istanbul, [41.01384, 28.94966]),
  city('São Paulo', saoPaulo, [-23.5475, -46.63611]),
];

/** A carrier by its IATA and ICAO codes with a slash between. */
export const buildCarrier = (
  code: string,
  rank: number,
  { name = '', ...facts }: Partial<CarrierFacts> & { name?: string },
) => {
  const [iata = '', icao = ''] = code.split('/');
  const unknown = { domicile: { iso: '', dot: '' }, formerNames: [], memberships: [], isCodeClaimed: false };
  return { iata, icao, name, rank, facts: { ...unknown, validity: always, provenance: {}, ...facts } };
};

const british = { iso: 'GB', dot: '493' };
const zenith: Partial<CarrierFacts> = {
  domicile: british,
  formerNames: [{ name: 'Äther-Flug', from: '2001-01-01', to: '2010-12-31' }],
  memberships: [
    { alliance: 'Twelve Winds', type: 'Member', from: '2005-01-01', to: '2019-12-31' },
    { alliance: 'Nine Stars', type: 'Member', from: '2021-01-01', to: '' },
  ],
  validity: since('2001-01-01'),
  provenance: { name: 'optd-airlines' },
};
const cargo: Partial<CarrierFacts> = {
  domicile: british,
  memberships: [{ alliance: 'Twelve Winds', type: 'Affiliate', from: '2011-04-01', to: '' }],
  validity: { from: '2011-04-01', to: '2030-12-31' },
};

const carriers = [
  buildCarrier('ZX/ZXA', 1, { ...zenith, name: 'Zenith Example Airways' }),
  buildCarrier('ZX/ZXC', 2, { ...cargo, name: 'Zenith Example Cargo' }),
  buildCarrier('ZX/ZXQ', 3, { name: 'Claims Air', isCodeClaimed: true }),
  buildCarrier('9Q/NQB', 1, { name: 'Nine Quays', domicile: { iso: 'US', dot: '1' } }),
  buildCarrier('/QQX', 1, { name: 'Quick Quest' }),
  { iata: 'WW', icao: '', name: '', rank: 1 },
];

/** An aircraft type by its IATA and ICAO codes with a slash between. */
export const buildEquipment = (
  code: string,
  name: string,
  { cargoTonnes, ...facts }: Partial<EquipmentFacts> & { cargoTonnes?: number },
) => {
  const [iata = '', icao = ''] = code.split('/');
  const texts = { body: '', manufacturer: '', group: '', faa: '', wakeTurbulence: '' } as const;
  const unknown: EquipmentFacts = {
    ...texts,
    category: 'LandPlane',
    engine: { type: 'Jet', count: 2 },
    icaoTypes: [],
    serviceTypes: [],
    provenance: {},
  };
  return { iata, icao, name, cargoTonnes, facts: { ...unknown, ...facts } };
};

const boeing = { manufacturer: 'Boeing', body: 'Narrow', wakeTurbulence: 'M', serviceTypes: ['C', 'G', 'J'] } as const;
const b738 = { ...boeing, cargoTonnes: 2, group: '737', icaoTypes: ['B738'] };
const provenance = { name: 'optd-aircraft' };
const b789 = { body: 'Wide', wakeTurbulence: 'H', group: '787', icaoTypes: ['B789'], faa: 'B789' } as const;
const a388 = { manufacturer: 'Airbus', engine: { type: 'Jet', count: 4 }, wakeTurbulence: 'J' } as const;
const train = { category: 'SurfaceVehicle', engine: { type: '', count: undefined }, serviceTypes: ['U'] } as const;

const aircraft = [
  buildEquipment('789/B789', 'Boeing 787-9', { ...boeing, ...b789, cargoTonnes: 15, provenance }),
  buildEquipment('737', 'Boeing 737', { ...boeing, icaoTypes: ['B737', 'B738'] }),
  buildEquipment('73H/B738', 'Boeing 737-800 winglets', b738),
  buildEquipment('738/B738', 'Boeing 737-800', b738),
  buildEquipment('388/A388', 'Airbus A380', { ...a388, cargoTonnes: 8 }),
  buildEquipment('TRN', 'Train', train),
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
  ).map(([icao, category, engine]) =>
    buildEquipment(`/${icao}`, icao, {
      category,
      engine: { type: engine, count: 1 },
      icaoTypes: [icao],
      wakeTurbulence: icao === 'DHC6' ? 'L/M' : 'L',
    }),
  ),
  { iata: '320', icao: 'A320', name: '', cargoTonnes: undefined },
];

const countries = { GB: 'United Kingdom', US: 'United States', DE: 'Germany', TR: 'Türkiye' };

/**
 * A service over locations of all types, areas with a limited validity, carriers that share a code and change their names, and
 * equipment of every kind. Schedules name terminals 2 and 5 of LHR, minimum connecting times 5 of LHR and 4 of JFK. Its clock is fixed at noon UTC of 1 June 2026. The station ZSN is in a schedule only.
 */
export const serveMasterData = async (): Promise<TinyService> => {
  const world = await serveTinyWorld();
  await world.db.begin(async (sql) => {
    for (const table of ['location', 'carrier', 'equipment', 'in_use']) await sql`delete from ${sql(table)}`;
    await upsertCountries(sql, new Map(Object.entries(countries)));
    await upsertCities(sql, cities);
    const { facts: _, ...filed } = buildStation('ZSN', {});
    await upsertLocations(sql, stations);
    await upsertLocations(sql, [filed]);
    await upsertCarriers(sql, carriers);
    await upsertEquipment(sql, aircraft);
    // Flights reference ZX, as its first carrier.
    const rows = await sql<{ id: number }[]>`select id from carrier where icao = 'ZXA'`;
    await insertReferencedIds(sql, { carriers: rows.map(({ id }) => id), locations: [] });
    const [heathrowRow] = await sql<{ id: number }[]>`select id from location where iata = 'LHR'`;
    const locationId = heathrowRow?.id ?? 0;
    await insertScheduleTerminals(sql, [
      { locationId, code: '5' },
      { locationId, code: '2' },
    ]);
    await replaceConnectingTimeTerminals(sql, [
      { station: 'LHR', code: '5' },
      { station: 'JFK', code: '4' },
      { station: 'QQQ', code: '1' },
    ]);
  });
  await world.refresh();
  return world;
};
