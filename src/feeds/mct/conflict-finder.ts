import type { MctRecord, MctSide } from '../../domain/connections/mct/mct-record.ts';

/** How two ranges lie to each other; two records without one are equal in it. */
type Relation = 'equal' | 'nested' | 'partial' | 'disjoint';

type Range = { readonly from: number; readonly to: number };

const relationOf = (one: Range | undefined, other: Range | undefined): Relation => {
  if (one === undefined || other === undefined) return 'equal';
  if (one.from === other.from && one.to === other.to) return 'equal';
  if (one.to < other.from || other.to < one.from) return 'disjoint';
  const isWithin = (inner: Range, outer: Range): boolean => outer.from <= inner.from && inner.to <= outer.to;
  return isWithin(one, other) || isWithin(other, one) ? 'nested' : 'partial';
};

const datesOf = ({ from, to }: MctRecord): Range => ({ from: from ?? -Infinity, to: to ?? Infinity });

const sideKeyOf = (side: MctSide): string =>
  `${side.carrier},${side.isCodeshare ? 'Y' : ''},${side.operator},${side.flights === undefined ? '' : 'range'},${side.terminal},` +
  `${side.station},${side.stateCode},${side.countryCode},${side.region},${side.equipment},${side.body}`;

/** Records of equal keys ask the same of a pair of flights, but for the values of dates and flight ranges. */
const keyOf = (record: MctRecord): string =>
  [
    record.status,
    record.arrivalStation,
    record.departureStation,
    sideKeyOf(record.arrival),
    sideKeyOf(record.departure),
    record.from === undefined ? '' : 'from',
    record.to === undefined ? '' : 'to',
    record.suppressionStateCode,
    record.suppressionCountryCode,
    record.suppressionRegion,
  ].join('/');

/** Why a record cannot stand beside an earlier one. */
export type Conflict = {
  readonly with: MctRecord;
  readonly kind: 'duplicate' | 'overlapping-dates' | 'overlapping-flights';
};

const conflictOf = (one: MctRecord, other: MctRecord): Conflict['kind'] | undefined => {
  const dates = relationOf(datesOf(one), datesOf(other));
  const arrival = relationOf(one.arrival.flights, other.arrival.flights);
  const departure = relationOf(one.departure.flights, other.departure.flights);
  if ([dates, arrival, departure].includes('disjoint')) return undefined;
  if (arrival === 'partial' || departure === 'partial') return 'overlapping-flights';
  if (arrival === 'nested' || departure === 'nested') return undefined;
  return dates === 'equal' ? 'duplicate' : 'overlapping-dates';
};

/**
 * Finds records that nothing tells apart: both would hold for the same pair of flights on the same day, and neither is more specific
 * (SSIM chapter 8 has them refused). A flight range within another is more specific; two that overlap in part are not.
 * The function takes records one by one, and keeps those that stand beside all it kept before.
 */
export const newConflictFinder = (): ((record: MctRecord) => Conflict | undefined) => {
  const kept = new Map<string, MctRecord[]>();
  return (record) => {
    const key = keyOf(record);
    const alike = kept.get(key);
    if (alike === undefined) {
      kept.set(key, [record]);
      return undefined;
    }
    for (const other of alike) {
      const kind = conflictOf(other, record);
      if (kind !== undefined) return { with: other, kind };
    }
    alike.push(record);
    return undefined;
  };
};
