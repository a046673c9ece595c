import type { LocationType } from '#domain/master-data/master-data-facts.ts';

/** Returns the type that the name of a field states; '' for most names. */
export const findTypeInName = (name: string): LocationType | '' => {
  if (/\bheli(port|pad|stop)\b/i.test(name)) return 'Heliport';
  if (/\b(seaplane|water aerodrome)\b/i.test(name)) return 'SeaplaneBase';
  return '';
};

const snapshotTypes: Readonly<Record<string, LocationType>> = {
  small_airport: 'Airport',
  medium_airport: 'Airport',
  large_airport: 'Airport',
  heliport: 'Heliport',
  seaplane_base: 'SeaplaneBase',
};

/** Returns the type of a field in OurAirports; '' for a closed field. */
export const parseOurAirportsType = (type: string): LocationType | '' => snapshotTypes[type] ?? '';

/** Feature codes of GeoNames. AIRQ is an abandoned airfield, AIRB an air base, AIRF an airfield. */
const featureTypes: Readonly<Record<string, LocationType>> = {
  AIRP: 'Airport',
  AIRB: 'Airport',
  AIRF: 'Airport',
  AIRQ: 'Airport',
  AIRH: 'Heliport',
  AIRS: 'SeaplaneBase',
  RSTN: 'RailwayStation',
  RSRT: 'RailwayStation',
  BUSTN: 'BusStation',
  PRT: 'Port',
};

const typesByLetter = {
  A: 'Airport',
  H: 'Heliport',
  R: 'RailwayStation',
  B: 'BusStation',
  P: 'Port',
  O: 'OffPoint',
} as const;

/**
 * Returns the type of a point of reference by its letters: A airport, H heliport, R railway, B bus, P port, O off-line point; '' for
 * C alone, a city.
 */
export const parsePointLetters = (kind: string): LocationType | '' =>
  Object.entries(typesByLetter).find(([letter]) => kind.includes(letter))?.[1] ?? '';

/** Returns the type of a point of reference by its feature code, else by its letters. Heliports also have feature codes of airports. */
export const parsePointType = (kind: string, feature: string): LocationType | '' => {
  const byLetters = parsePointLetters(kind);
  return byLetters === '' || byLetters === 'Heliport' ? byLetters : (featureTypes[feature] ?? byLetters);
};
