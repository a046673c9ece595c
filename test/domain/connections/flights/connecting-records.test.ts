import { describe, expect, test } from 'vitest';
import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import {
  buildConnectingRecords,
  type ExclusionReason,
} from '../../../../src/domain/connections/flights/connecting-records.ts';
import { createConnectionMasterData } from '../../../../src/domain/connections/flights/connection-master-data.ts';
import { formatDate } from '../../../../src/domain/time/dates.ts';
import { createMasterDataIndex } from '../../../../src/domain/master-data/master-data-index.ts';
import type { Location } from '../../../../src/domain/master-data/master-data.ts';
import type { Itinerary } from '../../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg, buildSegment } from '../../../feeds/ssim/build-file.ts';

const location = (id: number, facts: Partial<Location>): Location => ({
  id,
  iata: '',
  icao: '',
  faa: '',
  name: '',
  cityCode: '',
  countryCode: '',
  latitude: undefined,
  longitude: undefined,
  zone: undefined,
  ...facts,
});

const jfk = { iata: 'JFK', cityCode: 'NYC', countryCode: 'US', latitude: 40.6, longitude: -73.8 };
const masterData = createConnectionMasterData({
  masterDataIndex: createMasterDataIndex({
    locations: [location(1, { ...jfk, zone: 'America/New_York' }), location(2, { iata: 'LAX', countryCode: 'US' })],
    carriers: [],
    equipment: [],
    inUse: { carriers: new Set(), locations: new Set() },
  }),
  regionOf: (id) => (id === 1 ? { code: 'US-NY', name: 'New York' } : undefined),
  bodyOf: (type) => (type === '789' ? 'Wide' : type === '320' ? 'Narrow' : undefined),
});

const nowhere = { cityCode: '', countryCode: '', stateCode: '', latitude: undefined, longitude: undefined };
const airports = {
  LHR: { ...nowhere, iata: 'LHR' },
  JFK: { ...jfk, stateCode: 'NY' },
  LAX: { ...nowhere, iata: 'LAX', countryCode: 'US' },
};

const read = async (...records: readonly string[]): Promise<readonly Itinerary[]> =>
  (await readFileText(buildFile(...records))).itineraries;

const recordsOf = (itineraries: readonly Itinerary[]): readonly ConnectingRecord[] => [
  ...buildConnectingRecords(itineraries, masterData),
];
const ways = (records: readonly ConnectingRecord[]): readonly string[] =>
  records.map(({ flight }) => flight.airports.map(({ iata }) => iata).join('-'));

const LAST_LEG = { 12: '03', 37: 'LAX', 40: '2000', 44: '2000', 48: '-0700', 55: 'SFO', 58: '2130', 62: '2130' };

describe('the flights of an itinerary that can connect', () => {
  test('are all board and off point pairs with the facts that the rules need', async () => {
    const itineraries = await read(
      buildLeg({ 53: '3', 71: '4', 120: 'I', 149: 'L', 129: 'YY' }),
      buildSegment(50, 'YY 4101 '),
      buildSegment(220, 'D/I', { 29: 'AC', 34: 'LHRLAX' }),
      buildSegment(199, '5', { 29: 'AC', 34: 'LHRLAX' }),
      buildSegment(170, 'A', { 29: 'AC', 34: 'LHRLAX' }),
      buildSecondLeg({ 73: '320', 121: 'D' }),
      buildLeg({ ...LAST_LEG, 66: '-0700', 73: 'XXX' }),
    );
    const records = recordsOf(itineraries);
    expect(ways(records)).toEqual(['LHR-JFK', 'LHR-JFK-LAX', 'LHR-JFK-LAX-SFO', 'JFK-LAX', 'JFK-LAX-SFO', 'LAX-SFO']);
    const [toJfk, toLax] = records;
    const designator = { carrier: 'XX', flightNumber: 101, suffix: '' };
    expect(toJfk?.flight).toEqual({
      ...designator,
      operating: { carrier: 'YY', flightNumber: 4101, suffix: '' },
      isMarketing: true,
      airports: [airports.LHR, airports.JFK],
      equipment: [{ type: '789', body: 'W' }],
      serviceType: 'J',
      departureTerminal: '3',
      arrivalTerminal: '4',
      departureStatus: 'I',
      arrivalStatus: '',
      restrictions: [],
    });
    expect(toLax?.flight).toEqual({
      ...designator,
      // Only the first leg names its operator.
      operating: designator,
      isMarketing: true,
      airports: [airports.LHR, airports.JFK, airports.LAX],
      equipment: [
        { type: '789', body: 'W' },
        { type: '320', body: 'N' },
      ],
      serviceType: 'J',
      departureTerminal: '5',
      arrivalTerminal: '',
      departureStatus: 'D',
      arrivalStatus: 'I',
      restrictions: [
        { number: 1, code: 'A', passenger: true, cargo: false, mail: false, boardPoint: true, offPoint: true },
      ],
    });
    expect(records.map(({ flight }) => [flight.departureStatus, flight.arrivalStatus].join('/'))).toEqual([
      'I/',
      'D/I',
      'I/',
      '/D',
      '/',
      '/',
    ]);
    expect(records[5]?.flight.equipment).toEqual([{ type: 'XXX', body: '' }]);
  });

  test('have the periods and times of each pair', async () => {
    const overnight = buildSecondLeg({
      15: '02JUN26',
      22: '01JUL26',
      40: '0100',
      44: '0100',
      58: '0400',
      62: '0400',
      193: '11',
    });
    expect(
      recordsOf(await read(buildLeg(), overnight)).map(({ record }) => [
        formatDate(record.period.from),
        record.departureLocalMinutes,
        record.arrivalUtcMinutes,
      ]),
    ).toEqual([
      ['2026-06-01', 660, 1080],
      ['2026-06-01', 660, 2100],
      ['2026-06-02', 60, 660],
    ]);
  });

  test('have the fingerprint of the same record in Schedules', async () => {
    const itineraries = await read(buildLeg(), buildSecondLeg(), buildLeg({ ...LAST_LEG, 66: '-0700' }));
    const records = recordsOf(itineraries);
    expect(records.map(({ fingerprint }) => fingerprint.length)).toEqual([64, 0, 64, 64, 0, 64]);
    expect(new Set(records.map(({ fingerprint }) => fingerprint)).size).toBe(5);
    expect(itineraries.flatMap(buildSegments)).toHaveLength(4);
  });

  test('are the single legs where another leg is unreadable', async () => {
    const [itinerary] = await read(buildLeg(), buildSecondLeg());
    if (!itinerary) throw new Error('no itinerary');
    const reasons: ExclusionReason[] = [];
    const records = [
      ...buildConnectingRecords([{ ...itinerary, complete: false }], masterData, (reason) => reasons.push(reason)),
    ];
    expect([ways(records), reasons]).toEqual([['LHR-JFK', 'JFK-LAX'], ['incomplete-itinerary']]);
  });

  test('exclude flights that return to their origin and flights that cannot be booked', async () => {
    const back = buildSecondLeg({ 55: 'LHR', 58: '2300', 62: '2300', 66: '+0100' });
    const reasons: ExclusionReason[] = [];
    const itineraries = await read(
      buildLeg(),
      back,
      buildLeg({ 6: '0777', 14: 'P' }),
      buildLeg({ 6: '0778', 14: 'F' }),
    );
    const records = [...buildConnectingRecords(itineraries, masterData, (reason) => reasons.push(reason))];
    expect(ways(records)).toEqual(['LHR-JFK', 'LHR-JFK', 'JFK-LHR']);
    expect(reasons.toSorted()).toEqual(['same-airport', 'service-type']);
  });

  test('share the airports, so that a set of them takes little memory', async () => {
    const [one, , other] = recordsOf(await read(buildLeg(), buildSecondLeg()));
    expect(one?.flight.airports[1]).toBe(other?.flight.airports[0]);
  });
});
