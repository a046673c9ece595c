import { describe, expect, test } from 'vitest';
import type { MctRecord, MctSide } from '../../../../src/domain/connections/mct/mct-record.ts';
import type { Itinerary, LegEnd, ScheduleLeg } from '../../../../src/domain/schedule/schedule.ts';
import { listConnections } from './oracle/connections.ts';
import { formatConnection } from './oracle/judge.ts';
import type { Station, World } from './oracle/world.ts';
import { listWorlds } from './random-worlds.ts';

type Fault = (world: World) => World;

const ofItineraries =
  (change: (itinerary: Itinerary) => Itinerary): Fault =>
  (world) => ({ ...world, itineraries: world.itineraries.map(change) });

const ofLegs = (change: (leg: ScheduleLeg) => Partial<ScheduleLeg>): Fault => {
  const changed = (leg: ScheduleLeg): ScheduleLeg => ({ ...leg, ...change(leg) });
  return ofItineraries(({ legs: [first, ...others], ...rest }) => ({
    ...rest,
    legs: [changed(first), ...others.map(changed)],
  }));
};

const ofEnds = (change: (end: LegEnd) => Partial<LegEnd>): Fault =>
  ofLegs(({ departure, arrival }) => ({
    departure: { ...departure, ...change(departure) },
    arrival: { ...arrival, ...change(arrival) },
  }));

const withoutElements = (...elements: readonly number[]): Fault =>
  ofItineraries(({ segmentData, ...rest }) => ({
    ...rest,
    segmentData: segmentData.filter(({ dei }) => !elements.includes(dei)),
  }));

const ofStations =
  (change: (station: Station) => Partial<Station>): Fault =>
  (world) => ({ ...world, stations: world.stations.map((station) => ({ ...station, ...change(station) })) });

const ofMct =
  (change: (mct: World['mct']) => Partial<World['mct']>): Fault =>
  (world) => ({ ...world, mct: { ...world.mct, ...change(world.mct) } });

const ofRecords = (change: (record: MctRecord) => Partial<MctRecord>): Fault =>
  ofMct(({ records }) => ({ records: records.map((record) => ({ ...record, ...change(record) })) }));

const withSides = (change: Partial<MctSide>): Fault =>
  ofRecords(({ arrival, departure }) => ({
    arrival: { ...arrival, ...change },
    departure: { ...departure, ...change },
  }));

const withDefaults =
  (change: (defaults: World['defaults']) => Partial<World['defaults']>): Fault =>
  (world) => ({ ...world, defaults: { ...world.defaults, ...change(world.defaults) } });

const everywhere = { suppressionCountryCode: '', suppressionRegion: '', suppressionStateCode: '' };
const lastLine = 5000;

/** Faults of the service, planted in the input of the oracle. */
const faults: Readonly<Record<string, Fault>> = {
  'traffic restrictions of the legs': ofLegs(() => ({ trafficRestrictions: '' })),
  'restrictions by kind of traffic': withoutElements(170, 171, 172, 173),
  'restrictions by data element 8': withoutElements(8),
  'where restrictions hold': withoutElements(710, 711, 712),
  'the flight that operates': withoutElements(50),
  'flights sold besides': withoutElements(10),
  'statuses of a pair': withoutElements(220),
  'statuses of a leg': ofEnds(() => ({ mctStatus: '' })),
  'terminals of a leg': ofEnds(() => ({ terminal: '' })),
  'terminals of a pair': withoutElements(198, 199),
  'types of a pair': withoutElements(121),
  disclosures: ofLegs(() => ({ disclosure: '' })),
  'mixed service types': ofLegs(({ serviceType }) => ({
    serviceType: 'QRL'.includes(serviceType) ? 'J' : serviceType,
  })),
  'passenger times': ofEnds(({ aircraftMinutes }) => ({ passengerMinutes: aircraftMinutes })),
  'every other week': ofLegs(({ period }) => ({ period: { ...period, everyWeeks: 1 } })),
  'itineraries that are not whole': ofItineraries((itinerary) => ({ ...itinerary, complete: true })),
  'clock changes': ofStations(() => ({ zone: undefined })),
  cities: ofStations(({ iata }) => ({ cityCode: iata })),
  states: ofStations(() => ({ stateCode: '' })),
  'unknown positions': ofStations(({ latitude = 40, longitude = -74 }) => ({ latitude, longitude })),
  'unknown countries': ofStations(({ countryCode }) => ({ countryCode: countryCode || 'GB' })),
  bodies: (world) => ({ ...world, bodies: {} }),
  alliances: (world) => ({ ...world, alliances: {} }),
  partners: ofMct(() => ({ partners: [] })),
  defaults: withDefaults(({ II }) => ({ II: II + 5 })),
  'the default between airports': withDefaults(({ interAirport }) => ({ interAirport: interAirport + 5 })),
  'minutes of records': ofRecords(({ minutes }) => ({ minutes: minutes === undefined ? undefined : minutes + 1 })),
  'dates of records': ofRecords(() => ({ from: undefined, to: undefined })),
  suppressions: ofRecords(({ suppression }) => ({ suppression: suppression === 'Y' ? 'N' : suppression })),
  'lifted suppressions': ofRecords(({ suppression }) => ({ suppression: suppression === 'N' ? 'Y' : suppression })),
  'where suppressions hold': ofRecords(() => everywhere),
  'the later line': ofRecords(({ line }) => ({ line: lastLine - line })),
  'codeshare flags of records': withSides({ isCodeshare: false }),
  'operators of records': withSides({ operator: '' }),
  'numbers of records': withSides({ flights: undefined }),
  'terminals of records': withSides({ terminal: '' }),
  'stations beyond': withSides({ station: '' }),
  'states beyond': withSides({ stateCode: '' }),
  'countries beyond': withSides({ countryCode: '' }),
  'regions beyond': withSides({ region: '' }),
  'types of records': withSides({ equipment: '' }),
  'bodies of records': withSides({ body: '' }),
  'the last day': (world) => ({ ...world, days: world.days - 1 }),
  'the first day': (world) => ({ ...world, from: world.from + 1, days: world.days - 1 }),
};

const linesOf = (texts: readonly string[]): string =>
  texts
    .flatMap((text) => text.split('\n'))
    .toSorted()
    .join('\n');

describe('a misread world has other connections', () => {
  test.each(Object.entries(faults))('without %s', (name, fault) => {
    // Record lines are part of the texts; where the fault changes them, the numbers are restored.
    const restoreLine = (text: string): string =>
      name === 'the later line' ? text.replace(/line (\d+)/, (_, line) => `line ${lastLine - Number(line)}`) : text;
    const detecting = listWorlds().find(({ world, texts }) => {
      const found = listConnections(fault(world)).map(({ one, other, judged }) => formatConnection(one, other, judged));
      return linesOf(found.map(restoreLine)) !== linesOf(texts());
    });
    expect(detecting, 'no world detects the fault').toBeDefined();
  });
});
