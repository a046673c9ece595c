import type { MctRecord, MctSide } from '#domain/connections/mct/mct-record.ts';

/** How two ranges overlap; two records without a range are equal. */
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

/** Records with equal keys have the same conditions on a pair of flights, except the values of dates and flight ranges. */
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

/** The earlier record that a record conflicts with, and how. */
export type RecordConflict = {
  readonly earlier: MctRecord;
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
 * Finds records that conflict: both apply to the same pair of flights on the same day, and neither is more specific (SSIM chapter 8
 * rejects these). A flight range within another one is more specific; two that overlap in part are not.
 */
export class ConflictFinder {
  readonly #recordsByKey = new Map<string, MctRecord[]>();

  /** Adds a record, or returns its conflict with an earlier one. */
  add(record: MctRecord): RecordConflict | undefined {
    const key = formatRecordKey(record);
    const sameKey = this.#recordsByKey.get(key);
    if (sameKey === undefined) {
      this.#recordsByKey.set(key, [record]);
      return undefined;
    }
    for (const earlier of sameKey) {
      const kind = findConflictKind(earlier, record);
      if (kind !== undefined) return { earlier, kind };
    }
    sameKey.push(record);
    return undefined;
  }
}
