import { availableParallelism } from 'node:os';
import { InvalidArgumentError, type Command } from 'commander';
import { MOST_WORKERS, type Config } from '../config.ts';
import { dateOfInstant, type LocalDate } from '../domain/time/dates.ts';
import { createAccessLog } from '../http/observability/access-log.ts';
import { openLogOutput } from '../http/observability/log-output.ts';
import { clockMovedBy, moveOf, warnOfRehearsal } from './clock.ts';
import { countBuffersAsHeap } from './count-buffers-as-heap.ts';
import { dateArgument } from './import.ts';
import { openHubOf } from './open-hub.ts';
import { openStore } from './open-store.ts';
import { openTracing } from './open-tracing.ts';
import { openWebhooks } from './open-webhooks.ts';
import { reportSeldom } from './report-seldom.ts';
import { addressOf, portArgument } from './serve/address.ts';
import { answerHttp, type Answering } from './serve/answer-http.ts';
import { endInTime } from './serve/end-in-time.ts';
import { keepWorkers, type KeptWorkers } from './serve/keep-workers.ts';
import { openMetrics } from './serve/open-metrics.ts';
import { prepareStore } from './serve/prepare-store.ts';
import { untilStopped } from './serve/until-stopped.ts';
import { workInBackground } from './serve/work-in-background.ts';
import { tellWhatIsServed } from './tell-what-is-served.ts';

type Options = {
  readonly demo?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly today?: LocalDate;
  readonly workers?: number | 'auto';
};

const workersArgument = (text: string): number | 'auto' => {
  if (text === 'auto') return text;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MOST_WORKERS)
    throw new InvalidArgumentError(`'${text}' is neither a number from 1 to ${MOST_WORKERS} nor 'auto'`);
  return count;
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const serve = async (config: Config, options: Options): Promise<void> => {
  countBuffersAsHeap();
  const setOn = options.today ?? config.today;
  if (options.today !== undefined) warnOfRehearsal(options.today);
  const movedMs = moveOf(setOn);
  const clock = clockMovedBy(movedMs);
  const wantedWorkers = options.workers ?? config.workers;
  const count = wantedWorkers === 'auto' ? availableParallelism() : wantedWorkers;
  const hostname = options.host ?? config.host;
  const port = options.port ?? config.port;
  const webhooks = await openWebhooks(config, clock);
  const output = openLogOutput();
  // It is open before the store: a migration can take a while, in which the process is alive and not ready.
  const metrics = await openMetrics({ config, clock, log: createAccessLog(output), say });
  const onTracesError = reportSeldom((error) => metrics.log.failure(error, clock(), 'traces'), clock);
  const tracing = openTracing(config, onTracesError);
  metrics.add(tracing.observe);
  const log = tracing.log(metrics.log);
  const store = await openStore(config, 'serve').catch(async (error: unknown) => {
    await metrics.close();
    throw error;
  });
  let endedInTime = true;
  try {
    const { horizonDays, drainSeconds } = config;
    const { isDemo, demoAccount } = await prepareStore(store, { demo: options.demo === true, horizonDays, clock, say });
    const hub = await openHubOf(config, store.db);
    const answerHere = (): Promise<Answering> =>
      answerHttp(store.db, {
        ...store,
        config,
        clock,
        log,
        addMetrics: metrics.add,
        webhooks,
        tracing,
        hostname,
        port,
      });
    const answerElsewhere = (): Promise<KeptWorkers> =>
      keepWorkers({
        count,
        task: { kind: 'serve', url: store.url, hostname, port, movedMs },
        output: { out: (lines) => output.write(lines), err: (lines) => void process.stderr.write(lines) },
        onLost: (error) => log.failure(error, clock(), 'workers'),
      });
    const here = count === 1 ? await answerHere() : undefined;
    const answering = here ?? (await answerElsewhere());
    const base = addressOf(hostname, answering.port);
    tellWhatIsServed(say, { base, today: dateOfInstant(clock()), demoAccount });
    // Who reads the next line may ask it to end at once.
    const stopped = untilStopped();
    metrics.ready(store);
    say(`listening on ${base}${count === 1 ? '' : ` with ${count} workers`}`);
    const background = await workInBackground(store, {
      clock,
      log,
      horizonDays,
      isDemo,
      deliverer: tracing.deliverer(webhooks.deliverer),
      hub: hub?.address,
      directory: here && (() => here.masterData().directory),
    }).catch(async (error: unknown) => {
      await answering.drain(0);
      throw error;
    });
    await stopped;
    metrics.draining();
    // A receiver or a broker that is slow has its own time to answer, beside that of requests under way.
    const ending = async (): Promise<void> => {
      await Promise.all([answering.drain(drainSeconds * 1000), background.stopEvents()]);
      await background.stop();
      await here?.release();
    };
    endedInTime = await endInTime(store, ending(), drainSeconds * 1000);
    webhooks.deliverer.close();
    await log.flush();
  } finally {
    await tracing.close();
    await metrics.close();
    await store.close();
  }
  if (endedInTime) return;
  process.stderr.write('the database is away: what was under way is left to the next process\n');
  process.exit();
};

/** Adds `flightdata serve`. */
export const addServe = (program: Command, config: () => Config): void => {
  program
    .command('serve')
    .description('serve the API over HTTP')
    .option('--demo', 'fill an empty store with the demo world, and keep a demo world up to date')
    .option('--port <port>', 'the port (default: PORT, or 8080; 0 takes a free one)', portArgument)
    .option('--host <address>', 'the address to listen on (default: HOST, or 127.0.0.1)')
    .option(
      '--workers <number>',
      "processes that answer requests, or 'auto': as many as there are processors (default: WORKERS, or 1)",
      workersArgument,
    )
    .option(
      '--today <date>',
      'rehearse: start the clock on this UTC date (default: FLIGHTDATA_TODAY, or today)',
      dateArgument,
    )
    .action((options: Options) => serve(config(), options));
};
