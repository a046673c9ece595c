import type { SourceId } from '#domain/master-data/data-sources.ts';
import { toKilometers } from '#domain/master-data/distance.ts';
import { isZone, isZoneOfCountry } from '#domain/time/zones.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { findStationZone } from '#feeds/master-data/overrides/station-overrides.ts';
import { addCount, addNotice, findSharedFact } from './complete-stations.ts';
import type { JoinedStation } from './merge-listing.ts';
import { createNeighbourFinder, findNearest, type Neighbour } from './neighbours.ts';
import { BORDER_METRES, type ZoneCheck } from './zone-check.ts';

/** The zone of a field this close is reported only in a total. */
const SAME_ZONE_METRES = 250_000;
const HALF_THE_EARTH_METRES = 20_100_000;

const formatCode = ({ iata, icao, faa }: JoinedStation): string => iata || icao || faa;

const withZone = (station: JoinedStation, zone: string, source: SourceId): JoinedStation => ({
  ...station,
  zone,
  facts: { ...station.facts, provenance: { ...station.facts.provenance, 'timezone.name': source } },
});

/** Returns whether a list has the country of a station. A country that was derived from neighbours is no evidence. */
const isCountryListed = ({ countryCode, facts }: JoinedStation): boolean =>
  countryCode !== '' && facts.provenance['place.country.code'] !== 'own';

/** Returns whether a zone can be that of a station: not one of another country, of which a position near a border may have some. */
const isZoneFor = (zone: string, station: JoinedStation): boolean =>
  !isCountryListed(station) || isZoneOfCountry(zone, station.countryCode);

/**
 * Checks the zone that the lists have for a station against its position, and returns the station with the one that is right: the zone of the
 * position, unless that of the lists is beside it, across a border, or the position is in another country than the station.
 */
const checkListedZone = (
  station: JoinedStation,
  listed: string,
  { check, report }: { readonly check: ZoneCheck; readonly report: LoadReport },
): JoinedStation => {
  const all = check.listZones(station);
  const hasListedTime = (zone: string): boolean => check.haveSameTime(zone, listed);
  if (all.length === 0 || all.some(hasListedTime)) return station;
  const code = formatCode(station);
  const here = all.find((zone) => isZoneFor(zone, station));
  const near = check.listZonesNear(station).filter((zone) => isZoneFor(zone, station));
  const zone = here ?? near[0];
  if (zone === undefined) {
    const message = `The position of ${code} is in ${all.join(' and ')}, which is not a time zone of its country ${station.countryCode}; ${listed} was kept.`;
    addNotice(report, 'position-in-other-country', { field: 'zone', value: code, message });
    return station;
  }
  if (near.some(hasListedTime)) {
    if (here === undefined) return station;
    const message = `The position of ${code} is in ${here}, less than ${toKilometers(BORDER_METRES)} km from the border of ${listed}, which was kept.`;
    addNotice(report, 'zone-near-border', { field: 'zone', value: code, message });
    return station;
  }
  const minutes = check.computeDifference(zone, listed);
  const difference = minutes > 0 ? `they differ by up to ${minutes} minutes` : 'they differ only in past years';
  const message = `A list has ${code} in ${listed}, but its position is in ${zone}, which was used; ${difference}.`;
  report.entries.push({ severity: 'corrected', field: 'zone', value: code, reason: 'zone-of-position', message });
  return withZone(station, zone, 'time-zone-boundaries');
};

/** Returns functions that find the zone of a country, if it has only one, and the nearest airport of a country with a listed zone. */
const createCountryIndex = (stations: readonly JoinedStation[]) => {
  const ofCountry = Map.groupBy(
    stations.filter(({ zone, countryCode }) => zone !== undefined && countryCode !== ''),
    ({ countryCode }) => countryCode,
  );
  const countries = new Map(
    [...ofCountry].map(([code, inCountry]) => [
      code,
      { zone: findSharedFact(inCountry, ({ zone }) => zone), around: createNeighbourFinder(inCountry) },
    ]),
  );
  return {
    findOnlyZone: ({ countryCode }: JoinedStation): string | undefined => countries.get(countryCode)?.zone,
    findNearestWithin: (station: JoinedStation, metres: number): Neighbour | undefined =>
      findNearest(countries.get(station.countryCode)?.around(station, metres) ?? []),
  };
};

type CountryIndex = ReturnType<typeof createCountryIndex>;

/** Returns the zone of the position of a station without a listed one. Where the time is disputed, the nearest airport decides. */
const findZoneOfPosition = (
  station: JoinedStation,
  check: ZoneCheck,
  { findNearestWithin }: CountryIndex,
): string | undefined => {
  const [first, ...others] = check.listZones(station).filter((zone) => isZoneFor(zone, station));
  if (first === undefined) return check.listZonesNear(station).find((zone) => isZoneFor(zone, station));
  const nearest = others.length > 0 ? findNearestWithin(station, SAME_ZONE_METRES)?.station.zone : undefined;
  return others.find((zone) => zone === nearest) ?? first;
};

/**
 * Gives stations their time zones. Those of the lists are checked against the position. A station without a listed zone has that of its
 * position; without a position on land, the only zone of its country, else that of the nearest airport of its country. The report has an
 * entry for each correction, for each listed zone that contradicts the position but was kept, and for each station whose nearest airport is
 * far; it has a total of the others.
 */
export const addZones = (
  stations: readonly JoinedStation[],
  check: ZoneCheck,
  report: LoadReport,
): readonly JoinedStation[] => {
  const checked = stations.map((station) => {
    const ownZone = findStationZone(station);
    if (ownZone !== undefined && isZone(ownZone)) return withZone(station, ownZone, 'own');
    return station.zone === undefined ? station : checkListedZone(station, station.zone, { check, report });
  });
  const countries = createCountryIndex(checked);
  let [byPosition, byCountry, byNeighbour, unknown] = [0, 0, 0, 0];
  const completed = checked.map((station) => {
    if (station.zone !== undefined) return station;
    const zoneOfPosition = findZoneOfPosition(station, check, countries);
    if (zoneOfPosition !== undefined) {
      byPosition++;
      return withZone(station, zoneOfPosition, 'time-zone-boundaries');
    }
    const zoneOfCountry = countries.findOnlyZone(station);
    if (zoneOfCountry !== undefined) {
      byCountry++;
      return withZone(station, zoneOfCountry, 'own');
    }
    const nearby = countries.findNearestWithin(station, SAME_ZONE_METRES);
    const nearest = nearby ?? countries.findNearestWithin(station, HALF_THE_EARTH_METRES);
    if (!nearest) {
      unknown++;
      return station;
    }
    const { zone = '' } = nearest.station;
    if (nearby) byNeighbour++;
    else {
      const message = `No source contains the time zone of ${station.iata}; ${zone} was assumed, the zone of ${formatCode(nearest.station)}, ${toKilometers(nearest.metres)} km away.`;
      addNotice(report, 'zone-of-far-airport', { field: 'zone', value: station.iata, message });
    }
    return withZone(station, zone, 'own');
  });
  addCount(report, 'zone-by-position', {
    field: 'zone',
    value: byPosition,
    message: `${byPosition} stations have no time zone in any source and got that of their position.`,
  });
  addCount(report, 'zone-of-country', {
    field: 'zone',
    value: byCountry,
    message: `${byCountry} stations have no time zone in any source and no position on land, and got the only zone of their country.`,
  });
  addCount(report, 'zone-of-nearest-airport', {
    field: 'zone',
    value: byNeighbour,
    message: `${byNeighbour} stations have no time zone in any source and no position on land, and got that of the nearest airport of their country, within ${toKilometers(SAME_ZONE_METRES)} km.`,
  });
  addCount(report, 'zone-unknown', {
    field: 'zone',
    value: unknown,
    message: `${unknown} stations have no time zone: no source contains it, they have no position on land, and their country is unknown or has no airport with one.`,
  });
  return completed;
};
