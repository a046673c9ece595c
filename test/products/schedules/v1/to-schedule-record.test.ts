import { expect, test } from 'vitest';
import type { Schedule } from '#generated/schedules/v1/types.gen.ts';
import { createMasterDataIndex, findStation } from '#domain/master-data/master-data-index.ts';
import { buildScheduleRecords } from '#domain/schedule/schedule-records.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { renderSeats } from '#products/flight-info/v2/to-flight-instance.ts';
import { renderRecordHead, renderPremiumContent } from '#products/schedules/v1/to-schedule-record.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg, buildSegment } from '#test/feeds/ssim/build-file.ts';
import { distances } from '#test/products/responses.ts';
import { plain } from './plain-schedule.ts';

const createLocation = (
  id: number,
  [iata, icao, faa = '']: readonly [string, string, string?],
  [countryCode, latitude, longitude, zone]: readonly [string, number, number, string],
) => ({ id, iata, icao, faa, name: '', cityCode: '', countryCode, latitude, longitude, zone });

const masterDataIndex = createMasterDataIndex({
  locations: [
    createLocation(1, ['LHR', 'EGLL'], ['GB', 51.4706, -0.461941, 'Europe/London']),
    createLocation(2, ['JFK', 'KJFK', 'JFK'], ['US', 40.639801, -73.7789, 'America/New_York']),
    createLocation(3, ['GLA', 'EGPF'], ['GB', 55.8735, -4.43306, 'Europe/London']),
    createLocation(4, ['SYD', 'YSSY'], ['AU', -33.946098, 151.177002, 'Australia/Sydney']),
    createLocation(5, ['SIN', 'WSSS'], ['SG', 1.35019, 103.994003, 'Asia/Singapore']),
  ],
  carriers: [
    { id: 1, iata: 'ZX', icao: 'ZXA', name: 'Zenith Example Airways', rank: 1 },
    { id: 2, iata: '9Q', icao: 'NQB', name: 'Nine Quiet Birds', rank: 1 },
  ],
  equipment: [
    { iata: '789', icao: 'B789', name: '', cargoTonnes: 15 },
    { iata: '388', icao: 'A388', name: '', cargoTonnes: 12 },
    { iata: '320', icao: 'A320', name: '', cargoTonnes: 2 },
    { iata: '77X', icao: 'B77L', name: '', cargoTonnes: 103 },
  ],
  inUse: { carriers: new Set(), locations: new Set() },
});

const noCabins = { firstClass: null, businessClass: null, premiumEconomyClass: null, economyPlusClass: null };
const noSeats = { ...noCabins, economyClass: null, totalSeats: null };
const fingerprint = Buffer.alloc(32, 0xab);

const parseRendered = async (text: string): Promise<readonly Schedule[]> => {
  const { itineraries } = await readFileText(text);
  const zoneOf = (station: string): string | undefined => findStation(masterDataIndex, station)?.zone;
  return itineraries.flatMap((itinerary) =>
    buildSegments(itinerary).flatMap((segment) => {
      const seats = renderPremiumContent(renderSeats(segment));
      const records = buildScheduleRecords(segment, { firstLeg: itinerary.legs[0], zoneOf });
      // The rest is added as a database reader does.
      const render = (record: (typeof records)[number]): Schedule => {
        const head = renderRecordHead(segment, { record, fingerprint }, masterDataIndex);
        return JSON.parse(`${head}null},"premiumContent":${seats}}`);
      };
      return records.map(render);
    }),
  );
};

test('a leg without optional data has a null for every absent value', async () => {
  expect(await parseRendered(buildFile(buildLeg()))).toEqual([plain]);
});

test('every filed property of a leg has its member', async () => {
  const economy = { economyClass: 190, totalSeats: 228 };
  const period = { 15: '01JUN26', 22: '14JUN26', 29: ' 2  5  ', 36: '2' };
  const companies = { 111: 'YY ZZ ', 129: 'ZX', 132: '9Q', 135: 'YY', 149: 'S' };
  const cabin = { 76: 'FJY', 101: 'D L S', 122: 'S', 173: 'F8J30Y190' };
  const segmentData = [
    [10, 'YY 5101A/ZZ 0012 '],
    [201, ''],
    [210, ''],
    [299, ''],
    [501, '05/9'],
    [502, '05/14/06/N/02'],
    [503, '3/9'],
    [505, 'ET'],
  ] as const;
  const file = buildFile(
    buildLeg({ ...period, ...companies, ...cabin, 2: 'A', 53: '5', 71: '0', 150: 'A' }),
    ...segmentData.map(([dei, data]) => buildSegment(dei, data, { 2: 'A' })),
  );
  expect(await parseRendered(file)).toEqual([
    {
      ...plain,
      serviceSuffix: 'A',
      departure: { ...plain.departure, terminal: '5' },
      effectivePeriod: { startDate: '2026-06-01', endDate: '2026-06-14' },
      legDaysOfOperation: ['tuesday', 'friday'],
      frequencyRate: 2,
      codeshare: {
        operatingAirlineDisclosure: { code: 'ZX', name: 'Zenith Example Airways', number: '' },
        aircraftOwner: { code: 'ZX', name: 'Zenith Example Airways' },
        cockpitCrewEmployer: { code: '9Q', name: 'Nine Quiet Birds', number: '' },
        cabinCrewEmployer: { code: 'YY', name: '', number: '' },
        jointOperationAirlineDesignators: ['YY', 'ZZ'].map((code) => ({ code, name: '', number: '' })),
        comments010: [
          { code: 'YY', serviceNumber: '5101', suffix: 'A' },
          { code: 'ZZ', serviceNumber: '12', suffix: '' },
        ],
        comment050: null,
      },
      bookingClasses: ['FD', 'JL', 'YS'].map(([code = '', meal = '']) => ({ code, meal })),
      restrictions: [
        { number: 1, code: 'A', passenger: true, cargo: true, mail: true, boardPoint: true, offPoint: true },
      ],
      planeChangeWithoutAircraftChange: true,
      inFlightServices: ['3', '9'],
      automatedCheckIn: true,
      electronicTicketing: true,
      secureFlightIndicator: true,
      governmentApproval: true,
      onTimePerformance: {
        indicator: { month: '05', value: '9' },
        delaysAndCancellationsIndicator: { month: '05', min15: '14', min30: '06', min30Warning: 'N', cancel: '02' },
        observed: null,
      },
      premiumContent: {
        seatingCapacity: { ...noSeats, firstClass: 8, businessClass: 30, premiumEconomyClass: 0, ...economy },
      },
    },
  ]);
});

test('a flight with a stop lists its legs with their aircraft, including published ones', async () => {
  const onward = { 37: 'SIN', 40: '2330', 44: '2330', 48: '+0800', 55: 'LHR', 58: '0600', 62: '0600', 66: '+0100' };
  const file = buildFile(
    buildLeg({ 37: 'SYD', 48: '+1000', 55: 'SIN', 66: '+0800', 73: '388', 58: '1700', 62: '1700' }),
    buildSecondLeg({ ...onward, 73: '77X', 194: '1' }),
    buildSegment(121, '789', { 29: 'BC', 34: 'SINLHR', 12: '02' }),
  );
  const airport = (iata: string, icao: string) => ({ iata, icao, faa: null });
  const [sydney, singapore, london] = [airport('SYD', 'YSSY'), airport('SIN', 'WSSS'), airport('LHR', 'EGLL')];
  const leg = (sequenceNumber: number, departure: ReturnType<typeof airport>, arrival: ReturnType<typeof airport>) => ({
    sequenceNumber,
    departure: { airport: departure },
    arrival: { airport: arrival },
    serviceTypeCode: { iata: 'J' },
  });
  const [, , whole] = await parseRendered(file);
  expect(whole).toEqual({
    ...plain,
    departure: { ...plain.departure, airport: sydney, country: { code: 'AU' }, passengerUtcTime: '01:00' },
    arrival: {
      airport: london,
      country: { code: 'GB' },
      terminal: null,
      passengerLocalTime: '06:00',
      passengerUtcTime: '05:00',
      utcIntervalDays: 1,
    },
    elapsedTime: 1680,
    aircraftType: { iata: '388', icao: 'A388' },
    cargoTonnage: 12,
    arrivalIntervalDays: 1,
    legArrivalIntervalDays: 1,
    distance: distances([17176.8, 10673.1, 9274.7], [17020.7, 10576.2, 9190.4]),
    segmentInfo: {
      numberOfStops: 1,
      intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'SIN' }] },
      segments: [
        { ...leg(1, sydney, singapore), aircraftType: { iata: '388', icao: 'A388' } },
        { ...leg(2, singapore, london), aircraftType: { iata: '789', icao: 'B789' } },
      ],
    },
  } satisfies Schedule);
});

test.each([
  ['the capacity of the smallest leg', '789', '320', 2],
  ['null when it is unknown for a leg', '789', 'ABF', null],
])('a flight with a stop has the cargo tonnage of its legs: %s', async (_, first, second, expected) => {
  const records = await parseRendered(buildFile(buildLeg({ 73: first }), buildSecondLeg({ 73: second })));
  expect(records.map(({ segmentInfo, cargoTonnage }) => [segmentInfo.numberOfStops, cargoTonnage])).toEqual([
    [0, 15],
    [0, expected],
    [1, expected],
  ]);
});

test('absent parts of filed on-time indicators are null', async () => {
  const file = buildFile(buildLeg(), buildSegment(501, '7'), buildSegment(502, '05/23/10/ /02'));
  const [record] = await parseRendered(file);
  expect(record?.onTimePerformance).toEqual({
    indicator: { month: null, value: '7' },
    delaysAndCancellationsIndicator: { month: '05', min15: '23', min30: '10', min30Warning: null, cancel: '02' },
    observed: null,
  });
});

test('a marketing flight names its operating flight', async () => {
  const file = buildFile(buildLeg({ 129: 'ZX', 149: 'L' }), buildSegment(50, 'ZX 0101 '));
  expect(await parseRendered(file)).toEqual([
    {
      ...plain,
      codeshare: {
        ...plain.codeshare,
        operatingAirlineDisclosure: { code: 'ZX', name: 'Zenith Example Airways', number: '' },
        aircraftOwner: { code: 'ZX', name: 'Zenith Example Airways' },
        comment050: { code: 'ZX', serviceNumber: '101', suffix: '' },
      },
    },
  ]);
});

test('a freighter has freight classes and no seats, and an unknown aircraft type has neither ICAO code nor tonnage', async () => {
  expect(await parseRendered(buildFile(buildLeg({ 14: 'F', 73: 'ABF', 173: 'LL08PP04' })))).toEqual([
    {
      ...plain,
      serviceTypeCode: { iata: 'F' },
      aircraftType: { iata: 'ABF', icao: null },
      cargoTonnage: null,
      freightClasses: [
        { code: 'LL', quantity: '08' },
        { code: 'PP', quantity: '04' },
      ],
    },
  ]);
});

test('a station missing from master data has only its code: no country, no distance, and times by the filed variation', async () => {
  expect(await parseRendered(buildFile(buildLeg({ 55: 'QQX', 66: '-0330' })))).toEqual([
    {
      ...plain,
      arrival: {
        ...plain.arrival,
        airport: { iata: 'QQX', icao: null, faa: null },
        country: null,
        passengerUtcTime: '17:30',
      },
      elapsedTime: 450,
      distance: null,
    },
  ]);
});

test('interval days cover an arrival before the departure day and UTC dates on either side', async () => {
  const overTheDateLine = { 37: 'SYD', 40: '0800', 44: '0800', 48: '+1000', 55: 'JFK', 58: '1200', 62: '1200' };
  const [record] = await parseRendered(buildFile(buildLeg(overTheDateLine)));
  const { departure, arrival, elapsedTime } = record ?? plain;
  expect([departure.passengerUtcTime, departure.utcIntervalDays]).toEqual(['22:00', -1]);
  expect([arrival.passengerUtcTime, arrival.utcIntervalDays, elapsedTime]).toEqual(['16:00', 0, 1080]);
});

test('the dates on which UTC times change are listed with the new times', async () => {
  const [record] = await parseRendered(buildFile(buildLeg({ 15: '20OCT26', 22: '20NOV26' })));
  const departure = { departureUtcTime: '11:00', departureUtcIntervalDays: 0, arrivalUtcIntervalDays: 0 };
  expect(record?.clockChanges).toEqual([
    { ...departure, startDate: '2026-10-25', arrivalUtcTime: '18:00', elapsedTime: 420 },
    { ...departure, startDate: '2026-11-01', arrivalUtcTime: '19:00', elapsedTime: 480 },
  ]);
});

test('seats are listed by cabin, or null if unknown; an unknown cabin is null', () => {
  expect(renderPremiumContent(undefined)).toBe('null');
  expect(renderPremiumContent('{}')).toBe('null');
  expect(JSON.parse(renderPremiumContent('{"actual":{"businessClass":8,"totalSeats":158}}'))).toEqual({
    seatingCapacity: { ...noSeats, businessClass: 8, totalSeats: 158 },
  });
});
