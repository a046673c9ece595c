import type { MctFile } from '#domain/connections/mct/mct-record.ts';
import { localDate } from '#domain/time/dates.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { upsertLocations, type LocationUpdate } from '#store/master-data/locations.ts';
import { replaceMctFile } from '#store/connections/mct.ts';
import { buildCarrier, header, buildLeg, buildSegment, buildTrailer } from '#test/feeds/ssim/build-file.ts';
import { buildWholeFile } from '#test/feeds/ssim/build-file.ts';
import type { RecordBytes } from '#test/feeds/ssim/build-file.ts';
import { mct, side } from '#test/support/mct-lines.ts';
import { buildEquipment, buildStation } from '#test/products/master-data/v1/master-data-service.ts';
import { publishText, serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';

type Place = { readonly city: string; readonly country: string; readonly state?: string; readonly zone: string };

const airport = (iata: string, at: readonly [number, number], { state: code = '', ...place }: Place): LocationUpdate =>
  buildStation(iata, { ...place, at, region: { code, name: '' } });

const british = { country: 'GB', zone: 'Europe/London' };
const eastern = { country: 'US', zone: 'America/New_York' };
const sydney = { city: 'SYD', country: 'AU', state: 'AU-NSW', zone: 'Australia/Sydney' };

const airports: readonly LocationUpdate[] = [
  airport('LHR', [51.4706, -0.461941], { ...british, city: 'LON' }),
  airport('LGW', [51.148102, -0.190278], { ...british, city: 'LON' }),
  airport('GLA', [55.8735, -4.43306], { ...british, city: 'GLA' }),
  airport('ABZ', [57.2019, -2.19778], { ...british, city: 'ABZ' }),
  airport('EDI', [55.95, -3.3725], { ...british, city: 'EDI' }),
  airport('CDG', [49.012798, 2.55], { city: 'PAR', country: 'FR', zone: 'Europe/Paris' }),
  airport('OPO', [41.2481, -8.68139], { city: 'OPO', country: 'PT', zone: 'Europe/Lisbon' }),
  airport('JFK', [40.639801, -73.7789], { ...eastern, city: 'NYC', state: 'US-NY' }),
  airport('BOS', [42.3643, -71.005203], { ...eastern, city: 'BOS', state: 'US-MA' }),
  airport('SIN', [1.35019, 103.994003], { city: 'SIN', country: 'SG', zone: 'Asia/Singapore' }),
  airport('SYD', [-33.946098, 151.177002], sydney),
];

type Route = readonly [board: string, off: string];
type Times = readonly [departure: string, arrival: string];

const flight = (designator: string, [board, off]: Route, [departs, arrives]: Times, more: RecordBytes): string => {
  const name = { 3: designator.slice(0, 2), 6: designator.slice(2) };
  const times = { 40: departs, 44: departs, 48: '+0000', 58: arrives, 62: arrives, 66: '+0000' };
  return buildLeg({ ...name, ...times, 37: board, 55: off, 73: '320', ...more });
};

const supplement = (dei: number, data: string, of: { readonly designator: string; readonly route: Route }): string =>
  buildSegment(dei, data, { 3: of.designator.slice(0, 2), 6: of.designator.slice(2), 34: of.route.join('') });

/** The period of the schedule as it is filed, and the same a day later. */
type FiledPeriod = Readonly<Record<'from' | 'to' | 'dayAfterFrom' | 'dayAfterTo', string>>;

const nextDay = { 193: '01' };
const toLondon = ['GLA', 'LHR'] as const;
const toNewYork = ['LHR', 'JFK'] as const;
const saturdays = { 29: '     6 ' };

type CreateLeg = (designator: string, route: Route, times: Times, more?: RecordBytes) => string;

const flyBetween =
  ({ from, to }: FiledPeriod): CreateLeg =>
  (designator, route, times, more = {}) =>
    flight(designator, route, times, { 15: from, 22: to, ...more });

/** SIN-LHR a day after SYD-SIN. */
const onward = ({ dayAfterFrom, dayAfterTo }: FiledPeriod): RecordBytes => ({
  15: dayAfterFrom,
  22: dayAfterTo,
  29: '12 4 6 ',
  71: '5',
});

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

const zenith = (period: FiledPeriod): readonly string[] => {
  const fly = flyBetween(period);
  const wideBody = { 73: '789' };
  return [
    fly('ZX0015', ['SYD', 'SIN'], ['2100', '0200'], { ...wideBody, ...nextDay, 29: '1 3 5 7' }),
    fly('ZX0015', ['SIN', 'LHR'], ['0330', '0940'], { ...wideBody, ...onward(period), 12: '02', 193: '11' }),
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

const nine = (period: FiledPeriod): readonly string[] => {
  const fly = flyBetween(period);
  const marketing = { 73: '789', 129: 'ZX', 149: 'L' };
  return [
    fly('9Q0088', ['JFK', 'BOS'], ['1600', '1720']),
    fly('9Q0089', ['BOS', 'JFK'], ['0900', '1015']),
    fly('9Q5015', ['SIN', 'LHR'], ['0330', '0940'], { ...marketing, ...onward(period) }),
    supplement(50, 'ZX 0015 ', { designator: '9Q5015', route: ['SIN', 'LHR'] }),
    fly('9Q5101', toNewYork, ['1100', '1400'], { ...marketing, 53: '5', 71: '8' }),
    supplement(50, 'ZX 0101 ', { designator: '9Q5101', route: toNewYork }),
    fly('9Q5302', ['LHR', 'CDG'], ['1230', '1450'], { ...marketing, 14: 'L', 53: '5' }),
    supplement(50, 'ZX 0302A', { designator: '9Q5302', route: ['LHR', 'CDG'] }),
  ];
};

const offshore = (period: FiledPeriod): readonly string[] => {
  const fly = flyBetween(period);
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
 * Offshore Zephyr (0Z), which has no partners: 9Q 88 is interline with ZX 101, 0Z 440 leaves from the other airport of London.
 * ZX 90x and 0Z 902 have a traffic restriction each; ZX 7010 and ZX 7001 are freighters; ZX 420 flies to an unknown airport.
 */
const connectionSchedule = (span: FiledPeriod): string => {
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

const marketed = {
  carrier: '9Q',
  isCodeshare: true,
  operator: 'ZX',
  terminal: '5',
  equipment: '789',
  body: 'W',
} as const;
const southEastAsia = { station: 'SIN', countryCode: 'SG', region: 'SEA' } as const;
const newYorkState = { station: 'JFK', stateCode: 'NY', countryCode: 'US', region: 'NOA' } as const;
const suppressed = {
  arrivalStation: '',
  departureStation: '',
  minutes: undefined,
  suppression: 'Y',
  arrival: side({ carrier: '0Z' }),
} as const;

/** Standards, exceptions with all criteria, suppressions by location, and the partners of 9Q. */
const connectingTimes: MctFile = {
  records: [
    mct({ line: 2, status: 'ID', minutes: 75 }),
    mct({ line: 3, status: 'DI', minutes: 65, arrival: side({ carrier: 'ZX', body: 'N' }), submittedBy: 'ZX' }),
    mct({
      line: 4,
      minutes: 70,
      submittedBy: '9Q',
      from: localDate('2026-06-01'),
      to: localDate('2027-12-31'),
      arrival: side({ ...marketed, ...southEastAsia, flights: { from: 5000, to: 5099 } }),
      departure: side({ ...marketed, ...newYorkState, flights: { from: 5100, to: 5199 } }),
    }),
    mct({ ...suppressed, line: 5, status: 'DD', suppressionStateCode: 'NY', suppressionCountryCode: 'US' }),
    mct({ ...suppressed, line: 6, status: 'DI', suppressionCountryCode: 'GB' }),
    mct({ ...suppressed, line: 7, status: 'II', suppressionRegion: 'SCH' }),
  ],
  partners: [{ line: 8, carrier: '9Q', partners: ['ZX'] }],
};

const summer: FiledPeriod = { from: '01JUN26', to: '30SEP26', dayAfterFrom: '02JUN26', dayAfterTo: '01OCT26' };

/** A service over that schedule; its set is built. */
export const serveConnections = async (): Promise<TinyService> => {
  const world = await serveTinyWorld();
  await world.db.begin(async (sql) => {
    await sql`delete from location`;
    await upsertLocations(sql, airports);
    await upsertCarriers(sql, [
      { iata: 'ZX', icao: 'ZXA', name: 'Zenith Example Airways', rank: 1 },
      { iata: '9Q', icao: 'NQB', name: 'Nine Quiet Birds', rank: 1 },
      { iata: '0Z', icao: '', name: 'Offshore Zephyr', rank: 1 },
    ]);
    await upsertEquipment(sql, [
      buildEquipment('789/B789', '', { cargoTonnes: 15, body: 'Wide' }),
      buildEquipment('320/A320', '', { cargoTonnes: 2, body: 'Narrow' }),
    ]);
    await replaceMctFile(sql, connectingTimes);
  });
  await publishText(world.db, connectionSchedule(summer));
  await world.refresh();
  await world.buildConnections();
  return world;
};
