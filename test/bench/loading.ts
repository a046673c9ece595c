/** Measures import and expansion: the fill of the world, then the expansion of days from stored schedules. */
import { extendHorizon } from '../../src/jobs/expand/extend-horizon.ts';
import { printFigure } from './figures.ts';
import { openWorld, readWorldSize } from './world.ts';

const LAID_OUT = 4;

const { flightsPerDay, days } = readWorldSize();
const whole = await openWorld({ flightsPerDay, days });
const { seconds, publishSeconds, instances, records, peakMegabytes } = whole.filled;
await whole.leave();
printFigure('loading', [
  { name: 'import: schedule records made and read', value: records / (seconds - publishSeconds), unit: 'records/s' },
  {
    name: 'import: flight instances, from the text to the commit',
    value: instances / seconds,
    unit: 'instances/s',
    target: { atLeast: 25_000 },
  },
  { name: 'import: flight instances, published', value: instances / publishSeconds, unit: 'instances/s' },
  { name: `import: ${instances} instances`, value: seconds, unit: 's' },
  { name: 'import: memory at most', value: peakMegabytes, unit: 'MB', target: { atMost: 1500 } },
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
    { name: `expansion: ${rolled.days} days from the store`, value: rolled.instances / took, unit: 'instances/s' },
  ]);
  await narrow.db`drop table public.bench_world`;
} finally {
  await narrow.leave();
}
