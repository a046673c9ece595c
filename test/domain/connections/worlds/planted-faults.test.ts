import { describe, expect, test } from 'vitest';
import type { MctRecord } from '../../../../src/domain/connections/mct/mct-record.ts';
import type { Itinerary, LegEnd, ScheduleLeg } from '../../../../src/domain/schedule/schedule.ts';
import { describeMatches } from './describe-connections.ts';
import { listConnections } from './oracle/list-connections.ts';
import { formatConnection } from './oracle/judge.ts';
import type { Station, World } from './oracle/world.ts';
import { createRandomWorld } from './random/random-world.ts';
import { buildWorldSet } from './world-set.ts';

const WORLDS = 800;

type Fault = (world: World) => World;

const ofLegs =
  (change: (leg: ScheduleLeg) => ScheduleLeg): Fault =>
  (world) => ({
    ...world,
    itineraries: world.itineraries.map((itinerary): Itinerary => {
      const [first, ...others] = itinerary.legs;
      return { ...itinerary, legs: [change(first), ...others.map(change)] };
    }),
  });

const ofEnds = (change: (end: LegEnd) => LegEnd): Fault =>
  ofLegs((leg) => ({ ...leg, departure: change(leg.departure), arrival: change(leg.arrival) }));

const withoutElements =
  (...elements: readonly number[]): Fault =>
  (world) => ({
    ...world,
    itineraries: world.itineraries.map((itinerary) => ({
      ...itinerary,
      segmentData: itinerary.segmentData.filter(({ dei }) => !elements.includes(dei)),
    })),
  });

const ofStations =
  (change: (station: Station) => Station): Fault =>
  (world) => ({ ...world, stations: world.stations.map(change) });

const ofRecords =
  (change: (record: MctRecord) => MctRecord): Fault =>
  (world) => ({ ...world, mct: { ...world.mct, records: world.mct.records.map(change) } });

const ofSides = (change: (side: MctRecord['arrival']) => MctRecord['arrival']): Fault =>
  ofRecords((record) => ({ ...record, arrival: change(record.arrival), departure: change(record.departure) }));

/** Faults of the service, planted in the input of the oracle. */
const faults: Readonly<Record<string, Fault>> = {
  'traffic restrictions of the legs': ofLegs((leg) => ({ ...leg, trafficRestrictions: '' })),
  'restrictions by kind of traffic': withoutElements(170, 171, 172, 173),
  'restrictions by data element 8': withoutElements(8),
  'where restrictions hold': withoutElements(710, 711, 712),
  'the flight that operates': withoutElements(50),
  'flights sold besides': withoutElements(10),
  'statuses of a pair': withoutElements(220),
  'statuses of a leg': ofEnds((end) => ({ ...end, mctStatus: '' })),
  'terminals of a leg': ofEnds((end) => ({ ...end, terminal: '' })),
  'terminals of a pair': withoutElements(198, 199),
  'types of a pair': withoutElements(121),
  disclosures: ofLegs((leg) => ({ ...leg, disclosure: '' })),
  'mixed service types': ofLegs((leg) => ({
    ...leg,
    serviceType: 'QRL'.includes(leg.serviceType) ? 'J' : leg.serviceType,
  })),
  'passenger times': ofEnds((end) => ({ ...end, passengerMinutes: end.aircraftMinutes })),
  'every other week': ofLegs((leg) => ({ ...leg, period: { ...leg.period, everyWeeks: 1 } })),
  'itineraries that are not whole': (world) => ({
    ...world,
    itineraries: world.itineraries.map((itinerary) => ({ ...itinerary, complete: true })),
  }),
  'clock changes': ofStations((station) => ({ ...station, zone: undefined })),
  cities: ofStations((station) => ({ ...station, cityCode: station.iata })),
  states: ofStations((station) => ({ ...station, stateCode: '' })),
  'unknown positions': ofStations((station) => ({
    ...station,
    latitude: station.latitude ?? 40,
    longitude: station.longitude ?? -74,
  })),
  'unknown countries': ofStations((station) => ({ ...station, countryCode: station.countryCode || 'GB' })),
  bodies: (world) => ({ ...world, bodies: {} }),
  alliances: (world) => ({ ...world, alliances: {} }),
  partners: (world) => ({ ...world, mct: { ...world.mct, partners: [] } }),
  defaults: (world) => ({ ...world, defaults: { ...world.defaults, II: world.defaults.II + 5 } }),
  'the default between airports': (world) => ({
    ...world,
    defaults: { ...world.defaults, interAirport: world.defaults.interAirport + 5 },
  }),
  'minutes of records': ofRecords((record) => ({
    ...record,
    minutes: record.minutes === undefined ? undefined : record.minutes + 1,
  })),
  'dates of records': ofRecords((record) => ({ ...record, from: undefined, to: undefined })),
  suppressions: ofRecords((record) => ({
    ...record,
    suppression: record.suppression === 'Y' ? 'N' : record.suppression,
  })),
  'lifted suppressions': ofRecords((record) => ({
    ...record,
    suppression: record.suppression === 'N' ? 'Y' : record.suppression,
  })),
  'where suppressions hold': ofRecords((record) => ({
    ...record,
    suppressionCountryCode: '',
    suppressionRegion: '',
    suppressionStateCode: '',
  })),
  'the later line': (world) => ({
    ...world,
    mct: { ...world.mct, records: world.mct.records.map((record) => ({ ...record, line: 5000 - record.line })) },
  }),
  'codeshare flags of records': ofSides((side) => ({ ...side, isCodeshare: false })),
  'operators of records': ofSides((side) => ({ ...side, operator: '' })),
  'numbers of records': ofSides((side) => ({ ...side, flights: undefined })),
  'terminals of records': ofSides((side) => ({ ...side, terminal: '' })),
  'stations beyond': ofSides((side) => ({ ...side, station: '' })),
  'states beyond': ofSides((side) => ({ ...side, stateCode: '' })),
  'countries beyond': ofSides((side) => ({ ...side, countryCode: '' })),
  'regions beyond': ofSides((side) => ({ ...side, region: '' })),
  'types of records': ofSides((side) => ({ ...side, equipment: '' })),
  'bodies of records': ofSides((side) => ({ ...side, body: '' })),
  'the last day': (world) => ({ ...world, days: world.days - 1 }),
  'the first day': (world) => ({ ...world, from: world.from + 1, days: world.days - 1 }),
};

const expectedTexts = (world: World): readonly string[] =>
  listConnections(world).map(({ one, other, judged }) => formatConnection(one, other, judged));

/** The connections of the service in each world, computed when the first fault gets that far. */
const expected: string[] = [];
const describeWorld = (seed: number, world: World): string =>
  (expected[seed] ??= describeMatches(buildWorldSet(world)).toSorted().join('\n'));

/** Record lines are part of the texts; where the fault changes them, the numbers are restored. */
const withLines = (name: string, texts: readonly string[]): string =>
  texts
    .map((text) =>
      name === 'the later line' ? text.replace(/line (\d+)/, (_, line) => `line ${5000 - Number(line)}`) : text,
    )
    .toSorted()
    .join('\n');

describe('a misread world has other connections', () => {
  test.each(Object.entries(faults))('without %s', { timeout: 300_000 }, (name, fault) => {
    let seed = 1;
    let differs = false;
    for (; seed <= WORLDS && !differs; seed += 1) {
      const world = createRandomWorld(seed);
      differs = withLines(name, expectedTexts(fault(world))) !== describeWorld(seed, world);
    }
    expect(differs, `${WORLDS} worlds do not detect the fault`).toBe(true);
  });
});
