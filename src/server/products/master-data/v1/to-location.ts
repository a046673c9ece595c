import type { Location as WireLocation } from '#generated/master-data/v1/types.gen.ts';
import type { LocalDate, UtcMinute } from '#domain/time/dates.ts';
import { computeGreatCircleMetres, toKilometers, type Position } from '#domain/master-data/distance.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { getPrimaryCode, type LocationEntry } from '#domain/master-data/location-records.ts';
import type { LocationTerminals } from '#domain/master-data/location-terminals.ts';
import type { MasterRecords } from '#domain/master-data/master-records.ts';
import { minuteToSecond, formatInstant } from '#domain/status/instants.ts';
import { getZoneClock, type ZoneClock } from '#domain/time/zone-clock.ts';
import { createTextCache, renderProvenance } from './text-cache.ts';
import { toCodes, toValidity } from './to-common.ts';

/** Options of rendering a location. */
export type LocationOptions = {
  readonly day: LocalDate;
  readonly now: UtcMinute;
  readonly near?: Position | undefined;
  readonly content?: readonly 'Provenance'[] | undefined;
  readonly records: MasterRecords;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats minutes ahead of UTC as `+HHMM`. */
const formatOffset = (minutes: number): string => {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}${twoDigits(size % 60)}`;
};

const formatMinute = (minute: UtcMinute): string => formatInstant(minuteToSecond(minute), 0);

const wireClocks = new WeakMap<ZoneClock, ReturnType<typeof buildWireClock>>();

const buildWireClock = ({ standardOffset, currentOffset, daylightPeriods }: ZoneClock) => {
  const [first] = daylightPeriods;
  return {
    standardUtcVariation: formatOffset(standardOffset),
    currentUtcVariation: formatOffset(currentOffset),
    ...(first && {
      daylightSaving: {
        utcVariation: formatOffset(first.offset),
        periods: daylightPeriods.map(({ from, to }) => ({ from: formatMinute(from), to: formatMinute(to) })),
      },
    }),
  };
};

/** Returns the wire form of a zone clock, cached: a page of 100 airports has about ten clocks. */
const toWireClock = (clock: ZoneClock): ReturnType<typeof buildWireClock> => {
  const cached = wireClocks.get(clock);
  if (cached) return cached;
  const wireClock = buildWireClock(clock);
  wireClocks.set(clock, wireClock);
  return wireClock;
};

/** Returns the zone clock of a location; undefined if its zone is unknown. */
export const getLocationClock = ({ zone }: Location, now: UtcMinute): ZoneClock | undefined =>
  zone === undefined ? undefined : getZoneClock(zone, now);

const toPosition = ({ latitude, longitude }: Location): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

const toPlace = ({ location, facts: { region }, cityName }: LocationEntry, { countryNames }: MasterRecords) => {
  const { cityCode, countryCode } = location;
  const countryName = countryNames.get(countryCode);
  const position = toPosition(location);
  return {
    ...((cityCode || cityName) && {
      city: { ...(cityCode && { code: cityCode }), ...(cityName && { name: cityName }) },
    }),
    ...((region.code || region.name) && {
      region: { ...(region.code && { code: region.code }), ...(region.name && { name: region.name }) },
    }),
    ...(countryCode && { country: { code: countryCode, ...(countryName && { name: countryName }) } }),
    ...(position && {
      latitude: { decimalDegrees: position.latitude },
      longitude: { decimalDegrees: position.longitude },
    }),
  };
};

type LocationWithoutExtras = Omit<WireLocation, 'distance' | 'provenance' | 'terminals'>;

/** Returns the wire form of a location on a day, without the members that only some responses have. */
const toLocation = (entry: LocationEntry, { day, now, records }: LocationOptions): LocationWithoutExtras => {
  const { location, facts, area } = entry;
  const { system, code } = getPrimaryCode(location);
  const owners = records.locations.listOwners(system, code, day);
  const clock = getLocationClock(location, now);
  const type = area ? 'MetropolitanArea' : facts.type;
  return {
    code: toCodes(location),
    ...(type && { type }),
    ...(location.name && { name: location.name }),
    place: toPlace(entry, records),
    ...(clock && location.zone !== undefined && { timezone: { name: location.zone, ...toWireClock(clock) } }),
    ...(area && { airports: [...records.locations.listServedAirports(area, day)] }),
    rank: owners.findIndex((owner) => owner.location.id === location.id) + 1,
    sharedCode: owners.length > 1,
    ...toValidity(facts.validity),
  };
};

const renderDistance = (location: Location, near: Position | undefined): string => {
  const position = toPosition(location);
  if (!near || !position) return '';
  const distance: WireLocation['distance'] = {
    greatCircleKilometers: toKilometers(computeGreatCircleMetres(near, position)),
  };
  return `,"distance":${JSON.stringify(distance)}`;
};

const renderTerminals = (found: LocationTerminals | undefined): string => {
  if (!found) return '';
  const terminals: WireLocation['terminals'] = found.codes.map((code) => ({ code }));
  return `,"terminals":${JSON.stringify(terminals)}`;
};

const cachedText = createTextCache<LocationEntry>();

/** Renders a location on a day as JSON text. */
export const renderLocation = (entry: LocationEntry, options: LocationOptions): string => {
  const { location, facts } = entry;
  const version = { day: options.day, clock: getLocationClock(location, options.now) };
  const text = cachedText(entry, version, () => toLocation(entry, options));
  const terminals = options.records.locations.findTerminals(entry);
  const sources = terminals?.sources.map((id) => ['terminals', id] as const);
  return `${text}${renderTerminals(terminals)}${renderDistance(location, options.near)}${renderProvenance(facts.provenance, options.content, sources)}}`;
};
