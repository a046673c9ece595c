import autocannon from 'autocannon';
import { WORLD_KEY } from './synthetic/seed-synthetic.ts';
import { readProcessUsage } from '../support/process-usage.ts';
import { median, quantilesOf } from './figures.ts';

const CONNECTIONS = 8;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1);

/** Paths of one server, requested in turn; each connection has its own order. */
export type Target = {
  readonly base: string;
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST; GET without. */
  readonly body?: string;
  /** Default 200. */
  readonly status?: number;
  /** Concurrent connections, default 8. */
  readonly connections?: number;
  /** The server process, to measure its cost. */
  readonly pid?: number | undefined;
};

/** Responses per second, median and p99 in ms, and processor ms of the server per response (NaN without a process ID). */
export type Load = { readonly perSecond: number; readonly p50: number; readonly p99: number; readonly cpuMs: number };

/** Returns the processor time of a process, milliseconds, to the nearest ten. */
const processorMs = (pid: number | undefined): number =>
  pid === undefined ? NaN : readProcessUsage(pid).processorSeconds * 1000;

/** The client decodes each body as text, which takes longer for compressed bytes than the server takes to respond. */
const readBytesOnly = (client: object): void => {
  if (!('pipelinedRequests' in client)) throw new Error('the client stores its responses elsewhere');
  Object.assign(Object(client.pipelinedRequests), { addBody: () => {} });
};

/** Sends requests for some seconds over some connections. Throws on an unexpected response. */
const load = (
  { base, paths, headers = {}, body, status = 200, pid, connections = CONNECTIONS }: Target,
  seconds: number,
): Promise<Load> =>
  new Promise((resolve, reject) => {
    const times: number[] = [];
    const before = processorMs(pid);
    const wrong = new Set<number>();
    let client = 0;
    const requests = paths.map((path) => ({ method: body === undefined ? ('GET' as const) : ('POST' as const), path }));
    const instance = autocannon(
      {
        url: base,
        connections,
        duration: seconds,
        headers: { 'subscription-key': WORLD_KEY, ...headers },
        ...(body !== undefined && { body }),
        setupClient: (one) => {
          readBytesOnly(one);
          // Offsets into the list, so that no two connections request the same path at once.
          const from = Math.floor((client * requests.length) / connections);
          client += 1;
          one.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
        },
      },
      (error: Error | null, result) => {
        if (error) return reject(error);
        if (wrong.size > 0 || result.errors > 0)
          return reject(
            new Error(`${base}${paths[0]} returned ${[...wrong].join(', ')} and failed ${result.errors} times`),
          );
        return resolve({
          perSecond: times.length / result.duration,
          ...quantilesOf(times),
          cpuMs: (processorMs(pid) - before) / times.length,
        });
      },
    );
    instance.on('response', (_client, statusCode, _bytes, responseTime) => {
      if (statusCode !== status) wrong.add(statusCode);
      times.push(responseTime);
    });
  });

/** Seconds of warm-up until the runtime has optimized the code. */
export const WARM_UP_SECONDS = 6;

/** One load for each server, by name. */
type Round<Name extends string> = Readonly<Record<Name, Load>>;

/** Loads warm servers in turn, so that other work of the machine affects them alike and ratios are comparable. */
export const runAlternated = async <Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  warmUpSeconds = SECONDS,
) => {
  const names = Object.keys(targets) as Name[];
  for (const name of names) await load(targets[name], warmUpSeconds);
  const rounds: Round<Name>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const entries: (readonly [Name, Load])[] = [];
    for (const name of names) entries.push([name, await load(targets[name], SECONDS)]);
    rounds.push(Object.fromEntries(entries) as Round<Name>);
  }
  const medianOf = (name: Name, key: keyof Load): number => median(rounds.map((round) => round[name][key]));
  const of = (name: Name): Load => ({
    perSecond: medianOf(name, 'perSecond'),
    p50: medianOf(name, 'p50'),
    p99: medianOf(name, 'p99'),
    cpuMs: medianOf(name, 'cpuMs'),
  });
  /** The median over the rounds of the ratio of two rates. */
  const ratio = (one: Name, other: Name): number =>
    median(rounds.map((round) => round[one].perSecond / round[other].perSecond));
  /** The same for responses per second of processor time. */
  const cpuRatio = (one: Name, other: Name): number =>
    median(rounds.map((round) => round[other].cpuMs / round[one].cpuMs));
  return { of, ratio, cpuRatio };
};
