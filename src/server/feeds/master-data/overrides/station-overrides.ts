import type { Validity } from '#domain/master-data/master-data-facts.ts';
import { foldText } from '#domain/master-data/name-words.ts';
import { createOverrideTable } from './override-table.ts';

const cityCodes = createOverrideTable(
  'city-codes',
  'station,city',
  (rows): ReadonlyMap<string, string> => new Map(rows.map(({ station, city }) => [station, city])),
);

/** Returns the city of an airport that the points of reference assign to a larger city far away. */
export const findCityCode = (station: string): string | undefined => cityCodes().get(station);

const cityNames = createOverrideTable(
  'city-names',
  'city,name',
  (rows): ReadonlyMap<string, string> => new Map(rows.map(({ city, name }) => [city, name])),
);

/** Returns the name of a city that no source has, because its airports are in a place of another name, or has in another language. */
export const findCityName = (city: string): string | undefined => cityNames().get(city);

const stationNames = createOverrideTable(
  'station-names',
  'station,name',
  (rows): ReadonlyMap<string, string> => new Map(rows.map(({ station, name }) => [station, name])),
);

/** Returns the name of a railway station, which the short list of points of reference does not have. */
export const findStationName = (station: string): string | undefined => stationNames().get(station);

const regionCodes = createOverrideTable(
  'region-names',
  'country,name,region',
  (rows): ReadonlyMap<string, string> =>
    new Map(rows.map(({ country, name, region }) => [`${country} ${name}`, region])),
);

/** Returns the ISO 3166-2 code of a region under a name in another language or spelling than that of the list of regions. */
export const findRegionCode = (country: string, name: string): string | undefined =>
  regionCodes().get(`${country} ${foldText(name)}`);

/**
 * Days on which well-known stations received or lost a code, where no source has them or has another day. Of an airport that
 * moved, the day of the move counts; lists have the day on which the new code was assigned.
 */
const stationDates = createOverrideTable(
  'station-dates',
  'iata,icao,first_day,last_day,note',
  (rows): ReadonlyMap<string, Partial<Validity>> =>
    new Map(
      rows.map(({ iata, icao, first_day: from, last_day: to }) => [
        `${iata}/${icao}`,
        { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) },
      ]),
    ),
);

/** Returns the dates that override those of the lists; no dates for most stations. */
export const findStationDates = ({ iata, icao }: { readonly iata: string; readonly icao: string }): Partial<Validity> =>
  stationDates().get(`${iata}/${icao}`) ?? {};

/** Zones of stations that no rule finds. */
const stationZones = createOverrideTable(
  'station-zones',
  'iata,icao,zone,note',
  (rows): ReadonlyMap<string, string> => new Map(rows.map(({ iata, icao, zone }) => [`${iata}/${icao}`, zone])),
);

/** Returns the zone of a station that has precedence over the lists and its position; undefined for most stations. */
export const findStationZone = ({ iata, icao }: { readonly iata: string; readonly icao: string }): string | undefined =>
  stationZones().get(`${iata}/${icao}`);

/**
 * Returns the world area of each country for which the table of the US Department of Transportation does not give one code. Of a
 * country that it divides, it is the area of the capital; of a territory that it counts as part of another area, that area.
 */
export const listWorldAreas = createOverrideTable(
  'world-areas',
  'country,area',
  (rows): ReadonlyMap<string, string> => new Map(rows.map(({ country, area }) => [country, area])),
);
