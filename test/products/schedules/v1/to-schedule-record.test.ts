import { describe, expect, test } from 'vitest';
import type { Schedule } from '../../../../generated/schedules/v1/types.gen.ts';
import { findStation } from '../../../../src/domain/master-data/master-data-index.ts';
import { buildScheduleRecords } from '../../../../src/domain/schedule/schedule-records.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { renderSeats } from '../../../../src/products/flight-info/v2/to-flight-instance.ts';
import {
  renderObserved,
  renderRecordHead,
  renderPremiumContent,
} from '../../../../src/products/schedules/v1/to-schedule-record.ts';
import {
  buildFile,
  buildLeg,
  readFileText,
  buildSecondLeg,
  buildSegment,
  buildCarrier,
  header,
  buildTrailer,
  buildWholeFile,
} from '../../../feeds/ssim/build-file.ts';
import { exampleMasterData as masterDataIndex } from './example-master-data.ts';

const fingerprint = Buffer.alloc(32, 0xab);

/** The record in the form that a database reader assembles. */
const closed = (
  open: string,
  { seats, observed }: { readonly seats?: string; readonly observed?: string } = {},
): Schedule => JSON.parse(`${open}${observed ?? 'null'}},"premiumContent":${seats ?? 'null'}}`);

/** Every record of a file, seats included. */
const parseRendered = async (text: string): Promise<readonly Schedule[]> => {
  const { itineraries } = await readFileText(text);
  const zoneOf = (station: string): string | undefined => findStation(masterDataIndex, station)?.zone;
  return itineraries.flatMap((itinerary) =>
    buildSegments(itinerary).flatMap((each) =>
      buildScheduleRecords(each, { firstLeg: itinerary.legs[0], zoneOf }).map((record) =>
        closed(renderRecordHead(each, { record, fingerprint }, masterDataIndex), {
          seats: renderPremiumContent(renderSeats(each)),
        }),
      ),
    ),
  );
};

const daily = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** XX 101 LHR-JFK as the file builder writes it, with mandatory fields only. */
const plain: Schedule = {
  carrierCode: { iata: 'XX', icao: null },
  serviceSuffix: null,
  flightNumber: 101,
  sequenceNumber: 1,
  departure: {
    airport: { iata: 'LHR', icao: 'EGLL', faa: null },
    country: { code: 'GB' },
    terminal: null,
    passengerLocalTime: '11:00',
    passengerUtcTime: '10:00',
    utcIntervalDays: 0,
  },
  arrival: {
    airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' },
    country: { code: 'US' },
    terminal: null,
    passengerLocalTime: '14:00',
    passengerUtcTime: '18:00',
    utcIntervalDays: 0,
  },
  elapsedTime: 480,
  clockChanges: [],
  aircraftType: { iata: '789', icao: 'B789' },
  cargoTonnage: 15,
  serviceTypeCode: { iata: 'J' },
  arrivalIntervalDays: 0,
  legArrivalIntervalDays: 0,
  effectivePeriod: { startDate: '2026-06-01', endDate: '2026-06-30' },
  legDaysOfOperation: [...daily],
  frequencyRate: 1,
  distance: {
    accumulatedGreatCircleKilometers: 5539.7,
    accumulatedGreatCircleMiles: 3442.2,
    accumulatedGreatCircleNauticalMiles: 2991.2,
    greatCircleKilometers: 5539.7,
    greatCircleMiles: 3442.2,
    greatCircleNauticalMiles: 2991.2,
  },
  segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] }, segments: [] },
  fingerprint: 'ab'.repeat(32),
  codeshare: {
    operatingAirlineDisclosure: null,
    aircraftOwner: null,
    cockpitCrewEmployer: null,
    cabinCrewEmployer: null,
    jointOperationAirlineDesignators: [],
    comments010: [],
    comment050: null,
  },
  bookingClasses: [],
  freightClasses: [],
  restrictions: [],
  planeChangeWithoutAircraftChange: false,
  inFlightServices: [],
  automatedCheckIn: null,
  electronicTicketing: false,
  secureFlightIndicator: false,
  governmentApproval: false,
  onTimePerformance: { indicator: null, delaysAndCancellationsIndicator: null, observed: null },
  premiumContent: null,
};

test('a leg without optional data has a null for every absent value', async () => {
  expect(await parseRendered(buildFile(buildLeg()))).toEqual([plain]);
});

test('every filed property of a leg has its member', async () => {
  const full = buildLeg({
    2: 'A',
    15: '01JUN26',
    22: '14JUN26',
    29: ' 2  5  ',
    36: '2',
    53: '5',
    71: '0',
    76: 'FJY',
    101: 'D L S',
    111: 'YY ZZ ',
    122: 'S',
    129: 'ZX',
    132: '9Q',
    135: 'YY',
    149: 'S',
    150: 'A',
    173: 'F8J30Y190',
  });
  const data = { 2: 'A' };
  const file = buildFile(
    full,
    buildSegment(10, 'YY 5101A/ZZ 0012 ', data),
    buildSegment(201, '', data),
    buildSegment(210, '', data),
    buildSegment(299, '', data),
    buildSegment(501, '05/9', data),
    buildSegment(502, '05/14/06/N/02', data),
    buildSegment(503, '3/9', data),
    buildSegment(505, 'ET', data),
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
        jointOperationAirlineDesignators: [
          { code: 'YY', name: '', number: '' },
          { code: 'ZZ', name: '', number: '' },
        ],
        comments010: [
          { code: 'YY', serviceNumber: '5101', suffix: 'A' },
          { code: 'ZZ', serviceNumber: '12', suffix: '' },
        ],
        comment050: null,
      },
      bookingClasses: [
        { code: 'F', meal: 'D' },
        { code: 'J', meal: 'L' },
        { code: 'Y', meal: 'S' },
      ],
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
        seatingCapacity: {
          firstClass: 8,
          businessClass: 30,
          premiumEconomyClass: 0,
          economyPlusClass: null,
          economyClass: 190,
          totalSeats: 228,
        },
      },
    },
  ]);
});

test('a flight with a stop lists its legs with their aircraft, including published ones', async () => {
  const file = buildFile(
    buildLeg({ 37: 'SYD', 48: '+1000', 55: 'SIN', 66: '+0800', 73: '388', 58: '1700', 62: '1700' }),
    buildSecondLeg({
      37: 'SIN',
      40: '2330',
      44: '2330',
      48: '+0800',
      55: 'LHR',
      58: '0600',
      62: '0600',
      66: '+0100',
      73: '77X',
      194: '1',
    }),
    buildSegment(121, '789', { 29: 'BC', 34: 'SINLHR', 12: '02' }),
  );
  const airport = (iata: string, icao: string) => ({ iata, icao, faa: null });
  const [, , whole] = await parseRendered(file);
  expect(whole).toEqual({
    ...plain,
    departure: {
      airport: airport('SYD', 'YSSY'),
      country: { code: 'AU' },
      terminal: null,
      passengerLocalTime: '11:00',
      passengerUtcTime: '01:00',
      utcIntervalDays: 0,
    },
    arrival: {
      airport: airport('LHR', 'EGLL'),
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
    distance: {
      accumulatedGreatCircleKilometers: 17176.8,
      accumulatedGreatCircleMiles: 10673.1,
      accumulatedGreatCircleNauticalMiles: 9274.7,
      greatCircleKilometers: 17020.7,
      greatCircleMiles: 10576.2,
      greatCircleNauticalMiles: 9190.4,
    },
    segmentInfo: {
      numberOfStops: 1,
      intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'SIN' }] },
      segments: [
        {
          sequenceNumber: 1,
          departure: { airport: airport('SYD', 'YSSY') },
          arrival: { airport: airport('SIN', 'WSSS') },
          aircraftType: { iata: '388', icao: 'A388' },
          serviceTypeCode: { iata: 'J' },
        },
        {
          sequenceNumber: 2,
          departure: { airport: airport('SIN', 'WSSS') },
          arrival: { airport: airport('LHR', 'EGLL') },
          aircraftType: { iata: '789', icao: 'B789' },
          serviceTypeCode: { iata: 'J' },
        },
      ],
    },
  } satisfies Schedule);
});

test.each([
  ['the capacity of the smallest leg', '789', '320', 2],
  ['null when it is unknown for a leg', '789', 'ABF', null],
])('a flight with a stop has as cargo tonnage %s', async (_, first, second, expected) => {
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
        airport: { iata: 'QQX', icao: null, faa: null },
        country: null,
        terminal: null,
        passengerLocalTime: '14:00',
        passengerUtcTime: '17:30',
        utcIntervalDays: 0,
      },
      elapsedTime: 450,
      distance: null,
    },
  ]);
});

test('interval days cover an arrival before the departure day and UTC dates on either side', async () => {
  const file = buildWholeFile(
    header,
    buildCarrier(),
    buildLeg({ 37: 'SYD', 40: '0800', 44: '0800', 48: '+1000', 55: 'JFK', 58: '1200', 62: '1200' }),
    buildTrailer('E'),
  );
  const [record] = await parseRendered(file);
  expect(record && [record.departure.passengerUtcTime, record.departure.utcIntervalDays]).toEqual(['22:00', -1]);
  expect(record && [record.arrival.passengerUtcTime, record.arrival.utcIntervalDays, record.elapsedTime]).toEqual([
    '16:00',
    0,
    1080,
  ]);
});

test('the dates on which UTC times change are listed with the new times', async () => {
  const [record] = await parseRendered(buildFile(buildLeg({ 15: '20OCT26', 22: '20NOV26' })));
  expect(record?.clockChanges).toEqual([
    {
      startDate: '2026-10-25',
      departureUtcTime: '11:00',
      departureUtcIntervalDays: 0,
      arrivalUtcTime: '18:00',
      arrivalUtcIntervalDays: 0,
      elapsedTime: 420,
    },
    {
      startDate: '2026-11-01',
      departureUtcTime: '11:00',
      departureUtcIntervalDays: 0,
      arrivalUtcTime: '19:00',
      arrivalUtcIntervalDays: 0,
      elapsedTime: 480,
    },
  ]);
});

describe('the parts rendered for each request', () => {
  const observed = {
    onTimePercentage: 80,
    latePercentage: 15.83,
    cancelledPercentage: 3.33,
    divertedPercentage: 0.83,
    departedOnTimePercentage: 81.67,
    flights: 120,
    departures: 120,
    period: { startDate: '2026-11-01', endDate: '2027-02-28' },
    rule: 'D15/A14',
  } as const;

  test('the observed performance, or null if there is none', () => {
    expect(JSON.parse(renderObserved(observed))).toEqual(observed);
    expect(renderObserved(undefined)).toBe('null');
  });

  test('the seats by cabin, or null if unknown; an unknown cabin is null', () => {
    expect(renderPremiumContent(undefined)).toBe('null');
    expect(renderPremiumContent('{}')).toBe('null');
    expect(JSON.parse(renderPremiumContent('{"actual":{"businessClass":8,"totalSeats":158}}'))).toEqual({
      seatingCapacity: {
        firstClass: null,
        businessClass: 8,
        premiumEconomyClass: null,
        economyPlusClass: null,
        economyClass: null,
        totalSeats: 158,
      },
    });
  });
});
