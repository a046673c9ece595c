import type { LocationType } from '../../../domain/master-data/master-data-facts.ts';

/** What the name of a field says of its type; '' for most, and for names that speak of a seaplane base beside an airport. */
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

/** The type in OurAirports; '' for a closed field, which is no longer what it was. */
export const parseOurAirportsType = (type: string): LocationType | '' => snapshotTypes[type] ?? '';

/** Feature codes of GeoNames that say what a place is. AIRQ is an abandoned airfield, AIRB and AIRF are a base and a field. */
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
 * The type of a point of reference by its letters: A airport, H heliport, R railway, B bus, P port, O a point off the network;
 * '' for C alone, a city.
 */
export const parsePointLetters = (kind: string): LocationType | '' =>
  Object.entries(typesByLetter).find(([letter]) => kind.includes(letter))?.[1] ?? '';

/** The type of a point of reference: by its feature code where that says what it is, else by its letters; heliports are filed as airports, too. */
export const parsePointType = (kind: string, feature: string): LocationType | '' => {
  const byLetters = parsePointLetters(kind);
  return byLetters === '' || byLetters === 'Heliport' ? byLetters : (featureTypes[feature] ?? byLetters);
};
