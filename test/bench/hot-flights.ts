import { addDays, formatDate } from '../../src/domain/time/dates.ts';
import { createWeightedPicker } from '../../src/jobs/demo/synthetic/flights.ts';
import { createRandom } from '../lib/seeded-random.ts';
import type { World } from './world.ts';

const AIRPORTS = 100;
const DAYS = 3;
const REQUESTS = 4000;

/** Weights of a Zipf distribution: the n-th is requested 1/n as often as the first. */
const zipf = (count: number): readonly number[] => Array.from({ length: count }, (_, rank) => 1 / (rank + 1));

/**
 * Lists hot requests: departures with statuses of the busiest airports, today and on following days, weighted by
 * Zipf's law.
 */
export const listHotPaths = async ({ db, today }: World, limit: number): Promise<readonly string[]> => {
  const airports = await db<{ iata: string }[]>`
    select l.iata from flight_instance i join location l on l.id = i.departure
    where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 1))}::date
    group by 1 order by count(*) desc, 1 limit ${AIRPORTS}`;
  const [airport, day] = [createWeightedPicker(zipf(airports.length)), createWeightedPicker(zipf(DAYS))];
  const chance = createRandom(3);
  const share = (): number => chance.integer(0, 999_999) / 1e6;
  return chance.times(REQUESTS, () => {
    const date = formatDate(addDays(today, day(share())));
    return `/flight-instances?DepartureDateTime=${date}&DepartureAirport=${airports[airport(share())]?.iata ?? ''}&Content=Status&Limit=${limit}`;
  });
};
