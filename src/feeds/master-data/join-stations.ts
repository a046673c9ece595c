import { greatCircleMetres, inKilometers, type Position } from '../../domain/distance.ts';
import type { LoadReport } from '../load-report.ts';
import type { CityCodes } from './city-codes.ts';
import { initialOf, strayInitials } from './station-codes.ts';
import type { Station } from './station.ts';

/** A station ready to be stored; of stations that share a code the one with the lower rank answers first. */
export type RankedStation = Station & { readonly rank: number };

export type StationSources = {
  /** Airports in use, with zones. */
  readonly airports: readonly Station[];
  /** An older list of stations without zones. */
  readonly snapshot: readonly Station[];
  /** Stations whose codes were withdrawn. */
  readonly retired: readonly Station[];
  readonly cityCodes: CityCodes;
  readonly metropolitanAreas: CityCodes;
  readonly countries: ReadonlySet<string>;
};

const IN_USE = 1;
const FORMER = 2;
/** Two sources that give one place within this distance mean one place: reference points of a field differ by less. */
const SAME_PLACE_METRES = 10_000;

const positionOf = ({ latitude, longitude }: Station): Position | undefined =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

const metresBetween = (one: Station, other: Station): number => {
  const [from, to] = [positionOf(one), positionOf(other)];
  return from && to ? greatCircleMetres(from, to) : Infinity;
};

const nearest = (
  station: Station,
  candidates: readonly Station[],
): { readonly station: Station; readonly metres: number } | undefined => {
  let best: { readonly station: Station; readonly metres: number } | undefined;
  for (const candidate of candidates) {
    const metres = metresBetween(station, candidate);
    if (Number.isFinite(metres) && (!best || metres < best.metres)) best = { station: candidate, metres };
  }
  return best;
};

/** Both lists of former stations as one, a station a code: facts of the snapshot first, then those of the withdrawn codes. */
const formerStations = ({ airports, snapshot, retired }: StationSources): readonly Station[] => {
  const inUse = new Set(airports.map(({ iata }) => iata));
  const withdrawn = new Map(retired.map((station) => [station.iata, station]));
  const both = snapshot.map((station) => {
    const other = withdrawn.get(station.iata);
    if (!other || other.countryCode !== station.countryCode) return station;
    return {
      ...station,
      icao: station.icao || other.icao,
      faa: station.faa || other.faa,
      cityCode: other.cityCode,
      zone: other.zone,
    };
  });
  const seen = new Set(both.map(({ iata }) => iata));
  return [...both, ...retired.filter(({ iata }) => !seen.has(iata))].filter(({ iata }) => !inUse.has(iata));
};

/**
 * A field in use that lists no IATA code takes that of the former station with its ICAO or FAA code at the same place, unless
 * that code is known to be withdrawn.
 */
const adoptCodes = (airports: readonly Station[], former: readonly Station[], withdrawn: ReadonlySet<string>) => {
  const free = former.filter(({ iata }) => !withdrawn.has(iata));
  const byIcao = Map.groupBy(free, ({ icao }) => icao);
  const byFaa = Map.groupBy(free, ({ faa }) => faa);
  const adopted = new Set<Station>();
  const named = airports.map((airport) => {
    if (airport.iata !== '') return airport;
    const alike = [
      ...(airport.icao === '' ? [] : (byIcao.get(airport.icao) ?? [])),
      ...(airport.faa === '' ? [] : (byFaa.get(airport.faa) ?? [])),
    ];
    const same = alike.find((station) => !adopted.has(station) && metresBetween(station, airport) <= SAME_PLACE_METRES);
    if (!same) return airport;
    adopted.add(same);
    return { ...airport, iata: same.iata };
  });
  return { named, left: former.filter((station) => !adopted.has(station)) };
};

/**
 * Joins the lists of stations into one row an IATA code, airports in use first. Stations that closed or got another code
 * stay, because schedules of the past name them: an airport that now flies under another code has a second row, ranked after
 * the one in use. A former station without a known zone has that of the nearest airport in its country, which the report
 * says; without one in its country it has none. Countries that the country list does not have and ICAO codes that do not fit
 * their country are left out and reported.
 */
export const joinStations = (sources: StationSources, report: LoadReport): readonly RankedStation[] => {
  const { named, left } = adoptCodes(
    sources.airports,
    formerStations(sources),
    new Set(sources.retired.map(({ iata }) => iata)),
  );
  const airportsOfCountry = Map.groupBy(
    named.filter(({ zone }) => zone !== undefined),
    ({ countryCode }) => countryCode,
  );
  const faaInUse = new Set(named.map(({ faa }) => faa));

  const zoned = (station: Station): Station => {
    if (station.zone) return station;
    const neighbour = nearest(station, airportsOfCountry.get(station.countryCode) ?? []);
    const value = station.iata;
    if (!neighbour) {
      const message = `No source tells the time zone of ${value}, and no airport of its country is known.`;
      report.entries.push({ severity: 'notice', field: 'zone', value, reason: 'zone-unknown', message });
      return station;
    }
    const from = neighbour.station.iata || neighbour.station.icao || neighbour.station.faa;
    const message = `No source tells the time zone of ${value}: it is given ${neighbour.station.zone ?? ''}, that of ${from}, ${inKilometers(neighbour.metres)} km away.`;
    report.entries.push({ severity: 'notice', field: 'zone', value, reason: 'zone-of-nearest-airport', message });
    return { ...station, zone: neighbour.station.zone };
  };

  const located = (station: Station): Station => {
    const cityCode =
      sources.metropolitanAreas.get(station.iata) ?? sources.cityCodes.get(station.iata) ?? station.cityCode;
    if (sources.countries.has(station.countryCode)) return { ...station, cityCode };
    const message = `The country of ${station.iata || station.icao || station.faa} is not in the list of countries.`;
    report.entries.push({
      severity: 'notice',
      field: 'country',
      value: station.countryCode,
      reason: 'unknown-country',
      message,
    });
    return { ...station, cityCode, countryCode: '' };
  };

  const stray = strayInitials([...named, ...left]);
  const indicated = (station: Station): Station => {
    if (!stray.has(initialOf(station))) return station;
    const message = `No other code of ${station.countryCode} begins like that of ${station.iata || station.name}: it is not taken for an ICAO code.`;
    report.entries.push({ severity: 'notice', field: 'icao', value: station.icao, reason: 'stray-icao-code', message });
    return { ...station, icao: '' };
  };

  const former = left.map((station) => ({ ...station, faa: faaInUse.has(station.faa) ? '' : station.faa }));
  const ranked = [
    ...named.map((station) => ({ ...located(indicated(station)), rank: IN_USE })),
    ...former.map((station) => ({ ...located(zoned(indicated(station))), rank: FORMER })),
  ];
  return ranked.filter(({ iata, icao, faa }) => iata !== '' || icao !== '' || faa !== '');
};
