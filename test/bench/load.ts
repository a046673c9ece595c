import autocannon from 'autocannon';
import { existsSync, readFileSync } from 'node:fs';
import { DEMO_KEY } from '../../src/jobs/demo/seed-demo.ts';
import { computeQuantile } from '../support/quantile.ts';
import { median } from './figures.ts';

const CONNECTIONS = 8;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1);

/** Who is asked for what: paths of one server, in turn, each connection in an order of its own. */
export type Target = {
  readonly base: string;
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent with POST; GET without. */
  readonly body?: string;
  /** 200 unless told otherwise. */
  readonly status?: number;
  /** How many ask at once; 8 unless told otherwise. */
  readonly connections?: number;
  /** The process that answers, to tell what it costs. */
  readonly pid?: number | undefined;
};

/**
 * Answers a second, the milliseconds that half and 99 of 100 of them took at most, and those of the processor that one cost the process
 * that answered: NaN where the system does not tell. The last holds on a busy machine too.
 */
export type Load = { readonly perSecond: number; readonly p50: number; readonly p99: number; readonly cpuMs: number };

/** Milliseconds of the processor that a process has had, to ten of them. */
const processorMs = (pid: number | undefined): number => {
  if (pid === undefined || !existsSync('/proc/self/stat')) return NaN;
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** A client makes each body a text, and takes longer over bytes that are none, as of a compressed body, than a server takes to answer. */
const readBytesOnly = (client: object): void => {
  if (!('pipelinedRequests' in client)) throw new Error('the client keeps its answers elsewhere by now');
  Object.assign(Object(client.pipelinedRequests), { addBody: () => {} });
};

/** Asks for some seconds over some connections; throws when an answer is not what it should be. */
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
        headers: { 'subscription-key': DEMO_KEY, ...headers },
        ...(body !== undefined && { body }),
        setupClient: (one) => {
          readBytesOnly(one);
          // Spread over the list, so that no two connections ask for the same at the same time.
          const from = Math.floor((client * requests.length) / connections);
          client += 1;
          one.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
        },
      },
      (error: Error | null, result) => {
        if (error) return reject(error);
        if (wrong.size > 0 || result.errors > 0)
          return reject(
            new Error(`${base}${paths[0]} answered ${[...wrong].join(', ')} and failed ${result.errors} times`),
          );
        return resolve({
          perSecond: times.length / result.duration,
          p50: computeQuantile(times, 0.5),
          p99: computeQuantile(times, 0.99),
          cpuMs: (processorMs(pid) - before) / times.length,
        });
      },
    );
    instance.on('response', (_client, statusCode, _bytes, responseTime) => {
      if (statusCode !== status) wrong.add(statusCode);
      times.push(responseTime);
    });
  });

/** Code is as fast as it gets after so many seconds of it. */
export const WARM_UP_SECONDS = 6;

/** One load of each of some servers, by their names. */
type Round<Name extends string> = Readonly<Record<Name, Load>>;

/** What several servers did in the same rounds. */
export type Comparison<Name extends string> = {
  readonly of: (name: Name) => Load;
  /** The median over the rounds of one's rate divided by the other's. */
  readonly ratio: (one: Name, other: Name) => number;
  /** The same of what each answers for a second of its processor. */
  readonly cpuRatio: (one: Name, other: Name) => number;
};

/**
 * Loads servers in turn, for several rounds: what else the machine does bears on all of them alike, so that ratios carry over where
 * rates do not. Each is warmed up first, since code is fast only once the runtime has seen it run.
 */
export const runAlternated = async <Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  warmUpSeconds = SECONDS,
): Promise<Comparison<Name>> => {
  const names = Object.keys(targets) as Name[];
  for (const name of names) await load(targets[name], warmUpSeconds);
  const rounds: Round<Name>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const entries: (readonly [Name, Load])[] = [];
    for (const name of names) entries.push([name, await load(targets[name], SECONDS)]);
    rounds.push(Object.fromEntries(entries) as Round<Name>);
  }
  const of = (name: Name): Load => ({
    perSecond: median(rounds.map((round) => round[name].perSecond)),
    p50: median(rounds.map((round) => round[name].p50)),
    p99: median(rounds.map((round) => round[name].p99)),
    cpuMs: median(rounds.map((round) => round[name].cpuMs)),
  });
  const ratio = (one: Name, other: Name): number =>
    median(rounds.map((round) => round[one].perSecond / round[other].perSecond));
  const cpuRatio = (one: Name, other: Name): number =>
    median(rounds.map((round) => round[other].cpuMs / round[one].cpuMs));
  return { of, ratio, cpuRatio };
};
