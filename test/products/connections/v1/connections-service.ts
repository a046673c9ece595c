import type { MctFile } from '../../../../src/domain/connections/mct/mct-record.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { EquipmentFacts, LocationFacts } from '../../../../src/domain/master-data/master-data-facts.ts';
import { upsertCarriers } from '../../../../src/store/master-data/carriers.ts';
import { upsertEquipment } from '../../../../src/store/master-data/equipment.ts';
import { upsertLocations } from '../../../../src/store/master-data/locations.ts';
import { replaceMctFile } from '../../../../src/store/connections/mct.ts';
import {
  buildCarrier,
  header,
  buildLeg,
  buildSegment,
  buildTrailer,
  buildWholeFile,
  type RecordBytes,
} from '../../../feeds/ssim/build-file.ts';
import { mct, side } from '../../../support/mct-lines.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';

type TestAirport = readonly [
  iata: string,
  city: string,
  country: string,
  region: string,
  latitude: number,
  longitude: number,
  zone: string,
];

const airports: readonly TestAirport[] = [
  ['LHR', 'LON', 'GB', '', 51.4706, -0.461941, 'Europe/London'],
  ['LGW', 'LON', 'GB', '', 51.148102, -0.190278, 'Europe/London'],
  ['GLA', 'GLA', 'GB', '', 55.8735, -4.43306, 'Europe/London'],
  ['ABZ', 'ABZ', 'GB', '', 57.2019, -2.19778, 'Europe/London'],
  ['EDI', 'EDI', 'GB', '', 55.95, -3.3725, 'Europe/London'],
  ['CDG', 'PAR', 'FR', '', 49.012798, 2.55, 'Europe/Paris'],
  ['OPO', 'OPO', 'PT', '', 41.2481, -8.68139, 'Europe/Lisbon'],
  ['JFK', 'NYC', 'US', 'US-NY', 40.639801, -73.7789, 'America/New_York'],
  ['BOS', 'BOS', 'US', 'US-MA', 42.3643, -71.005203, 'America/New_York'],
  ['SIN', 'SIN', 'SG', '', 1.35019, 103.994003, 'Asia/Singapore'],
  ['SYD', 'SYD', 'AU', 'AU-NSW', -33.946098, 151.177002, 'Australia/Sydney'],
];

const locationFacts = (region: string): LocationFacts => ({
  type: 'Airport',
  cityName: '',
  region: { code: region, name: '' },
  validity: { from: '', to: '' },
  provenance: {},
});

const twinjet: EquipmentFacts = {
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
};

type Route = readonly [board: string, off: string];
type Times = readonly [departure: string, arrival: string];

/** A flight by its designator, its route and its times. */
const flight = (designator: string, [board, off]: Route, [departs, arrives]: Times, more: RecordBytes = {}): string =>
  buildLeg({
    3: designator.slice(0, 2),
    6: designator.slice(2),
    37: board,
    40: departs,
    44: departs,
    48: '+0000',
    55: off,
    58: arrives,
    62: arrives,
    66: '+0000',
    73: '320',
    ...more,
  });

const supplement = (dei: number, data: string, of: { readonly designator: string; readonly route: Route }): string =>
  buildSegment(dei, data, { 3: of.designator.slice(0, 2), 6: of.designator.slice(2), 34: of.route.join('') });

/** The period of the schedule as it is filed, and the same a day later. */
type FiledPeriod = {
  readonly from: string;
  readonly to: string;
  readonly dayAfterFrom: string;
  readonly dayAfterTo: string;
};

const nextDay = { 193: '01' };
const toLondon = ['GLA', 'LHR'] as const;
const toNewYork = ['LHR', 'JFK'] as const;
const saturdays = { 29: '     6 ' };

type CreateLeg = (designator: string, route: Route, times: Times, more?: RecordBytes) => string;

/** Flights with a traffic restriction each. */
const restricted = (fly: CreateLeg): readonly string[] => [
  fly('ZX0901', toLondon, ['0705', '0830'], { 150: 'A' }),
  fly('ZX0903', toLondon, ['0705', '0830'], { 150: 'N' }),
  fly('ZX0904', toLondon, ['0705', '0830'], { 150: 'C' }),
  fly('ZX0905', toLondon, ['0705', '0830'], { 150: 'A' }),
  supplement(710, 'X', { designator: 'ZX0905', route: toLondon }),
  fly('ZX0906', toLondon, ['0705', '0830'], { 150: 'G' }),
  fly('ZX0907', toLondon, ['0705', '0830']),
  supplement(170, 'A', { designator: 'ZX0907', route: toLondon }),
  supplement(171, 'A', { designator: 'ZX0907', route: toLondon }),
  supplement(711, 'X', { designator: 'ZX0907', route: toLondon }),
  fly('ZX0908', toNewYork, ['1105', '1405'], { 73: '789', 150: 'G' }),
];

const zenith = ({ from, to, dayAfterFrom, dayAfterTo }: FiledPeriod): readonly string[] => {
  const fly: CreateLeg = (designator, route, times, more = {}) =>
    flight(designator, route, times, { 15: from, 22: to, ...more });
  const wideBody = { 73: '789' };
  return [
    fly('ZX0015', ['SYD', 'SIN'], ['2100', '0200'], { ...wideBody, ...nextDay, 29: '1 3 5 7' }),
    fly('ZX0015', ['SIN', 'LHR'], ['0330', '0940'], {
      ...wideBody,
      12: '02',
      15: dayAfterFrom,
      22: dayAfterTo,
      29: '12 4 6 ',
      71: '5',
      193: '11',
    }),
    buildSegment(10, '9Q 5015 ', { 3: 'ZX', 6: '0015', 12: '02', 29: 'BC', 34: 'SINLHR' }),
    fly('ZX0101', toNewYork, ['1100', '1400'], { ...wideBody, 53: '5', 71: '8' }),
    supplement(10, '9Q 5101 ', { designator: 'ZX0101', route: toNewYork }),
    fly('ZX0205', ['LHR', 'GLA'], ['1215', '1340'], { 53: '5', 29: '12345  ' }),
    fly('ZX0207', ['LHR', 'EDI'], ['1230', '1355'], { 53: '5' }),
    fly('ZX0300', ['EDI', 'LHR'], ['0700', '0830'], { 14: 'Q', 71: '5' }),
    fly('ZX0302', ['LHR', 'CDG'], ['1230', '1450'], { 14: 'L', 53: '5', 2: 'A' }),
    fly('ZX0411', ['LHR', 'SIN'], ['1300', '0945'], { ...wideBody, ...nextDay, 29: '   4   ' }),
    fly('ZX0420', ['LHR', 'QQX'], ['1300', '1400']),
    ...restricted(fly),
    fly('ZX1302', toLondon, ['0700', '0825'], { 71: '5' }),
    fly('ZX1400', ['ABZ', 'GLA'], ['0530', '0620']),
    fly('ZX7001', toNewYork, ['2200', '0100'], { ...nextDay, 14: 'F', 36: '2', 73: '77X', ...saturdays }),
    fly('ZX7009', toLondon, ['1900', '2030'], { 14: 'F', 150: 'M', ...saturdays }),
    fly('ZX7010', toLondon, ['1900', '2030'], { 14: 'F', ...saturdays }),
  ];
};

const nine = ({ from, to, dayAfterFrom, dayAfterTo }: FiledPeriod): readonly string[] => {
  const fly: CreateLeg = (designator, route, times, more = {}) =>
    flight(designator, route, times, { 15: from, 22: to, ...more });
  const marketing = { 73: '789', 129: 'ZX', 149: 'L' };
  return [
    fly('9Q0088', ['JFK', 'BOS'], ['1600', '1720']),
    fly('9Q0089', ['BOS', 'JFK'], ['0900', '1015']),
    fly('9Q5015', ['SIN', 'LHR'], ['0330', '0940'], {
      ...marketing,
      15: dayAfterFrom,
      22: dayAfterTo,
      29: '12 4 6 ',
      71: '5',
    }),
    supplement(50, 'ZX 0015 ', { designator: '9Q5015', route: ['SIN', 'LHR'] }),
    fly('9Q5101', toNewYork, ['1100', '1400'], { ...marketing, 53: '5', 71: '8' }),
    supplement(50, 'ZX 0101 ', { designator: '9Q5101', route: toNewYork }),
    fly('9Q5302', ['LHR', 'CDG'], ['1230', '1450'], { ...marketing, 14: 'L', 53: '5' }),
    supplement(50, 'ZX 0302A', { designator: '9Q5302', route: ['LHR', 'CDG'] }),
  ];
};

const offshore = ({ from, to }: FiledPeriod): readonly string[] => {
  const fly: CreateLeg = (designator, route, times, more = {}) =>
    flight(designator, route, times, { 15: from, 22: to, ...more });
  return [
    fly('0Z0440', ['LGW', 'OPO'], ['1330', '1550']),
    fly('0Z0461', ['BOS', 'JFK'], ['0600', '0715']),
    fly('0Z0470', ['LHR', 'CDG'], ['0900', '1120']),
    fly('0Z0471', ['CDG', 'OPO'], ['1400', '1525']),
    fly('0Z0480', ['OPO', 'JFK'], ['1200', '1500']),
    fly('0Z0902', toLondon, ['0705', '0830'], { 150: 'Y' }),
  ];
};

/**
 * The schedule of these tests. Through London, with Zenith Example Airways (ZX) and Nine Quiet Birds (9Q), which sells flights of ZX, and
 * Offshore Zephyr (0Z), which has no partners:
 *
 * | flight           | way         | what it is for                                        |
 * |------------------|-------------|-------------------------------------------------------|
 * | ZX 1302, 300     | to LHR      | feeders from Glasgow and, with freight too, Edinburgh |
 * | ZX 15            | SYD-SIN-LHR | with a stop, sold from Singapore as 9Q 5015           |
 * | ZX 101           | LHR-JFK     | sold as 9Q 5101                                       |
 * | 9Q 88            | JFK-BOS     | interline with ZX 101                                 |
 * | 0Z 440           | LGW-OPO     | offline, from the other airport of London             |
 * | ZX 1400          | ABZ-GLA     | domestic, to ZX 1302                                  |
 * | ZX 7010, 7001    | GLA-LHR-JFK | freighters on Saturdays, ZX 7001 on every other       |
 * | ZX 90x, 0Z 902   | GLA-LHR     | a traffic restriction each                            |
 * | ZX 420           | LHR-QQX     | to an unknown airport                                 |
 */
export const connectionSchedule = (span: FiledPeriod): string => {
  const carrierOf = (name: string): string => buildCarrier({ 3: name, 15: span.from, 22: span.dayAfterTo });
  return buildWholeFile(
    header,
    carrierOf('0Z'),
    ...offshore(span),
    buildTrailer('C', '0Z'),
    carrierOf('9Q'),
    ...nine(span),
    buildTrailer('C', '9Q'),
    carrierOf('ZX'),
    ...zenith(span),
    buildTrailer('E', 'ZX'),
  );
};

/** Standards, exceptions with all criteria, suppressions by location, and the partners of 9Q. */
export const connectingTimes: MctFile = {
  records: [
    mct({ line: 2, status: 'ID', minutes: 75 }),
    mct({ line: 3, status: 'DI', minutes: 65, arrival: side({ carrier: 'ZX', body: 'N' }), submittedBy: 'ZX' }),
    mct({
      line: 4,
      minutes: 70,
      submittedBy: '9Q',
      from: localDate('2026-06-01'),
      to: localDate('2027-12-31'),
      arrival: side({
        carrier: '9Q',
        isCodeshare: true,
        operator: 'ZX',
        flights: { from: 5000, to: 5099 },
        terminal: '5',
        station: 'SIN',
        countryCode: 'SG',
        region: 'SEA',
        equipment: '789',
        body: 'W',
      }),
      departure: side({
        carrier: '9Q',
        isCodeshare: true,
        operator: 'ZX',
        flights: { from: 5100, to: 5199 },
        terminal: '5',
        station: 'JFK',
        stateCode: 'NY',
        countryCode: 'US',
        region: 'NOA',
        equipment: '789',
        body: 'W',
      }),
    }),
    ...(['State', 'Country', 'Region'] as const).map((kind, index) =>
      mct({
        line: 5 + index,
        status: kind === 'State' ? 'DD' : kind === 'Country' ? 'DI' : 'II',
        arrivalStation: '',
        departureStation: '',
        minutes: undefined,
        suppression: 'Y',
        arrival: side({ carrier: '0Z' }),
        ...(kind === 'State' && { suppressionStateCode: 'NY', suppressionCountryCode: 'US' }),
        ...(kind === 'Country' && { suppressionCountryCode: 'GB' }),
        ...(kind === 'Region' && { suppressionRegion: 'SCH' }),
      }),
    ),
  ],
  partners: [{ line: 8, carrier: '9Q', partners: ['ZX'] }],
};

/** June to September 2026. */
export const summer: FiledPeriod = { from: '01JUN26', to: '30SEP26', dayAfterFrom: '02JUN26', dayAfterTo: '01OCT26' };

/** A service over that schedule; its set is built. */
export const serveConnections = async (): Promise<TinyService> => {
  const world = await serveTinyWorld();
  await world.db.begin(async (sql) => {
    await sql`delete from location`;
    await upsertLocations(
      sql,
      airports.map(([iata, cityCode, countryCode, region, latitude, longitude, zone]) => ({
        iata,
        icao: '',
        faa: '',
        name: '',
        cityCode,
        countryCode,
        latitude,
        longitude,
        zone,
        rank: 1,
        facts: locationFacts(region),
      })),
    );
    await upsertCarriers(sql, [
      { iata: 'ZX', icao: 'ZXA', name: 'Zenith Example Airways', rank: 1 },
      { iata: '9Q', icao: 'NQB', name: 'Nine Quiet Birds', rank: 1 },
      { iata: '0Z', icao: '', name: 'Offshore Zephyr', rank: 1 },
    ]);
    await upsertEquipment(sql, [
      { iata: '789', icao: 'B789', name: '', cargoTonnes: 15, facts: { ...twinjet, body: 'Wide' } },
      { iata: '320', icao: 'A320', name: '', cargoTonnes: 2, facts: { ...twinjet, body: 'Narrow' } },
    ]);
    await replaceMctFile(sql, connectingTimes);
  });
  await publishText(world.db, connectionSchedule(summer));
  await world.refresh();
  await world.buildConnections();
  return world;
};
