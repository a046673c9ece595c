import type { City } from '../../../domain/master-data/master-data-facts.ts';
import type { LocationRecord } from '../../../store/master-data/locations.ts';
import { interpolate, pick, type NamedRandom } from '../../../lib/seeded-random.ts';
import { airports } from '../world/airports.ts';

/** A place that flights call at. */
export type SyntheticAirport = {
  readonly iata: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly zone: string;
  readonly isHub: boolean;
};

/** How many places the synthetic world has, those of the demo world among them. */
export const AIRPORT_COUNT = 3400;

/** Places of the demo world that are hubs here too, the busiest first. */
const hubs =
  'ORD LHR PVG HND DEN IST LAX FRA CDG AMS DEL JFK SFO HKG MAD MIA SIN SEA ICN PHX EWR BKK YYZ GRU MEX DOH BOS SYD LGA FCO BOG LGW CPH ARN OSL LIS DUB YVR ATH MEL LIM SCL HEL AKL NRT JNB CAI ORY NBO'.split(
    ' ',
  );

const LETTERS = 26;
/** Every so many of the codes of three letters are taken, so that they begin with any letter. */
const STEP = 5;

const codeAt = (index: number): string =>
  [index / LETTERS ** 2, index / LETTERS, index]
    .map((at) => String.fromCharCode(65 + (Math.floor(at) % LETTERS)))
    .join('');

const needed = (iata: string): SyntheticAirport & { readonly countryCode: string } => {
  const { latitude, longitude, zone, countryCode } = airports.find((airport) => airport.iata === iata) ?? {};
  if (latitude === undefined || longitude === undefined || zone === undefined || countryCode === undefined)
    throw new RangeError(`not an airport of the demo world: '${iata}'`);
  return { iata, latitude, longitude, zone, countryCode, isHub: true };
};

type Invented = SyntheticAirport & { readonly countryCode: string };

/** An invented place lies around a hub, in its country and zone: borders and coasts do not matter here. */
const invent = (iata: string, chance: NamedRandom): Invented => {
  const parent = needed(pick(chance(`parent ${iata}`), ['ORD', ...hubs]));
  const longitude = parent.longitude + interpolate(chance(`east ${iata}`), -8, 8);
  return {
    ...parent,
    isHub: false,
    iata,
    latitude: Number((parent.latitude + interpolate(chance(`north ${iata}`), -5, 5)).toFixed(3)),
    longitude: Number((longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude).toFixed(3)),
  };
};

/** The places that flights call at, the busiest first: hubs that exist, then invented ones under codes that the demo world leaves free. */
export const createAirports = (chance: NamedRandom): readonly Invented[] => {
  const taken = new Set(airports.flatMap(({ iata, cityCode }) => [iata, cityCode]));
  const places = hubs.map(needed);
  for (let index = 0; places.length < AIRPORT_COUNT; index += STEP) {
    const code = codeAt(index);
    if (!taken.has(code)) places.push(invent(code, chance));
  }
  return places;
};

/** The invented places as master data; those of the demo world are described there. */
export const toLocationRecords = (places: readonly Invented[]): readonly LocationRecord[] =>
  places.slice(hubs.length).map(({ iata, isHub: _, ...place }) => ({
    ...place,
    iata,
    // No place has an ICAO code that begins so.
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

/** Each invented place serves a city of its own. */
export const toCities = (places: readonly Invented[]): readonly City[] =>
  places.slice(hubs.length).map(({ iata, countryCode, latitude, longitude, zone }) => ({
    code: iata,
    name: `Synthetic ${iata}`,
    countryCode,
    latitude,
    longitude,
    zone,
    provenance: { 'code.iata': 'own', name: 'own' },
  }));
