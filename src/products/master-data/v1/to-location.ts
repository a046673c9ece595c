import type { Location as WireLocation } from '../../../../generated/master-data/v1/types.gen.ts';
import type { LocalDate, UtcMinute } from '../../../domain/time/dates.ts';
import { greatCircleMetres, inKilometers, type Position } from '../../../domain/master-data/distance.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';
import { firstCodeOf, type LocationEntry } from '../../../domain/master-data/location-records.ts';
import type { MasterRecords } from '../../../domain/master-data/master-records.ts';
import { atSecond, formatInstant } from '../../../domain/status/instants.ts';
import { zoneClock, type ZoneClock } from '../../../domain/time/zone-clock.ts';
import { createTextCache, renderProvenance } from './text-cache.ts';
import { toCodes, toValidity } from './to-common.ts';

/** How locations are wanted to be shown. */
export type LocationOptions = {
  readonly day: LocalDate;
  readonly now: UtcMinute;
  readonly near?: Position | undefined;
  readonly content?: readonly 'Provenance'[] | undefined;
  readonly records: MasterRecords;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `+HHMM` of minutes ahead of UTC. */
const formatOffset = (minutes: number): string => {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}${twoDigits(size % 60)}`;
};

const formatMinute = (minute: UtcMinute): string => formatInstant(atSecond(minute), 0);

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

/** A clock in the words of the contract: a page of 100 airports has some ten of them. */
const toWireClock = (clock: ZoneClock): ReturnType<typeof buildWireClock> => {
  const known = wireClocks.get(clock);
  if (known) return known;
  const shown = buildWireClock(clock);
  wireClocks.set(clock, shown);
  return shown;
};

/** The clock of a location; undefined when its zone is not known. */
export const clockOf = ({ zone }: Location, now: UtcMinute): ZoneClock | undefined =>
  zone === undefined ? undefined : zoneClock(zone, now);

const positionOf = ({ latitude, longitude }: Location): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

const toPlace = ({ location, facts: { region }, cityName }: LocationEntry, { countryNames }: MasterRecords) => {
  const { cityCode, countryCode } = location;
  const countryName = countryNames.get(countryCode);
  const position = positionOf(location);
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

type LocationWithoutExtras = Omit<WireLocation, 'distance' | 'provenance'>;

/** A location as the contract has it on a day, but for what only some answers have. */
const toLocation = (entry: LocationEntry, { day, now, records }: LocationOptions): LocationWithoutExtras => {
  const { location, facts, area } = entry;
  const { system, code } = firstCodeOf(location);
  const owners = records.locations.owners(system, code, day);
  const clock = clockOf(location, now);
  const type = area ? 'MetropolitanArea' : facts.type;
  return {
    code: toCodes(location),
    ...(type && { type }),
    ...(location.name && { name: location.name }),
    place: toPlace(entry, records),
    ...(clock && location.zone !== undefined && { timezone: { name: location.zone, ...toWireClock(clock) } }),
    ...(area && { airports: [...records.locations.servedBy(area, day)] }),
    rank: owners.findIndex((owner) => owner.location.id === location.id) + 1,
    sharedCode: owners.length > 1,
    ...toValidity(facts.validity),
  };
};

const renderDistance = (location: Location, near: Position | undefined): string => {
  const position = positionOf(location);
  if (!near || !position) return '';
  const distance: WireLocation['distance'] = { greatCircleKilometers: inKilometers(greatCircleMetres(near, position)) };
  return `,"distance":${JSON.stringify(distance)}`;
};

const openTextOf = createTextCache<LocationEntry>();

/** The JSON text of a location as the contract has it, on a day. */
export const renderLocation = (entry: LocationEntry, view: LocationOptions): string => {
  const { location, facts } = entry;
  const moment = { day: view.day, clock: clockOf(location, view.now) };
  const text = openTextOf(entry, moment, () => toLocation(entry, view));
  return `${text}${renderDistance(location, view.near)}${renderProvenance(facts.provenance, view.content)}}`;
};
