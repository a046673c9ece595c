import { describe, expect, test } from 'vitest';
import { blankMctSide, type MctRecord, type MctSide } from '#domain/connections/mct/mct-record.ts';
import type { Itinerary, LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { listConnections } from './oracle/connections.ts';
import { formatConnection } from './oracle/judge.ts';
import type { Station, World } from './oracle/world.ts';
import { listWorlds } from './random-worlds.ts';

type Fault = (world: World) => World;
type Change<T> = (value: T) => Partial<T>;

const apply = <T extends object>(change: Change<T>) => {
  return (value: T): T => ({ ...value, ...change(value) });
};

const ofItineraries = (change: Change<Itinerary>): Fault =>
  apply(({ itineraries }) => ({ itineraries: itineraries.map(apply(change)) }));

const ofLegs = (change: Change<ScheduleLeg>): Fault =>
  ofItineraries(({ legs: [first, ...others] }) => ({ legs: [apply(change)(first), ...others.map(apply(change))] }));

const ofEnds = (change: Change<LegEnd>): Fault =>
  ofLegs(({ departure, arrival }) => ({ departure: apply(change)(departure), arrival: apply(change)(arrival) }));

const withoutElements = (...elements: readonly number[]): Fault =>
  ofItineraries(({ segmentData }) => ({ segmentData: segmentData.filter(({ dei }) => !elements.includes(dei)) }));

const ofStations = (change: Change<Station>): Fault =>
  apply(({ stations }) => ({ stations: stations.map(apply(change)) }));

const ofMct = (change: Change<World['mct']>): Fault => apply(({ mct }) => ({ mct: apply(change)(mct) }));

const ofRecords = (change: Change<MctRecord>): Fault =>
  ofMct(({ records }) => ({ records: records.map(apply(change)) }));

const withoutOfSides = (name: keyof MctSide): Fault => {
  const blank = apply<MctSide>(() => ({ [name]: blankMctSide[name] }));
  return ofRecords(({ arrival, departure }) => ({ arrival: blank(arrival), departure: blank(departure) }));
};

const ofDefaults = (change: Change<World['defaults']>): Fault =>
  apply(({ defaults }) => ({ defaults: apply(change)(defaults) }));

const everywhere = { suppressionCountryCode: '', suppressionRegion: '', suppressionStateCode: '' };
const lastLine = 5000;
/** The carrier is left out, because a record that is for any carrier is for more flights than the world has. */
const sideNames = (Object.keys(blankMctSide) as (keyof MctSide)[]).filter((name) => name !== 'carrier');

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
  'mixed service types': ofLegs(({ serviceType: type }) => ({ serviceType: 'QRL'.includes(type) ? 'J' : type })),
  'passenger times': ofEnds(({ aircraftMinutes }) => ({ passengerMinutes: aircraftMinutes })),
  'every other week': ofLegs(({ period }) => ({ period: { ...period, everyWeeks: 1 } })),
  'itineraries that are not whole': ofItineraries((itinerary) => ({ ...itinerary, complete: true })),
  'clock changes': ofStations(() => ({ zone: undefined })),
  cities: ofStations(({ iata }) => ({ cityCode: iata })),
  states: ofStations(() => ({ stateCode: '' })),
  'unknown positions': ofStations(({ latitude = 40, longitude = -74 }) => ({ latitude, longitude })),
  'unknown countries': ofStations(({ countryCode }) => ({ countryCode: countryCode || 'GB' })),
  cancellations: (world) => ({ ...world, cancelled: [] }),
  'cancellations of one leg': ({ cancelled, ...world }) => ({
    ...world,
    cancelled: cancelled.map((one) => ({ ...one, leg: undefined })),
  }),
  bodies: (world) => ({ ...world, bodies: {} }),
  alliances: (world) => ({ ...world, alliances: {} }),
  partners: ofMct(() => ({ partners: [] })),
  defaults: ofDefaults(({ II }) => ({ II: II + 5 })),
  'the default between airports': ofDefaults(({ interAirport }) => ({ interAirport: interAirport + 5 })),
  'minutes of records': ofRecords(({ minutes }) => ({ minutes: minutes === undefined ? undefined : minutes + 1 })),
  'dates of records': ofRecords(() => ({ from: undefined, to: undefined })),
  suppressions: ofRecords(({ suppression }) => ({ suppression: suppression === 'Y' ? 'N' : suppression })),
  'lifted suppressions': ofRecords(({ suppression }) => ({ suppression: suppression === 'N' ? 'Y' : suppression })),
  'where suppressions hold': ofRecords(() => everywhere),
  'the later line': ofRecords(({ line }) => ({ line: lastLine - line })),
  ...Object.fromEntries(sideNames.map((name) => [`${name} of records`, withoutOfSides(name)])),
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
