import type { City } from '#domain/master-data/master-data-facts.ts';
import type { LocationUpdate } from '#store/master-data/locations.ts';
import { interpolate, pick, type NamedRandom } from '#lib/seeded-random.ts';
import { airports, getAirport } from '#demo/world/airports.ts';

/** An airport of the synthetic world: a real one of the demo world, or an invented one. */
export type SyntheticAirport = {
  readonly iata: string;
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly zone: string;
  readonly isHub: boolean;
};

/** The number of airports, those of the demo world included. */
export const AIRPORT_COUNT = 3400;

/** The hubs, airports of the demo world, the busiest first. */
const hubs: readonly SyntheticAirport[] = (
  'ORD LHR PVG HND DEN IST LAX FRA CDG AMS DEL JFK SFO HKG MAD MIA SIN SEA ICN PHX EWR BKK YYZ GRU MEX ' +
  'DOH BOS SYD LGA FCO BOG LGW CPH ARN OSL LIS DUB YVR ATH MEL LIM SCL HEL AKL NRT JNB CAI ORY NBO'
)
  .split(' ')
  .map((iata) => ({ iata, ...getAirport(iata), isHub: true }));

const LETTERS = 26;
/** Every fifth three-letter code is used, so that codes begin with any letter. */
const STEP = 5;

const toCode = (index: number): string =>
  [index / LETTERS ** 2, index / LETTERS, index]
    .map((at) => String.fromCharCode(65 + (Math.floor(at) % LETTERS)))
    .join('');

/** Invents an airport near a hub, with its country and zone; borders and coasts are ignored. */
const inventAirport = (iata: string, random: NamedRandom): SyntheticAirport => {
  const [busiest, ...others] = hubs;
  if (!busiest) throw new RangeError('the demo world has no hubs');
  // The busiest hub counts twice.
  const hub = pick(random(`parent ${iata}`), [busiest, busiest, ...others]);
  const longitude = hub.longitude + interpolate(random(`east ${iata}`), -8, 8);
  return {
    ...hub,
    isHub: false,
    iata,
    latitude: Number((hub.latitude + interpolate(random(`north ${iata}`), -5, 5)).toFixed(3)),
    longitude: Number((longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude).toFixed(3)),
  };
};

/**
 * Creates the airports, the busiest first: the hubs, then invented airports with codes that the demo world does not
 * use.
 */
export const createAirports = (random: NamedRandom): readonly SyntheticAirport[] => {
  const taken = new Set(airports.flatMap(({ iata, cityCode }) => [iata, cityCode]));
  const created = [...hubs];
  for (let index = 0; created.length < AIRPORT_COUNT; index += STEP) {
    const code = toCode(index);
    if (!taken.has(code)) created.push(inventAirport(code, random));
  }
  return created;
};

/** Returns the master data of the invented airports; the demo world has those of the hubs. */
export const toLocationRecords = (all: readonly SyntheticAirport[]): readonly LocationUpdate[] =>
  all.slice(hubs.length).map(({ iata, isHub: _, ...airport }) => ({
    ...airport,
    iata,
    // No real ICAO code begins with Q.
    icao: `Q${iata}`,
    faa: '',
    name: `Synthetic ${iata}`,
    cityCode: iata,
    rank: 1,
    facts: {
      type: 'Airport',
      cityName: `Synthetic ${iata}`,
      region: { code: '', name: '' },
      validity: { from: '', to: '' },
      provenance: { 'code.iata': 'own', 'code.icao': 'own', name: 'own', 'timezone.name': 'own' },
    },
  }));

/** Returns a city for each invented airport. */
export const toCities = (all: readonly SyntheticAirport[]): readonly City[] =>
  all.slice(hubs.length).map(({ iata, countryCode, latitude, longitude, zone }) => ({
    code: iata,
    name: `Synthetic ${iata}`,
    countryCode,
    latitude,
    longitude,
    zone,
    provenance: { 'code.iata': 'own', name: 'own' },
  }));
