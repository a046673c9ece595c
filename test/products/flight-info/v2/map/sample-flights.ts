import type { LandingTimes, MapLanding } from '#products/flight-info/v2/map/map-source.ts';
import type { FlightMapSource, MapStation } from '#products/flight-info/v2/map/map-source.ts';
import type { TakeOffTimes } from '#products/flight-info/v2/map/map-source.ts';
import { parseInstant, truncateToSecond, type UtcSecond } from '#domain/status/instants.ts';

/** Parses an ISO 8601 text, e.g. `2027-03-01T10:05Z`. */
export const at = (text: string): UtcSecond => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`invalid instant: '${text}'`);
  return truncateToSecond(instant);
};

/** Parses an ISO 8601 text as milliseconds since 1970. */
export const atMs = (text: string): number => at(text) * 1000;

const station = (
  [code, city, name, zone]: readonly [string, string, string, string],
  [latitude, longitude]: readonly [number, number],
): MapStation => ({ code, city, name, zone, latitude, longitude });

export const LHR = station(['LHR', 'London', 'London Heathrow', 'Europe/London'], [51.47, -0.4543]);
export const JFK = station(['JFK', 'New York', 'New York J F Kennedy', 'America/New_York'], [40.6398, -73.7789]);
export const AKL = station(['AKL', 'Auckland', 'Auckland International', 'Pacific/Auckland'], [-37.0081, 174.7917]);
export const LAX = station(
  ['LAX', 'Los Angeles', 'Los Angeles International', 'America/Los_Angeles'],
  [33.9425, -118.4081],
);
export const CDG = station(['CDG', 'Paris', 'Paris Charles de Gaulle', 'Europe/Paris'], [49.0128, 2.55]);
export const DEN = station(['DEN', 'Denver', 'Denver International', 'America/Denver'], [39.8617, -104.6731]);
export const SIN = station(['SIN', 'Singapore', 'Singapore Changi', 'Asia/Singapore'], [1.3502, 103.9944]);

export const noLanding: LandingTimes = {
  estimatedOn: undefined,
  estimatedIn: undefined,
  actualOn: undefined,
  actualIn: undefined,
};

export const noTakeOff: TakeOffTimes = {
  scheduledOut: undefined,
  estimatedOut: undefined,
  estimatedOff: undefined,
  actualOut: undefined,
  actualOff: undefined,
};

/** A landing at another airport without known times. */
export const landingAt = (station: MapStation | undefined, rest: Partial<MapLanding> = {}): MapLanding => ({
  ...noLanding,
  station,
  type: 'Unplanned',
  actualOff: undefined,
  ...rest,
});

const updatedAt = (text: string): FlightMapSource['updatedAt'] => (at(text) * 1000) as FlightMapSource['updatedAt'];
/** A take-off with reported times of gate and runway. */
const tookOff = (scheduledOut: string, actualOut: string, actualOff: string): TakeOffTimes => ({
  ...noTakeOff,
  scheduledOut: at(scheduledOut),
  actualOut: at(actualOut),
  actualOff: at(actualOff),
});

/** ZX 101: over the North Atlantic, an hour before half way at 13:30 UTC, 22 minutes late. */
export const atlantic: FlightMapSource = {
  designator: 'ZX 101',
  departsOn: '2027-03-01',
  state: 'inAir',
  departure: LHR,
  arrival: JFK,
  takeOff: {
    ...tookOff('2027-03-01T10:05Z', '2027-03-01T10:27Z', '2027-03-01T10:43Z'),
    estimatedOut: at('2027-03-01T10:25Z'),
    estimatedOff: at('2027-03-01T10:40Z'),
  },
  scheduledIn: at('2027-03-01T18:10Z'),
  destination: { ...noLanding, estimatedOn: at('2027-03-01T18:13Z'), estimatedIn: at('2027-03-01T18:22Z') },
  landings: [],
  boundFor: undefined,
  updatedAt: updatedAt('2027-03-01T13:21Z'),
};

/** ZX 6: crosses the date line and arrives before its local departure time. */
export const pacific: FlightMapSource = {
  ...atlantic,
  designator: 'ZX 6',
  departsOn: '2027-03-02',
  departure: AKL,
  arrival: LAX,
  takeOff: tookOff('2027-03-02T06:30Z', '2027-03-02T06:28Z', '2027-03-02T06:46Z'),
  scheduledIn: at('2027-03-02T18:35Z'),
  destination: { ...noLanding, estimatedIn: at('2027-03-02T18:10Z') },
  updatedAt: updatedAt('2027-03-02T09:00Z'),
};

/** ZX 304: an hour over the Channel. */
export const channel: FlightMapSource = {
  ...atlantic,
  designator: 'ZX 304',
  arrival: CDG,
  takeOff: tookOff('2027-03-01T08:20Z', '2027-03-01T08:20Z', '2027-03-01T08:34Z'),
  scheduledIn: at('2027-03-01T09:40Z'),
  destination: noLanding,
  updatedAt: updatedAt('2027-03-01T08:35Z'),
};

/** ZX 411: diverted from Los Angeles to Denver. */
export const diverted: FlightMapSource = {
  ...atlantic,
  designator: 'ZX 411',
  departure: JFK,
  arrival: LAX,
  takeOff: tookOff('2027-03-01T13:00Z', '2027-03-01T13:04Z', '2027-03-01T13:22Z'),
  scheduledIn: at('2027-03-01T19:20Z'),
  destination: noLanding,
  landings: [landingAt(DEN, { estimatedOn: at('2027-03-01T18:00Z'), estimatedIn: at('2027-03-01T18:10Z') })],
  boundFor: 0,
  updatedAt: updatedAt('2027-03-01T16:31Z'),
};
