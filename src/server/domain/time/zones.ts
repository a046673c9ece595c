import { MINUTES_A_DAY, type LocalMinute, type UtcMinute } from './dates.ts';

/** A year of a zone: `offsets[i]` holds from `starts[i]` on, UTC minutes ascending; the first start is that of the block. */
type Block = { readonly starts: readonly number[]; readonly offsets: readonly number[] };
type Zone = {
  /** The one name that the runtime has for a zone and its other names. */
  readonly canonicalName: string;
  readonly offsetFromClock: (utcMinute: number) => number;
  readonly blocks: Map<number, Block>;
};

/** A block is 2^19 minutes, 364 days, so that its number is a bit shift of the instant. */
const BLOCK_BITS = 19;
/** Samples are 2^13 minutes, 5.7 days, apart: from 1985 to 2040 no zone changes its clock back and forth in less (all zones compared every 36 h). */
const SAMPLE_BITS = 13;

const zones = new Map<string, Zone>();

/** Parses `GMT`, `GMT+05:45` or, before time was standardized, `GMT-00:44:30`; returns rounded minutes. */
const parseOffset = (text: string): number => {
  const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
  if (!match) throw new Error(`the runtime formats a time zone offset in an unknown way: '${text}'`);
  const minutes = Math.round(Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0) + Number(match[4] ?? 0) / 60);
  return match[1] === '-' && minutes !== 0 ? -minutes : minutes;
};

const createZone = (name: string): Zone | undefined => {
  // Intl accepts bare offsets such as `+01:00`, which no place has as its zone.
  if (!/^[A-Z]/i.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return {
      canonicalName: format.resolvedOptions().timeZone,
      offsetFromClock: (utcMinute) => parseOffset(format.format(utcMinute * 60_000)),
      blocks: new Map(),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

const findZone = (name: string): Zone | undefined => {
  const cached = zones.get(name);
  if (cached) return cached;
  const zone = createZone(name);
  // Unknown names are not cached: clients can send any number of them.
  if (zone) zones.set(name, zone);
  return zone;
};

/** Finds the first minute after `low` with another offset (binary search); `high` has another offset than `low`. */
const findChange = (zone: Zone, low: number, high: number): number => {
  const before = zone.offsetFromClock(low);
  let [same, other] = [low, high];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (zone.offsetFromClock(middle) === before) same = middle;
    else other = middle;
  }
  return other;
};

const buildBlock = (zone: Zone, number: number): Block => {
  const first = number * 2 ** BLOCK_BITS;
  const end = first + 2 ** BLOCK_BITS;
  const starts = [first];
  const offsets = [zone.offsetFromClock(first)];
  for (let low = first; low < end; low += 2 ** SAMPLE_BITS) {
    const high = low + 2 ** SAMPLE_BITS;
    const after = zone.offsetFromClock(high);
    if (after === offsets.at(-1)) continue;
    starts.push(findChange(zone, low, high));
    offsets.push(after);
  }
  return { starts, offsets };
};

const getBlock = (zone: Zone, number: number): Block => {
  const cached = zone.blocks.get(number);
  if (cached) return cached;
  const block = buildBlock(zone, number);
  zone.blocks.set(number, block);
  return block;
};

const findOffset = (zone: Zone, utcMinute: number): number => {
  const block = getBlock(zone, utcMinute >> BLOCK_BITS);
  let index = block.starts.length - 1;
  while (index > 0 && (block.starts[index] ?? 0) > utcMinute) index--;
  return block.offsets[index] ?? 0;
};

const getZone = (name: string): Zone => {
  const zone = findZone(name);
  if (!zone) throw new RangeError(`unknown time zone: '${name}'`);
  return zone;
};

/** Returns whether the runtime's tz database has a zone of this IANA name. */
export const isZone = (name: string): boolean => findZone(name) !== undefined;

/**
 * Returns local time minus UTC at an instant, minutes, by the runtime's tz database; throws RangeError for an unknown zone. Clock changes are
 * computed once for each year and cached; a call then takes some tens of nanoseconds.
 */
export const getUtcOffset = (zone: string, utcMinute: UtcMinute): number => findOffset(getZone(zone), utcMinute);

/** Returns the local time of a zone at an instant; that in UTC where the zone is not known. */
export const toLocalMinute = (zone: string | undefined, instant: UtcMinute): LocalMinute =>
  (instant + (zone === undefined ? 0 : getUtcOffset(zone, instant))) as LocalMinute;

/** Lists the clock changes of a zone after `from` and up to `to`, earliest first; throws RangeError for an unknown zone. */
export const listClockChanges = (
  zoneName: string,
  { from, to }: { readonly from: UtcMinute; readonly to: UtcMinute },
): readonly UtcMinute[] => {
  const zone = getZone(zoneName);
  const changes: UtcMinute[] = [];
  // A change at the start of a block is stored at the end of the previous one.
  for (let number = (from - 1) >> BLOCK_BITS; number <= to >> BLOCK_BITS; number += 1)
    for (const [index, start] of getBlock(zone, number).starts.entries())
      if (index > 0 && start > from && start <= to) changes.push(start as UtcMinute);
  return changes;
};

/** A period in which two zones have different offsets; `minutes` is the offset of the first minus that of the second. */
export type OffsetDifference = { readonly from: UtcMinute; readonly to: UtcMinute; readonly minutes: number };

/**
 * Lists the periods of a span in which the clocks of two zones differ, earliest first; a change of either clock begins another period. Throws
 * RangeError for an unknown zone.
 */
export const listOffsetDifferences = (
  one: string,
  other: string,
  span: { readonly from: UtcMinute; readonly to: UtcMinute },
): readonly OffsetDifference[] => {
  if (getZone(one).canonicalName === getZone(other).canonicalName) return [];
  const changes = [...listClockChanges(one, span), ...listClockChanges(other, span)];
  const starts = [...new Set([span.from, ...changes])].toSorted((a, b) => a - b);
  return starts.flatMap((from, index) => {
    const minutes = getUtcOffset(one, from) - getUtcOffset(other, from);
    return minutes === 0 ? [] : [{ from, to: starts[index + 1] ?? span.to, minutes }];
  });
};

/** The runtime has `Intl.Locale.getTimeZones`; the compiler does not know it yet. */
type LocaleWithZones = Intl.Locale & { readonly getTimeZones?: () => readonly string[] | undefined };

const findZonesOfCountry = (countryCode: string): ReadonlySet<string> => {
  if (!/^[A-Z]{2}$/.test(countryCode)) return new Set();
  const locale: LocaleWithZones = new Intl.Locale(`und-${countryCode}`);
  return new Set((locale.getTimeZones?.() ?? []).map((name) => getZone(name).canonicalName));
};

const zonesOfCountries = new Map<string, ReadonlySet<string>>();

/**
 * Returns whether a zone is one of a country, by its ISO code; also true for a country whose zones the runtime does not know. Throws RangeError
 * for an unknown zone.
 */
export const isZoneOfCountry = (zone: string, countryCode: string): boolean => {
  const zonesOfCountry = zonesOfCountries.get(countryCode) ?? findZonesOfCountry(countryCode);
  zonesOfCountries.set(countryCode, zonesOfCountry);
  return zonesOfCountry.size === 0 || zonesOfCountry.has(getZone(zone).canonicalName);
};

/** The instant of a wall-clock time. */
export type ResolvedTime = {
  readonly utc: UtcMinute;
  readonly offset: number;
  /** True when the zone does not have the filed variation: at the instant, or in a skipped hour, before or after it. */
  readonly mismatch: boolean;
  /** True when the clock skips the time. */
  readonly skipped: boolean;
};

/**
 * The instant of a wall-clock time filed with its variation from UTC (minutes). A variation that the zone has at that instant
 * wins, which also distinguishes the two passes of a repeated hour. Any other takes the offset of the zone: in a repeated hour
 * that of the first pass, in a skipped hour the one before the change. Throws RangeError for a name that is no zone.
 */
export const convertLocalToUtc = (zoneName: string, local: LocalMinute, variationMinutes: number): ResolvedTime => {
  const zone = getZone(zoneName);
  const toUtc = (offset: number): UtcMinute => (local - offset) as UtcMinute;
  const isOffsetAt = (offset: number): boolean => findOffset(zone, toUtc(offset)) === offset;
  if (isOffsetAt(variationMinutes))
    return { utc: toUtc(variationMinutes), offset: variationMinutes, mismatch: false, skipped: false };
  // No offset reaches a full day, so these two instants enclose the result.
  const before = findOffset(zone, local - MINUTES_A_DAY);
  const after = findOffset(zone, local + MINUTES_A_DAY);
  if (isOffsetAt(before)) return { utc: toUtc(before), offset: before, mismatch: true, skipped: false };
  if (isOffsetAt(after)) return { utc: toUtc(after), offset: after, mismatch: true, skipped: false };
  const isBeside = variationMinutes === before || variationMinutes === after;
  return { utc: toUtc(before), offset: before, mismatch: !isBeside, skipped: true };
};
