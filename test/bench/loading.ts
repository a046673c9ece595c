/** Measures import and expansion: the fill of the world, then the expansion of days from stored schedules. */
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { figure, printFigure } from './figures.ts';
import { openWorld, readWorldSize } from './world.ts';

const LAID_OUT = 4;

const { flightsPerDay, days } = readWorldSize();
const whole = await openWorld({ flightsPerDay, days });
const { seconds, publishSeconds, instances, records, peakMegabytes } = whole.filled;
await whole.leave();
printFigure('loading', [
  figure('import: schedule records made and read', records / (seconds - publishSeconds), 'records/s'),
  figure('import: flight instances, from the text to the commit', instances / seconds, 'instances/s', {
    atLeast: 25_000,
  }),
  figure('import: flight instances, published', instances / publishSeconds, 'instances/s'),
  figure(`import: ${instances} instances`, seconds, 's'),
  figure('import: memory at most', peakMegabytes, 'MB', { atMost: 1500 }),
]);

const narrow = await openWorld({ flightsPerDay, days: LAID_OUT + 1, expandedDays: 1 });
try {
  const startedAt = performance.now();
  const rolled = await extendHorizon(narrow.db, {
    today: narrow.today,
    horizonDays: LAID_OUT,
    window: { from: narrow.today, days: LAID_OUT },
  });
  const took = (performance.now() - startedAt) / 1000;
  printFigure('loading', [
    figure(`expansion: ${rolled.days} days from the store`, rolled.instances / took, 'instances/s'),
  ]);
  await narrow.db`drop table public.bench_world`;
} finally {
  await narrow.leave();
}
