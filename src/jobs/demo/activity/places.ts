import { dateAt, type LocalDate, type LocalMinute } from '../../../domain/time/dates.ts';
import { greatCircleMetres, type Position } from '../../../domain/master-data/distance.ts';
import { minuteAt, type UtcSecond } from '../../../domain/status/instants.ts';
import { utcOffsetAt } from '../../../domain/time/zones.ts';
import { airports } from '../world/airports.ts';

type Place = { readonly position: Position; readonly zone: string };

/** Places by every code they have, IATA before FAA: the FAA code of one is nowhere the IATA code of another. */
const places: ReadonlyMap<string, Place> = new Map(
  airports.flatMap(({ iata, icao, faa, latitude = 0, longitude = 0, zone = 'UTC' }) =>
    [faa, icao, iata]
      .filter((code) => code !== '')
      .map((code) => [code, { position: { latitude, longitude }, zone }] as const),
  ),
);

/** Metres between two airports of the demo world; undefined when one is none of its. */
export const metresBetween = (from: string, to: string): number | undefined => {
  const [start, end] = [places.get(from), places.get(to)];
  return start && end ? greatCircleMetres(start.position, end.position) : undefined;
};

/** The date on the clock of a place; that of UTC for a place that the demo world does not have. */
export const localDateAt = (code: string, at: UtcSecond): LocalDate => {
  const minute = minuteAt(at);
  return dateAt((minute + utcOffsetAt(places.get(code)?.zone ?? 'UTC', minute)) as LocalMinute);
};
