import { describe, expect, test } from 'vitest';
import type { Carrier, CarrierPage, Equipment, EquipmentPage } from '#generated/master-data/v1/types.gen.ts';
import type { Location, LocationPage, Problem } from '#generated/master-data/v1/types.gen.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { getErrors, getJson } from '#test/products/responses.ts';
import { buildStation, serveMasterData } from './master-data-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveMasterData);

const location = (path: string): Promise<Location> => getJson(world, `/locations/${path}`);
const carrier = (path: string): Promise<Carrier> => getJson(world, `/carriers/${path}`);
const equipment = (path: string): Promise<Equipment> => getJson(world, `/equipment/${path}`);
const searchLocations = (query: string): Promise<LocationPage> => getJson(world, `/locations?${query}`);

const airportsdata = '© 2020- Mike Borsetti, © 2014 mwgg';
const optd = { licence: 'CC BY 4.0', attribution: '© OpenTravelData contributors' };
const london = { code: 'LON', name: 'London' };
const unitedKingdom = { code: 'GB', name: 'United Kingdom' };
const londonTime = {
  name: 'Europe/London',
  standardUtcVariation: '+0000',
  currentUtcVariation: '+0100',
  daylightSaving: {
    utcVariation: '+0100',
    periods: [
      { from: '2026-03-29T01:00:00+00:00', to: '2026-10-25T01:00:00+00:00' },
      { from: '2027-03-28T01:00:00+00:00', to: '2027-10-31T01:00:00+00:00' },
    ],
  },
};

describe('a record has its known members only', () => {
  test('an airport', async () => {
    expect(await location('lhr?Content=Provenance')).toEqual({
      code: { iata: 'LHR', icao: 'EGLL' },
      type: 'Airport',
      name: 'London Heathrow Airport',
      place: {
        city: london,
        region: { code: 'GB-ENG', name: 'England' },
        country: unitedKingdom,
        latitude: { decimalDegrees: 51.4706 },
        longitude: { decimalDegrees: -0.461941 },
      },
      timezone: londonTime,
      rank: 1,
      sharedCode: false,
      terminals: [{ code: '2' }, { code: '5' }],
      provenance: [
        { field: 'name', source: 'airportsdata: airports', licence: 'MIT', attribution: airportsdata },
        { field: 'place.city.code', source: 'OpenTravelData: points of reference', ...optd },
        { field: 'place.region.code', source: 'OurAirports', licence: 'Public domain (Unlicense)' },
        { field: 'terminals', source: 'Schedules loaded', licence: 'As the schedules' },
        { field: 'terminals', source: 'Minimum connecting times loaded', licence: 'As the minimum connecting times' },
      ],
    });
  });

  test('an airport of which only minimum connecting times name a terminal', async () => {
    const { terminals, provenance } = await location('JFK?Content=Provenance');
    expect(terminals).toEqual([{ code: '4' }]);
    expect(provenance).toEqual([
      { field: 'terminals', source: 'Minimum connecting times loaded', licence: 'As the minimum connecting times' },
    ]);
  });

  test('a metropolitan area, which serves airports but not the railway stations of its city', async () => {
    const longitude = { decimalDegrees: -0.12574 };
    expect(await location('LON')).toEqual({
      code: { iata: 'LON' },
      type: 'MetropolitanArea',
      name: 'London',
      place: { city: london, country: unitedKingdom, latitude: { decimalDegrees: 51.50853 }, longitude },
      timezone: londonTime,
      airports: ['LGW', 'LHR'],
      rank: 1,
      sharedCode: false,
    });
    expect((await location('NYC')).airports).toEqual(['JFK', 'JRB', 'NYS']);
  });

  test('a location without facts', async () => {
    expect(await location('ZSN')).toEqual({ code: { iata: 'ZSN' }, place: {}, rank: 1, sharedCode: false });
    expect((await location('NK39?CodeType=FAA')).place.city).toEqual({ name: 'Schenectady' });
  });

  test('a zone without daylight saving, and one with half an hour', async () => {
    const [istanbul, lordHowe] = [await location('IST'), await location('LDH')];
    const variations = { standardUtcVariation: '+0300', currentUtcVariation: '+0300' };
    expect(istanbul.timezone).toEqual({ name: 'Europe/Istanbul', ...variations });
    const halfHour = { standardUtcVariation: '+1030', currentUtcVariation: '+1030' };
    expect(lordHowe.timezone).toMatchObject({ ...halfHour, daylightSaving: { utcVariation: '+1100' } });
    expect((await location('JFK')).timezone?.standardUtcVariation).toBe('-0500');
  });

  test('a carrier', async () => {
    expect(await carrier('zx?Content=Provenance')).toEqual({
      code: { iata: 'ZX', icao: 'ZXA' },
      name: 'Zenith Example Airways',
      publishingCarrier: true,
      duplicateCarrier: true,
      iataCodeRank: 1,
      iataCodeAssignmentCategory: { code: 'Shared', name: 'Several carriers have the IATA code' },
      domicile: { country: { code: { iso: 'GB', dot: '493' }, name: 'United Kingdom' } },
      alliance: { name: 'Nine Stars', membership: 'Member' },
      validity: { from: '2001-01-01' },
      provenance: [{ field: 'name', source: 'OpenTravelData: airlines', ...optd }],
    });
    expect(await carrier('WW')).toEqual({
      code: { iata: 'WW' },
      publishingCarrier: false,
      duplicateCarrier: false,
      iataCodeRank: 1,
      iataCodeAssignmentCategory: { code: 'Unique', name: 'The carrier alone has the IATA code' },
    });
  });

  test('an aircraft type', async () => {
    expect(await equipment('789')).toEqual({
      code: { iata: '789', icao: 'B789', faa: 'B789' },
      icaoTypes: ['B789'],
      name: 'Boeing 787-9',
      category: 'LandPlane',
      engine: { type: 'Jet', count: 2 },
      body: 'Wide',
      manufacturer: 'Boeing',
      group: { iata: '787' },
      wakeTurbulence: 'H',
      cargoTonnage: 15,
      serviceTypes: ['C', 'G', 'J'],
    });
    expect(await equipment('320')).toEqual({ code: { iata: '320', icao: 'A320' }, icaoTypes: [], serviceTypes: [] });
    expect(await equipment('TRN')).not.toHaveProperty('engine');
    expect((await equipment('DHC6?CodeType=ICAO')).wakeTurbulence).toBe('L/M');
  });
});

test.each<readonly [query: string, expected: readonly string[]]>([
  ['AirportCode=lhr,JFK', ['JFK Airport', 'LHR Airport']],
  ['AirportCode=EGLL,jfk&CodeType=icao,iata', ['JFK Airport', 'LHR Airport']],
  ['AirportCode=JFK,NK39&CodeType=FAA', ['JFK Airport', 'NK39 Airport']],
  ['CodeType=FAA', ['JFK Airport', 'JRB Heliport', 'NYS SeaplaneBase', 'NK39 Airport']],
  ['CodeType=ICAO&CountryCode=gb', ['LGW Airport', 'LHR Airport', 'EGVN Airport']],
  ['CountryCode=DE,AU', ['BER Airport', 'LDH Airport']],
  ['CityCode=lon', ['LGW Airport', 'LHR Airport', 'LON MetropolitanArea', 'QQP RailwayStation']],
  ['Type=RailwayStation,busstation', ['QQP RailwayStation', 'ZBU BusStation']],
  ['Name=sao paulo doeste', ['GRU Airport']],
  ['Near=51.5,-0.12&WithinKm=30', ['LON MetropolitanArea', 'QQP RailwayStation', 'LHR Airport']],
  ['Near=-90,180&WithinKm=5', []],
  ['Near=90,-180&WithinKm=5', []],
])('a search of locations %s', async (query, expected) => {
  const { data } = await searchLocations(query);
  expect(data.map(({ code, type }) => `${code.iata ?? code.icao ?? code.faa} ${type ?? '-'}`)).toEqual(expected);
});

test('a search of locations without parameters returns all of today, by IATA code, then ICAO, then FAA', async () => {
  const { data, paging } = await searchLocations('Limit=1000');
  expect(data.map(({ code }) => code.iata ?? code.icao ?? code.faa).join(' ')).toBe(
    'BER GRU IST JFK JRB LDH LGW LHR LON NYC NYS QQP SAO ZBU ZOF ZPT ZSN EGVN NK39',
  );
  expect(paging).toEqual({ limit: 1000, totalCount: 19, totalPages: 1 });
});

test('a search of locations near a point returns distances, nearest first', async () => {
  const { data } = await searchLocations('Near=+51.5, -0.12&WithinKm=50&Type=Airport');
  const found = data.map(({ code, distance }) => `${code.iata} ${distance?.greatCircleKilometers}`);
  expect(found).toEqual(['LHR 23.9', 'LGW 39.4']);
});

const alone = { '': ['Near and WithinKm need each other.'] };
const north = 'must have a latitude from -90 to 90, not 90.5';
const west = 'must have a longitude from -180 to 180, not -180.5';
test.each<readonly [query: string, errors: object]>([
  ['Near=51.5,-0.12', alone],
  ['WithinKm=5', alone],
  ['Near=90.5,-180.5&WithinKm=5', { Near: [north, west] }],
  ['Near=90.5,0', { ...alone, Near: [north] }],
])('a search of locations %s is rejected', async (query, errors) => {
  expect(await getErrors(world, `/locations?${query}`)).toEqual(errors);
});

test.each<readonly [query: string, expected: string]>([
  ['', '9Q/NQB 1, WW/- 1, ZX/ZXA 1, ZX/ZXC 2, ZX/ZXQ 3, -/QQX -'],
  ['CarrierCode=zx', 'ZX/ZXA 1, ZX/ZXC 2, ZX/ZXQ 3'],
  ['CarrierCode=zxc,9Q&CodeType=ICAO,IATA', '9Q/NQB 1, ZX/ZXC 2'],
  ['CodeType=ICAO&PublishingCarrier=false', '9Q/NQB 1, ZX/ZXC 2, ZX/ZXQ 3, -/QQX -'],
  ['PublishingCarrier=TRUE', 'ZX/ZXA 1'],
  ['CarrierName=zenith cargo, quay', '9Q/NQB 1, ZX/ZXC 2'],
  ['CarrierName=ather flug&AsOf=2008-01-01', 'ZX/ZXA 1'],
  ['Alliance=twelve,nine', 'ZX/ZXA 1, ZX/ZXC 2'],
  ['Alliance=Twelve Winds&AsOf=2012-01-01', 'ZX/ZXA 1, ZX/ZXC 2'],
  ['CountryCode=gb,us', '9Q/NQB 1, ZX/ZXA 1, ZX/ZXC 2'],
])('a search of carriers %s', async (query, expected) => {
  const { data } = await getJson<CarrierPage>(world, `/carriers?${query}`);
  const found = data.map(({ code, iataCodeRank = '-' }) => `${code.iata ?? '-'}/${code.icao ?? '-'} ${iataCodeRank}`);
  expect(found.join(', ')).toBe(expected);
});

test('a search of carriers names a carrier with the code in a secondary source only', async () => {
  const { data } = await getJson<CarrierPage>(world, '/carriers?CarrierCode=ZXQ&CodeType=ICAO');
  expect(data.map(({ iataCodeAssignmentCategory: { code } }) => code)).toEqual(['Unconfirmed']);
});

describe('a search of equipment', () => {
  test.each<readonly [query: string, expected: readonly string[]]>([
    ['EquipmentCode=789,trn', ['789', 'TRN']],
    ['EquipmentCode=B789&CodeType=FAA', ['789']],
    ['Category=helicopter', ['R44', 'S76']],
    ['Body=Wide,Narrow&Manufacturer=boe', ['737', '738', '73H', '789']],
    ['Manufacturer=air,boe&Body=Wide', ['789']],
    ['EquipmentCode=b738&CodeType=ICAO', ['737', '738', '73H']],
  ])('with %s finds %j', async (query, expected) => {
    const { data } = await getJson<EquipmentPage>(world, `/equipment?${query}&Limit=100`);
    expect(data.map(({ code }) => code.iata ?? code.icao)).toEqual(expected);
  });

  test('of the types under one ICAO designator, the one with that designator precedes its family', async () => {
    expect((await equipment('B738?CodeType=ICAO')).code.iata).toBe('738');
    expect((await equipment('B737?CodeType=ICAO')).code.iata).toBe('737');
    expect((await equipment('R44?CodeType=IATA,ICAO')).code).toEqual({ icao: 'R44' });
  });
});

describe('AsOf returns the records of a day', () => {
  test.each([
    ['2008-01-01', 'Äther-Flug', 'Twelve Winds', 'Unique', false],
    ['2015-01-01', 'Zenith Example Airways', 'Twelve Winds', 'Shared', true],
    ['2020-06-01', 'Zenith Example Airways', undefined, 'Shared', true],
    ['2031-01-01', 'Zenith Example Airways', 'Nine Stars', 'Unique', false],
    ['1999-01-01', 'Claims Air', undefined, 'Unique', false],
  ])('on %s ZX is %s', async (day, ...expected) => {
    const { name, alliance, iataCodeAssignmentCategory, duplicateCarrier } = await carrier(`ZX?AsOf=${day}`);
    expect([name, alliance?.name, iataCodeAssignmentCategory.code, duplicateCarrier]).toEqual(expected);
  });

  test('the owner of a code is that of the day', async () => {
    expect((await location('IST?AsOf=2019-04-05')).name).toBe('Atatürk');
    expect((await location('IST?AsOf=2019-04-06')).name).toBe('Istanbul');
    const validity = { to: '2020-10-24' };
    const schoenefeld = { code: { iata: 'SXF', icao: 'EDDB' }, validity, rank: 1 };
    expect(await location('EDDB?CodeType=ICAO&AsOf=2020-10-24')).toMatchObject(schoenefeld);
    expect((await location('EDDB?CodeType=ICAO&AsOf=2020-10-31')).code.iata).toBe('BER');
  });

  test.each([
    ['2019-01-01', ['MetropolitanArea SXF,TXL 1 false']],
    ['2020-11-05', ['Airport  1 true', 'MetropolitanArea BER,TXL 2 true']],
    ['2026-06-01', ['Airport  1 false']],
  ])('on %s an area has the airports of the day, while it serves several beside a city', async (day, expected) => {
    const { data } = await searchLocations(`AirportCode=BER&AsOf=${day}`);
    const seen = data.map(
      ({ type, airports = [], rank, sharedCode }) => `${type} ${airports.join()} ${rank} ${sharedCode}`,
    );
    expect(seen).toEqual(expected);
  });

  test('a location has the current time offset, whatever the day', async () => {
    expect((await location('LHR?AsOf=2020-01-01')).timezone).toEqual(londonTime);
  });

  test('today is the UTC day by the clock of the service', async () => {
    const found: string[] = [];
    for (const day of ['2026-06-30', '2026-07-01', '2026-06-01']) {
      world.setToday(day);
      found.push((await searchLocations('AirportCode=ZBU,ZPT')).data.map(({ code }) => code.iata).join(' '));
    }
    expect(found).toEqual(['ZBU ZPT', 'ZPT', 'ZBU ZPT']);
  });

  test('a code without an owner today returns its last owner, as of that day', async () => {
    const last = await location('TXL');
    expect([last.name, last.validity]).toEqual(['Tegel', { to: '2020-11-08' }]);
    expect(last).toEqual(await location('TXL?AsOf=2020-11-08'));
  });
});

const asOf = 'send AsOf with a date in that period.';
test.each([
  ['locations/EGLL', 'IATA code EGLL on 2026-06-01. It is an ICAO code; send CodeType=ICAO.'],
  ['locations/NK39', 'IATA code NK39 on 2026-06-01. It is an FAA code; send CodeType=FAA.'],
  ['locations/LHR?CodeType=ICAO,FAA', 'ICAO or FAA code LHR on 2026-06-01. It is an IATA code; send CodeType=IATA.'],
  ['locations/txl?AsOf=2020-11-09', `IATA code TXL on 2020-11-09. One had it until 2020-11-08; ${asOf}`],
  [
    'locations/EDDB?CodeType=ICAO&AsOf=2020-10-28',
    `ICAO code EDDB on 2020-10-28. One has it from 2020-10-31 on; ${asOf}`,
  ],
  ['locations/QQQ', 'IATA code QQQ on 2026-06-01.'],
  ['carriers/ZXA', 'IATA code ZXA on 2026-06-01. It is an ICAO code; send CodeType=ICAO.'],
  [
    'carriers/ZXC?CodeType=ICAO&AsOf=2031-01-01',
    `ICAO code ZXC on 2031-01-01. One had it from 2011-04-01 to 2030-12-31; ${asOf}`,
  ],
  ['equipment/r44', 'IATA code R44. It is an ICAO code; send CodeType=ICAO.'],
])('%s has no owner: %s', async (path, detail) => {
  const kind = path.replace(/s?\/.*/, '');
  expect((await getJson<Problem>(world, `/${path}`, 404)).detail).toBe(`No ${kind} has the ${detail}`);
});

test('code systems are matched in the order of the parameter', async () => {
  expect((await location('JFK?CodeType=FAA,IATA')).code.iata).toBe('JFK');
  expect((await location('EGLL?CodeType=IATA,ICAO')).code.iata).toBe('LHR');
});

// This test adds a location.
test('a code that has its first owner after today has none', async () => {
  const validity = { from: '2026-07-01', to: '2026-12-31' };
  await world.db.begin((sql) => upsertLocations(sql, [buildStation('ZFU', { name: 'Future', validity })]));
  await world.refresh();
  expect((await location('ZFU?AsOf=2026-07-01')).name).toBe('Future');
  const { detail } = await getJson<Problem>(world, '/locations/ZFU', 404);
  expect(detail).toMatch(/^No location has the IATA code ZFU on 2026-06-01\./);
});
