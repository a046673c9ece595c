import { compareTexts } from '#lib/compare-texts.ts';
import { foldText } from '#domain/master-data/name-words.ts';
import { findStationDates } from '#feeds/master-data/overrides/station-overrides.ts';
import { computeMetres, type Station } from '#feeds/master-data/sources/station.ts';

/** The entries of the lists for one station under one IATA code, one entry a list. */
type ListEntries = {
  /** From the list of airports in use. */
  readonly main?: Station | undefined;
  readonly snapshot?: Station | undefined;
  readonly referencePoint?: Station | undefined;
  readonly withdrawn?: Station | undefined;
};
export type ListName = keyof ListEntries;

export type StationListing = ListEntries & {
  /** The entry with the present position of an airport that moved, where the list of airports in use has the former one. */
  readonly moved?: Station | undefined;
};

/** Largest distance of two lists that have a field at the same point. */
const SAME_POINT_METRES = 5000;
/** Largest distance of two reference points of one field. */
const ONE_FIELD_METRES = 10_000;
/** An airport that moved no farther is one station, unless a list distinguishes the old field from the new one. */
const ONE_REGION_METRES = 50_000;
/** Largest error of positions in lists of present stations. Beyond it, they are two stations. */
const ONE_STATION_METRES = 100_000;

/**
 * Returns the entry whose position replaces that of the list of airports in use, which has degrees, minutes and seconds instead of
 * decimals for some airports (Brussels, Luxembourg). Both other lists must agree on another position, and the older list must
 * have the same ICAO code and name: an airport that moved usually has another name, and keeps its new position.
 */
export const findOutvotingStation = ({ main, snapshot, referencePoint }: StationListing): Station | undefined => {
  if (!main || !snapshot || !referencePoint) return undefined;
  // The register of the FAA gives the position of fields that have its identifier, and has new airports first.
  if (main.faa !== '') return undefined;
  if (main.icao !== snapshot.icao || foldText(main.name) !== foldText(snapshot.name)) return undefined;
  if (computeMetres(snapshot, referencePoint) > SAME_POINT_METRES) return undefined;
  return computeMetres(main, snapshot) > ONE_FIELD_METRES ? snapshot : undefined;
};

const isContradiction = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;

const selectReference = ({ main, snapshot, referencePoint, withdrawn }: StationListing): Station | undefined =>
  main ?? snapshot ?? referencePoint ?? withdrawn;

const isSameStation = (listing: StationListing, candidate: Station): boolean => {
  const reference = selectReference(listing);
  if (!reference) return false;
  const metres = computeMetres(reference, candidate);
  if (metres === Infinity) return !isContradiction(reference.countryCode, candidate.countryCode);
  return metres <= (isContradiction(reference.icao, candidate.icao) ? ONE_FIELD_METRES : ONE_STATION_METRES);
};

/** Whether the code was withdrawn from this station, rather than from another that had it before. */
const isSameWithdrawal = (listing: StationListing, candidate: Station): boolean => {
  const reference = selectReference(listing);
  if (!reference) return false;
  const { to } = candidate.validity;
  const since = listing.referencePoint?.validity.from ?? '';
  if (to !== '' && since > to) return false;
  if (listing.main && isContradiction(listing.main.icao, candidate.icao)) return false;
  const metres = computeMetres(reference, candidate);
  if (listing.main || !listing.snapshot) return metres <= ONE_FIELD_METRES;
  return metres <= ONE_REGION_METRES || (metres === Infinity && reference.countryCode === candidate.countryCode);
};

const addToListings = (
  listings: readonly StationListing[],
  candidate: Station,
  {
    list,
    isSame,
  }: { readonly list: ListName; readonly isSame: (listing: StationListing, candidate: Station) => boolean },
): readonly StationListing[] => {
  const match = listings.find((listing) => listing[list] === undefined && isSame(listing, candidate));
  if (!match) return [...listings, { [list]: candidate }];
  return listings.map((listing) => (listing === match ? { ...listing, [list]: candidate } : listing));
};

const isWithdrawnBefore = (withdrawn: Station, other: Station): boolean =>
  withdrawn.validity.to !== '' && other.validity.from > withdrawn.validity.to;

/** Whether the older list has the field from which the code was withdrawn before a point of reference received it elsewhere. */
const isFormerField = (
  { main, snapshot }: StationListing,
  referencePoint: Station,
  withdrawn: readonly Station[],
): boolean =>
  main === undefined &&
  snapshot !== undefined &&
  computeMetres(snapshot, referencePoint) > ONE_FIELD_METRES &&
  withdrawn.some(
    (withdrawal) =>
      computeMetres(snapshot, withdrawal) <= ONE_FIELD_METRES && isWithdrawnBefore(withdrawal, referencePoint),
  );

/** Airports whose new position only the points of reference have. */
const movedOnlyInReferencePoints: ReadonlySet<string> = new Set(['JNZ']);

/**
 * Returns the entry with the present position of an airport that the list of airports in use has at the field from which its code
 * was withdrawn, while both other lists have it elsewhere.
 */
const findMovedPosition = (
  { main, snapshot, referencePoint }: StationListing,
  withdrawn: readonly Station[],
): Station | undefined => {
  if (!main || !referencePoint || computeMetres(main, referencePoint) <= ONE_FIELD_METRES) return undefined;
  const isOldField = withdrawn.some(
    (withdrawal) =>
      withdrawal.icao === main.icao &&
      computeMetres(main, withdrawal) <= SAME_POINT_METRES &&
      isWithdrawnBefore(withdrawal, referencePoint),
  );
  if (!isOldField) return undefined;
  if (snapshot && computeMetres(snapshot, referencePoint) <= SAME_POINT_METRES) return snapshot;
  return movedOnlyInReferencePoints.has(main.iata) ? referencePoint : undefined;
};

/** Returns the last day in the overrides: the list of airports in use contains some that closed. */
const findEndOverride = (listing: StationListing): string | undefined => {
  const reference = selectReference(listing);
  return reference && findStationDates(reference).to;
};

/** Sorts in descending order: present stations first, then former ones by their last day, those without a date last. */
const formatOrderKey = (listing: StationListing): string => {
  const { main, snapshot, referencePoint, withdrawn } = listing;
  const ownEnd = findEndOverride(listing);
  if (ownEnd !== undefined) return ownEnd;
  if (main) return '~~';
  if (referencePoint && !withdrawn && snapshot?.isClosed !== true) return '~';
  return withdrawn?.validity.to ?? '';
};

/**
 * Groups the entries of one IATA code by station, the present owner of the code first. How far apart two entries may be to mean one
 * station depends on their lists.
 */
export const groupListings = ({
  main,
  snapshot,
  referencePoint,
  withdrawn,
}: Omit<StationListing, 'withdrawn'> & { readonly withdrawn: readonly Station[] }): readonly StationListing[] => {
  let listings: readonly StationListing[] = main ? [{ main }] : [];
  if (snapshot) listings = addToListings(listings, snapshot, { list: 'snapshot', isSame: isSameStation });
  // A point of reference belongs to a station that has the code today.
  listings = listings.toSorted(
    (one, other) => Number(findEndOverride(one) !== undefined) - Number(findEndOverride(other) !== undefined),
  );
  if (referencePoint)
    listings = addToListings(listings, referencePoint, {
      list: 'referencePoint',
      isSame: (listing, point) => isSameStation(listing, point) && !isFormerField(listing, point, withdrawn),
    });
  listings = listings.map((listing) => ({ ...listing, moved: findMovedPosition(listing, withdrawn) }));
  for (const station of withdrawn)
    listings = addToListings(listings, station, { list: 'withdrawn', isSame: isSameWithdrawal });
  return listings.toSorted((one, other) => compareTexts(formatOrderKey(other), formatOrderKey(one)));
};
