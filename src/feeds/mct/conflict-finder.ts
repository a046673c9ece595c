import type { MctRecord, MctSide } from '../../domain/connections/mct/mct-record.ts';

/** How two ranges lie to each other; two records without one are equal in it. */
type RangeRelation = 'equal' | 'nested' | 'partial' | 'disjoint';

type NumberRange = { readonly from: number; readonly to: number };

const compareRanges = (one: NumberRange | undefined, other: NumberRange | undefined): RangeRelation => {
  if (one === undefined || other === undefined) return 'equal';
  if (one.from === other.from && one.to === other.to) return 'equal';
  if (one.to < other.from || other.to < one.from) return 'disjoint';
  const isWithin = (inner: NumberRange, outer: NumberRange): boolean =>
    outer.from <= inner.from && inner.to <= outer.to;
  return isWithin(one, other) || isWithin(other, one) ? 'nested' : 'partial';
};

const toDateRange = ({ from, to }: MctRecord): NumberRange => ({ from: from ?? -Infinity, to: to ?? Infinity });

const formatSideKey = (side: MctSide): string =>
  `${side.carrier},${side.isCodeshare ? 'Y' : ''},${side.operator},${side.flights === undefined ? '' : 'range'},${side.terminal},` +
  `${side.station},${side.stateCode},${side.countryCode},${side.region},${side.equipment},${side.body}`;

/** Records of equal keys ask the same of a pair of flights, but for the values of dates and flight ranges. */
const formatRecordKey = (record: MctRecord): string =>
  [
    record.status,
    record.arrivalStation,
    record.departureStation,
    formatSideKey(record.arrival),
    formatSideKey(record.departure),
    record.from === undefined ? '' : 'from',
    record.to === undefined ? '' : 'to',
    record.suppressionStateCode,
    record.suppressionCountryCode,
    record.suppressionRegion,
  ].join('/');

/** Why a record cannot stand beside an earlier one. */
export type RecordConflict = {
  readonly with: MctRecord;
  readonly kind: 'duplicate' | 'overlapping-dates' | 'overlapping-flights';
};

const findConflictKind = (one: MctRecord, other: MctRecord): RecordConflict['kind'] | undefined => {
  const dates = compareRanges(toDateRange(one), toDateRange(other));
  const arrival = compareRanges(one.arrival.flights, other.arrival.flights);
  const departure = compareRanges(one.departure.flights, other.departure.flights);
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
export const newConflictFinder = (): ((record: MctRecord) => RecordConflict | undefined) => {
  const kept = new Map<string, MctRecord[]>();
  return (record) => {
    const key = formatRecordKey(record);
    const alike = kept.get(key);
    if (alike === undefined) {
      kept.set(key, [record]);
      return undefined;
    }
    for (const other of alike) {
      const kind = findConflictKind(other, record);
      if (kind !== undefined) return { with: other, kind };
    }
    alike.push(record);
    return undefined;
  };
};
