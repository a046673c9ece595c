import type { Location as WireLocation } from '../../../../generated/master-data/v1/types.gen.ts';
import type { LocalDate, UtcMinute } from '../../../domain/time/dates.ts';
import { greatCircleMetres, inKilometers, type Position } from '../../../domain/master-data/distance.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';
import { firstCodeOf, type LocationEntry } from '../../../domain/master-data/location-records.ts';
import type { MasterRecords } from '../../../domain/master-data/master-records.ts';
import { atSecond, formatInstant } from '../../../domain/status/instants.ts';
import { zoneClock, type ZoneClock } from '../../../domain/time/zone-clock.ts';
import { newKeptTexts, provenanceText } from './cached-texts.ts';
import { showCodes, showValidity } from './to-common.ts';

/** How locations are wanted to be shown. */
export type LocationView = {
  readonly day: LocalDate;
  readonly now: UtcMinute;
  readonly near?: Position | undefined;
  readonly content?: readonly 'Provenance'[] | undefined;
  readonly records: MasterRecords;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** `+HHMM` of minutes ahead of UTC. */
const showOffset = (minutes: number): string => {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`;
};

const showInstant = (minute: UtcMinute): string => formatInstant(atSecond(minute), 0);

const shownClocks = new WeakMap<ZoneClock, ReturnType<typeof writeClock>>();

const writeClock = ({ standardOffset, currentOffset, daylightPeriods }: ZoneClock) => {
  const [first] = daylightPeriods;
  return {
    standardUtcVariation: showOffset(standardOffset),
    currentUtcVariation: showOffset(currentOffset),
    ...(first && {
      daylightSaving: {
        utcVariation: showOffset(first.offset),
        periods: daylightPeriods.map(({ from, to }) => ({ from: showInstant(from), to: showInstant(to) })),
      },
    }),
  };
};

/** A clock in the words of the contract: a page of 100 airports has some ten of them. */
const showClock = (clock: ZoneClock): ReturnType<typeof writeClock> => {
  const known = shownClocks.get(clock);
  if (known) return known;
  const shown = writeClock(clock);
  shownClocks.set(clock, shown);
  return shown;
};

/** The clock of a location; undefined when its zone is not known. */
export const clockOf = ({ zone }: Location, now: UtcMinute): ZoneClock | undefined =>
  zone === undefined ? undefined : zoneClock(zone, now);

const positionOf = ({ latitude, longitude }: Location): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

const showPlace = ({ location, facts: { region }, cityName }: LocationEntry, { countryNames }: MasterRecords) => {
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

type Undressed = Omit<WireLocation, 'distance' | 'provenance'>;

/** A location as the contract has it on a day, but for what only some answers have. */
const showUndressed = (entry: LocationEntry, { day, now, records }: LocationView): Undressed => {
  const { location, facts, area } = entry;
  const { system, code } = firstCodeOf(location);
  const owners = records.locations.owners(system, code, day);
  const clock = clockOf(location, now);
  const type = area ? 'MetropolitanArea' : facts.type;
  return {
    code: showCodes(location),
    ...(type && { type }),
    ...(location.name && { name: location.name }),
    place: showPlace(entry, records),
    ...(clock && location.zone !== undefined && { timezone: { name: location.zone, ...showClock(clock) } }),
    ...(area && { airports: [...records.locations.servedBy(area, day)] }),
    rank: owners.findIndex((owner) => owner.location.id === location.id) + 1,
    sharedCode: owners.length > 1,
    ...showValidity(facts.validity),
  };
};

const distanceText = (location: Location, near: Position | undefined): string => {
  const position = positionOf(location);
  if (!near || !position) return '';
  const distance: WireLocation['distance'] = { greatCircleKilometers: inKilometers(greatCircleMetres(near, position)) };
  return `,"distance":${JSON.stringify(distance)}`;
};

const openTextOf = newKeptTexts<LocationEntry>();

/** The JSON text of a location as the contract has it, on a day. */
export const showLocation = (entry: LocationEntry, view: LocationView): string => {
  const { location, facts } = entry;
  const moment = { day: view.day, clock: clockOf(location, view.now) };
  const text = openTextOf(entry, moment, () => showUndressed(entry, view));
  return `${text}${distanceText(location, view.near)}${provenanceText(facts.provenance, view.content)}}`;
};
