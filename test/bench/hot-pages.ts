/**
 * Measures hot pages: a Zipf mix over airports and days with statuses, while 100 status messages per second arrive through the
 * feed, against bare node:http that sends the same bytes from memory and sees no changes.
 */
import { figure, printFigure } from './figures.ts';
import { listHotPaths } from './hot-flights.ts';
import { runAlternated, WARM_UP_SECONDS } from './load.ts';
import { playMemory } from './memory-player.ts';
import { readCounter } from './metrics.ts';
import { startService } from './service.ts';
import { startStatusTrickle } from './status-trickle.ts';
import { openWorld, readWorldSize } from './world.ts';

const PER_SECOND = 100;
/** 32 callers are typical of hot pages; 8 as well, because fewer callers share the cost of a freshness query. */
const CALLERS = [32, 8] as const;

const world = await openWorld(readWorldSize());
const service = await startService(world.url);

const measure = async (
  limit: number,
  paths: readonly string[],
  memory: { readonly base: string; readonly pid?: number | undefined },
) => {
  for (const connections of CALLERS) {
    const targets = {
      ours: { base: service.base, paths, pid: service.pid, connections },
      memory: { base: memory.base, paths, pid: memory.pid, connections },
    };
    const calm = await runAlternated(targets, WARM_UP_SECONDS);
    const trickle = await startStatusTrickle(world, PER_SECOND);
    const before = await readCounter(service.metrics, /cache/);
    const busy = await runAlternated(targets);
    const after = await readCounter(service.metrics, /cache/);
    const stored = await trickle.stop();
    const hits = (after.hit ?? NaN) - (before.hit ?? NaN);
    const requests = hits + (after.miss ?? NaN) - (before.miss ?? NaN);
    const { perSecond, p50, p99 } = busy.of('ours');
    const name = `${limit} a page, Zipf mix, ${connections} callers`;
    const whileStored = `${name}, ${PER_SECOND} messages/s`;
    const target = limit === 100 && connections === 32 ? { atLeast: 0.6 } : undefined;
    printFigure('hot', [
      figure(`${name}, nothing changes: to bare node:http from memory`, calm.ratio('ours', 'memory'), 'ratio'),
      figure(`${whileStored}: to bare node:http from memory`, busy.ratio('ours', 'memory'), 'ratio', target),
      figure(`${whileStored}: by processor, to the same`, busy.cpuRatio('ours', 'memory'), 'ratio'),
      figure(`${whileStored}: requests`, perSecond, 'requests/s'),
      figure(`${whileStored}: half take at most`, p50, 'ms'),
      figure(`${whileStored}: 99 % take at most`, p99, 'ms'),
      figure(`${name}: messages stored meanwhile`, stored, 'messages/s'),
      figure(`${name}: answered from the cache`, (100 * hits) / requests, '%'),
    ]);
  }
};

try {
  for (const limit of [100, 10]) {
    const paths = await listHotPaths(world, limit);
    const memory = await playMemory(service.base, paths);
    await measure(limit, paths, memory);
    await memory.stop();
  }
  printFigure('hot', [figure('memory of the server', await service.megabytes(), 'MB')]);
} finally {
  await service.stop();
  if (process.env['BENCH_KEEP'] !== undefined)
    process.stderr.write('the kept world has statuses now: pages with statuses are larger in a later run\n');
  await world.leave();
}
