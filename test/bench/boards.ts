/**
 * Measures boards: uncached searches of the departures and arrivals of an airport by their latest time, with statuses, beside searches of the same
 * hours by scheduled time, while 100 messages a second make flights late.
 */
import { addDays, formatDate } from '#domain/time/dates.ts';
import { figure, figuresOfTimes, printFigure } from './figures.ts';
import { runAlternated, WARM_UP_SECONDS } from './load.ts';
import { startService } from './service.ts';
import { startStatusTrickle } from './status-trickle.ts';
import { openWorld, readWorldSize, type World } from './world.ts';

const PER_SECOND = 100;
const AIRPORTS = 100;
/** A board shows the last hour and the next four. */
const HOURS = 5;
const LIMITS = [10, 100] as const;
/** One caller waits for the search alone; several share the cores with it. */
const CALLERS = [1, 8] as const;

/** Lists searches of each window of today at the busiest airports, departures and arrivals in turn. */
const listBoards = async (
  { db, today }: World,
  { limit, parameter }: { readonly limit: number; readonly parameter: string },
): Promise<readonly string[]> => {
  const date = formatDate(today);
  const airports = await db<{ iata: string }[]>`
    select l.iata from flight_instance i join location l on l.id = i.departure
    where departs_at >= ${date}::date and departs_at < ${formatDate(addDays(today, 1))}::date
    group by 1 order by count(*) desc, 1 limit ${AIRPORTS}`;
  const at = (hour: number): string => `${date}T${String(hour).padStart(2, '0')}`;
  return airports.flatMap(({ iata }, index) =>
    Array.from({ length: 24 - HOURS }, (_, hour) => {
      const end = (index + hour) % 2 === 0 ? 'Departure' : 'Arrival';
      const window = `${at(hour)}:00/${at(hour + HOURS - 1)}:59`;
      return `/flight-instances?${parameter}${end}DateTime=${window}&${end}Airport=${iata}&Content=Status&Limit=${limit}`;
    }),
  );
};

const world = await openWorld(readWorldSize());
const service = await startService(world.url, { CACHE_MB: '0' });
try {
  const trickle = await startStatusTrickle(world, PER_SECOND, { isLate: true });
  for (const limit of LIMITS) {
    const [latest, scheduled] = [
      await listBoards(world, { limit, parameter: 'Latest' }),
      await listBoards(world, { limit, parameter: '' }),
    ];
    for (const connections of CALLERS) {
      const target = { base: service.base, pid: service.pid, connections };
      const loads = await runAlternated(
        { latest: { ...target, paths: latest }, scheduled: { ...target, paths: scheduled } },
        WARM_UP_SECONDS,
      );
      const name = `${HOURS} hours of an airport by latest time, ${limit} a page, uncached, ${PER_SECOND} messages/s, callers ${connections}`;
      printFigure('boards', [
        ...figuresOfTimes(name, loads.of('latest'), connections === 1 ? [{ atMost: 20 }, { atMost: 50 }] : []),
        figure(`${name}: requests`, loads.of('latest').perSecond, 'requests/s'),
        figure(`${name}: to the same hours by scheduled time`, loads.ratio('latest', 'scheduled'), 'ratio'),
      ]);
    }
  }
  printFigure('boards', [figure('messages stored meanwhile', await trickle.stop(), 'messages/s')]);
} finally {
  await service.stop();
  await world.leave();
}
