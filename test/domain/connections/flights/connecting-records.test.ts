import { describe, expect, test } from 'vitest';
import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { buildConnectingRecords } from '../../../../src/domain/connections/flights/connecting-records.ts';
import type { ExclusionReason } from '../../../../src/domain/connections/flights/connecting-records.ts';
import { createConnectionMasterData } from '../../../../src/domain/connections/flights/connection-master-data.ts';
import { toStateCode } from '../../../../src/domain/connections/flights/connection-master-data.ts';
import { createMasterDataIndex } from '../../../../src/domain/master-data/master-data-index.ts';
import type { Location } from '../../../../src/domain/master-data/master-data.ts';
import type { Itinerary } from '../../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg, buildSegment } from '../../../feeds/ssim/build-file.ts';

const unknown = { iata: '', icao: '', faa: '', name: '', cityCode: '', countryCode: '' };
const location = (id: number, facts: Partial<Location>): Location => {
  return { ...unknown, latitude: undefined, longitude: undefined, zone: undefined, ...facts, id };
};

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
const lax = { ...nowhere, iata: 'LAX', countryCode: 'US' };
const restriction = { number: 1, code: 'A', boardPoint: true, offPoint: true };
const airports = { LHR: { ...nowhere, iata: 'LHR' }, JFK: { ...jfk, stateCode: 'NY' }, LAX: lax };

const read = async (...records: readonly string[]): Promise<readonly Itinerary[]> =>
  (await readFileText(buildFile(...records))).itineraries;

const recordsOf = (itineraries: readonly Itinerary[]) => [...buildConnectingRecords(itineraries, masterData)];
const ways = (records: readonly ConnectingRecord[]): readonly string[] =>
  records.map(({ flight }) => flight.airports.map(({ iata }) => iata).join('-'));

const thirdPart = { 12: '03', 37: 'LAX', 40: '2000', 44: '2000', 48: '-0700', 55: 'SFO', 58: '2130', 62: '2130' };
const lastLeg = buildLeg({ ...thirdPart, 66: '-0700', 73: 'XXX' });

describe('the flights of an itinerary that can connect', () => {
  test('are all board and off point pairs with the facts that the rules need', async () => {
    const wholeFlight = { 29: 'AC', 34: 'LHRLAX' };
    const itineraries = await read(
      buildLeg({ 53: '3', 71: '4', 120: 'I', 149: 'L', 129: 'YY' }),
      buildSegment(50, 'YY 4101 '),
      buildSegment(220, 'D/I', wholeFlight),
      buildSegment(199, '5', wholeFlight),
      buildSegment(170, 'A', wholeFlight),
      buildSecondLeg({ 73: '320', 121: 'D' }),
      lastLeg,
    );
    const records = recordsOf(itineraries);
    const designator = { carrier: 'XX', flightNumber: 101, suffix: '' };
    const toJfk = {
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
    };
    expect(records.slice(0, 2).map(({ flight }) => flight)).toEqual([
      toJfk,
      {
        ...toJfk,
        // Only the first leg names its operator.
        operating: designator,
        airports: [airports.LHR, airports.JFK, airports.LAX],
        equipment: [
          { type: '789', body: 'W' },
          { type: '320', body: 'N' },
        ],
        departureTerminal: '5',
        arrivalTerminal: '',
        departureStatus: 'D',
        arrivalStatus: 'I',
        restrictions: [{ ...restriction, passenger: true, cargo: false, mail: false }],
      },
    ]);
    const summaries = records.map(({ flight: { departureStatus, arrivalStatus, equipment } }) =>
      [departureStatus, arrivalStatus, ...equipment.map(({ type, body }) => type + body)].join('/'),
    );
    expect(ways(records).map((route, index) => `${route} ${summaries[index]}`)).toEqual([
      'LHR-JFK I//789W',
      'LHR-JFK-LAX D/I/789W/320N',
      'LHR-JFK-LAX-SFO I//789W/320N/XXX',
      'JFK-LAX /D/320N',
      'JFK-LAX-SFO //320N/XXX',
      'LAX-SFO //XXX',
    ]);
    // A set of them takes little memory, because they share the airports.
    expect(records[0]?.flight.airports[1]).toBe(records[3]?.flight.airports[0]);
  });

  test('have the fingerprint of the same record in Schedules', async () => {
    const itineraries = await read(buildLeg(), buildSecondLeg(), lastLeg);
    const fingerprints = recordsOf(itineraries).map(({ fingerprint }) => fingerprint);
    expect(fingerprints.map(({ length }) => length)).toEqual([64, 0, 64, 64, 0, 64]);
    expect(new Set(fingerprints).size).toBe(5);
    expect(itineraries.flatMap(buildSegments)).toHaveLength(4);
  });

  test('are the single legs where another leg is unreadable', async () => {
    const itineraries = await read(buildLeg(), buildSecondLeg());
    const reasons: ExclusionReason[] = [];
    const incomplete = itineraries.map((itinerary) => ({ ...itinerary, complete: false }));
    const records = [...buildConnectingRecords(incomplete, masterData, (reason) => reasons.push(reason))];
    expect([ways(records), reasons]).toEqual([['LHR-JFK', 'JFK-LAX'], ['incomplete-itinerary']]);
  });

  test('exclude flights that return to their origin and flights that cannot be booked', async () => {
    const back = buildSecondLeg({ 55: 'LHR', 58: '2300', 62: '2300', 66: '+0100' });
    const others = [buildLeg({ 6: '0777', 14: 'P' }), buildLeg({ 6: '0778', 14: 'F' })];
    const reasons: ExclusionReason[] = [];
    const itineraries = await read(buildLeg(), back, ...others);
    const records = [...buildConnectingRecords(itineraries, masterData, (reason) => reasons.push(reason))];
    expect(ways(records)).toEqual(['LHR-JFK', 'LHR-JFK', 'JFK-LHR']);
    expect(reasons.toSorted()).toEqual(['same-airport', 'service-type']);
  });
});

test('returns two-letter state codes in the five countries that have them', () => {
  const regions = 'US-NY CA-QC BR-SP AU-WA AU-NSW AU-VIC AU-QLD AU-TAS AU-ACT DE-BY GB-ENG  US'.split(' ');
  expect(regions.map(toStateCode).join(' ')).toBe('NY QC SP WA NS VI QL TS CT    ');
});
