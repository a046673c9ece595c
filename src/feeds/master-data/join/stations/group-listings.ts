import { fold } from '../../../../domain/master-data/name-words.ts';
import { findStationDates } from '../../overrides/station-overrides.ts';
import { metresBetween, type Station } from '../../sources/station.ts';

const AGREEMENT_METRES = 5000;
const DISAGREEMENT_METRES = 10_000;

/**
 * The station whose position stands against that of the list of airports in use, which has degrees, minutes and seconds for
 * decimals here and there (Brussels, Luxembourg): where both other lists agree on one elsewhere, and the older list means the
 * very same airport by its ICAO code and name. One that moved has another name by and large, and keeps its new position.
 */
export const outvotedBy = ({ main, snapshot, bestKnown }: Place): Station | undefined => {
  if (!main || !snapshot || !bestKnown) return undefined;
  // Fields with an identifier of the FAA are placed by its register, which knows of new airports first.
  if (main.faa !== '') return undefined;
  if (main.icao !== snapshot.icao || fold(main.name) !== fold(snapshot.name)) return undefined;
  if (metresBetween(snapshot, bestKnown) > AGREEMENT_METRES) return undefined;
  return metresBetween(main, snapshot) > DISAGREEMENT_METRES ? snapshot : undefined;
};

/** What the lists say of one place under one IATA code; each list says it once at most. */
type Listed = {
  /** The list of airports in use. */
  readonly main?: Station | undefined;
  readonly snapshot?: Station | undefined;
  readonly bestKnown?: Station | undefined;
  readonly withdrawn?: Station | undefined;
};
export type Part = keyof Listed;

export type Place = Listed & {
  /** The airport moved, and the list of airports in use has it where it was: the station that has it where it is. */
  readonly moved?: Station | undefined;
};

/** Two lists that have a field at one point differ by less. */
const SAME_POINT_METRES = 5000;
/** Reference points of one field differ by less. */
const ONE_FIELD_METRES = 10_000;
/** An airport that moved within its region is one station all the same, unless a list tells the old field from the new. */
const ONE_REGION_METRES = 50_000;
/** Positions in lists of present stations are wrong by up to this. Beyond it they mean two places. */
const ONE_STATION_METRES = 100_000;

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;

const referenceOf = ({ main, snapshot, bestKnown, withdrawn }: Place): Station | undefined =>
  main ?? snapshot ?? bestKnown ?? withdrawn;

const isPresentStation = (place: Place, candidate: Station): boolean => {
  const known = referenceOf(place);
  if (!known) return false;
  const metres = metresBetween(known, candidate);
  if (metres === Infinity) return !differ(known.countryCode, candidate.countryCode);
  return metres <= (differ(known.icao, candidate.icao) ? ONE_FIELD_METRES : ONE_STATION_METRES);
};

/** Whether the code was withdrawn from this very place, rather than from another that had it before. */
const isWithdrawnHere = (place: Place, candidate: Station): boolean => {
  const known = referenceOf(place);
  if (!known) return false;
  const { to } = candidate.validity;
  const since = place.bestKnown?.validity.from ?? '';
  if (to !== '' && since > to) return false;
  if (place.main && differ(place.main.icao, candidate.icao)) return false;
  const metres = metresBetween(known, candidate);
  if (place.main || !place.snapshot) return metres <= ONE_FIELD_METRES;
  return metres <= ONE_REGION_METRES || (metres === Infinity && known.countryCode === candidate.countryCode);
};

const addTo = (
  places: readonly Place[],
  candidate: Station,
  { part, isHere }: { readonly part: Part; readonly isHere: (place: Place, candidate: Station) => boolean },
): readonly Place[] => {
  const here = places.find((place) => place[part] === undefined && isHere(place, candidate));
  if (!here) return [...places, { [part]: candidate }];
  return places.map((place) => (place === here ? { ...place, [part]: candidate } : place));
};

const fromBefore = (withdrawn: Station, later: Station): boolean =>
  withdrawn.validity.to !== '' && later.validity.from > withdrawn.validity.to;

/** Whether the older list has the place from which the code was withdrawn before a point of reference got it elsewhere. */
const isFormerField = ({ main, snapshot }: Place, bestKnown: Station, withdrawn: readonly Station[]): boolean =>
  main === undefined &&
  snapshot !== undefined &&
  metresBetween(snapshot, bestKnown) > ONE_FIELD_METRES &&
  withdrawn.some((left) => metresBetween(snapshot, left) <= ONE_FIELD_METRES && fromBefore(left, bestKnown));

/** Moved to where the points of reference alone have it. */
const movedUnseen: ReadonlySet<string> = new Set(['JNZ']);

/**
 * Where an airport lies that the list of airports in use has at the very field from which its code was withdrawn, while both
 * other lists have it elsewhere.
 */
const movedTo = ({ main, snapshot, bestKnown }: Place, withdrawn: readonly Station[]): Station | undefined => {
  if (!main || !bestKnown || metresBetween(main, bestKnown) <= ONE_FIELD_METRES) return undefined;
  const isOldField = withdrawn.some(
    (left) => left.icao === main.icao && metresBetween(main, left) <= SAME_POINT_METRES && fromBefore(left, bestKnown),
  );
  if (!isOldField) return undefined;
  if (snapshot && metresBetween(snapshot, bestKnown) <= SAME_POINT_METRES) return snapshot;
  return movedUnseen.has(main.iata) ? bestKnown : undefined;
};

/** Our own last day of a place, where there is one: the list of airports in use has closed ones among them. */
const ownEndOf = (place: Place): string | undefined => {
  const known = referenceOf(place);
  return known && findStationDates(known).to;
};

/** Present places before former ones; of the former the one that had the code last comes first, those without a date last. */
const orderOf = (place: Place): string => {
  const { main, snapshot, bestKnown, withdrawn } = place;
  const ownEnd = ownEndOf(place);
  if (ownEnd !== undefined) return ownEnd;
  if (main) return '~~';
  if (bestKnown && !withdrawn && snapshot?.isClosed !== true) return '~';
  return withdrawn?.validity.to ?? '';
};

/**
 * The places that have or had one IATA code, the present owner first. Lists that mean one place are joined; the distance at
 * which they still do depends on what they list.
 */
export const placesOfCode = ({
  main,
  snapshot,
  bestKnown,
  withdrawn,
}: Omit<Place, 'withdrawn'> & { readonly withdrawn: readonly Station[] }): readonly Place[] => {
  let places: readonly Place[] = main ? [{ main }] : [];
  if (snapshot) places = addTo(places, snapshot, { part: 'snapshot', isHere: isPresentStation });
  // A point of reference is that of a place that has the code today.
  places = places.toSorted((one, other) => Number(ownEndOf(one) !== undefined) - Number(ownEndOf(other) !== undefined));
  if (bestKnown)
    places = addTo(places, bestKnown, {
      part: 'bestKnown',
      isHere: (place, point) => isPresentStation(place, point) && !isFormerField(place, point, withdrawn),
    });
  places = places.map((place) => ({ ...place, moved: movedTo(place, withdrawn) }));
  for (const station of withdrawn) places = addTo(places, station, { part: 'withdrawn', isHere: isWithdrawnHere });
  return places.toSorted((one, other) => (orderOf(one) < orderOf(other) ? 1 : orderOf(one) > orderOf(other) ? -1 : 0));
};
