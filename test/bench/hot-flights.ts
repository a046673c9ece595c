import { addDays, formatDate } from '../../src/domain/time/dates.ts';
import { weighted } from '../../src/jobs/demo/synthetic/weighted.ts';
import { newChance } from '../domain/connections/worlds/random/chance.ts';
import type { World } from './world.ts';

const AIRPORTS = 100;
const DAYS = 3;
const REQUESTS = 4000;

/** Weights of a Zipf mix: the n-th is asked for 1/n as often as the first. */
const zipf = (count: number): readonly number[] => Array.from({ length: count }, (_, rank) => 1 / (rank + 1));

/**
 * Requests as many ask them at once: lists of departures with statuses, of the busiest airports and of today and the days after it, the
 * first far more often than the last.
 */
export const listHotPaths = async ({ db, today }: World, limit: number): Promise<readonly string[]> => {
  const airports = await db<{ iata: string }[]>`
    select l.iata from flight_instance i join location l on l.id = i.departure
    where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 1))}::date
    group by 1 order by count(*) desc, 1 limit ${AIRPORTS}`;
  const [airport, day] = [weighted(zipf(airports.length)), weighted(zipf(DAYS))];
  const chance = newChance(3);
  const share = (): number => chance.int(0, 999_999) / 1e6;
  return chance.times(REQUESTS, () => {
    const date = formatDate(addDays(today, day(share())));
    return `/flight-instances?DepartureDateTime=${date}&DepartureAirport=${airports[airport(share())]?.iata ?? ''}&Content=Status&Limit=${limit}`;
  });
};
