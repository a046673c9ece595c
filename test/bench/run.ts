/**
 * `make bench`: measures loading, serving and the status stream on the machine it runs on and prints tables. Ratios are what
 * carries over to another. `make bench ARGS=status` measures the stream alone, over two days.
 */
import autocannon from 'autocannon';
import { cpus, totalmem } from 'node:os';
import { carrierIn, stationIn } from '../../src/domain/directory.ts';
import { keepKey } from '../../src/store/subscription-keys.ts';
import { readDirectory } from '../../src/work/directory.ts';
import { importMasterData } from '../../src/work/import-master-data.ts';
import { sharedData } from '../support/shared-data.ts';
import type { Loaded } from './load-world.ts';
import { FIRST_DAY, questions } from './questions.ts';
import { statusStream } from './status-stream.ts';
import { play, setStage, type Player, type Stage } from './stage.ts';

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 8;
const KEY = 'bench-key';

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const need = (path: string): string => {
  const found = sharedData(path);
  if (found === undefined) throw new Error(`the benchmark needs ${path} of the shared data set, which is absent`);
  return found;
};

const load = async (stage: Stage, days: number): Promise<void> => {
  await importMasterData({ sql: stage.db, dir: need('master'), log: () => {} });
  const file = need('ssim/SYNTHETIC_global_2026-11-02_2027-02-28.ssim.gz');
  const player = await play('./load-world.ts', stage.url, file, FIRST_DAY, String(days));
  const { readSeconds, layOutSeconds, instances, quarantined, peakMegabytes } = player.said as Loaded;
  console.log(`\nLoading the synthetic global schedule, ${days} days (${stage.engine})`);
  console.table({
    'reading the file, s': readSeconds.toFixed(1),
    'publishing it, s': layOutSeconds.toFixed(1),
    'instances laid out': instances,
    'instances a second, publishing': Math.round(instances / layOutSeconds),
    'instances a second, file to commit': Math.round(instances / (readSeconds + layOutSeconds)),
    'records in quarantine': quarantined,
    'peak memory, MB': Math.round(peakMegabytes),
  });
};

const perSecond = async (url: string): Promise<number> => {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'subscription-key': KEY },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} times with a failure and failed ${result.errors} times`);
  return result.requests.average;
};

const serving = async (stage: Stage): Promise<void> => {
  await keepKey(stage.db, { name: 'bench', products: ['flight-info', 'master-data', 'schedules'], key: KEY });
  const directory = await readDirectory(stage.db);
  const ids = Object.fromEntries(
    questions.flatMap(({ filter, code }) => {
      if (code === undefined) return [];
      return [[code, (filter === 'departure' ? stationIn(directory, code) : carrierIn(directory, code))?.id ?? 0]];
    }),
  );
  const ours = await play('./our-server.ts', stage.url);
  const bareArguments = [stage.url, JSON.stringify(ids)] as const;
  const plain = await play('./bare-server.ts', ...bareArguments);
  const tuned = await play('./bare-server.ts', ...bareArguments, 'set');
  const rows: Record<string, Record<string, string | number>> = {};
  for (const limit of [100, 10])
    for (const { name, query } of questions) {
      const our = `http://127.0.0.1:${String(ours.said)}/flight-instances?${query}&Limit=${limit}`;
      const theirs = (player: Player): string => `http://127.0.0.1:${String(player.said)}/${name}/${limit}`;
      // Code is fast only once the runtime has seen it run for a while.
      for (let warming = 0; warming < 2; warming += 1)
        for (const url of [our, theirs(plain), theirs(tuned)]) await perSecond(url);
      const rounds: { readonly ours: number; readonly plain: number; readonly tuned: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push({
          ours: await perSecond(our),
          plain: await perSecond(theirs(plain)),
          tuned: await perSecond(theirs(tuned)),
        });
      rows[`${name}, page of ${limit}`] = {
        'ours, requests/s': Math.round(median(rounds.map((one) => one.ours))),
        'to bare node:http': median(rounds.map((one) => one.ours / one.plain)).toFixed(2),
        'to bare with our runtime setting': median(rounds.map((one) => one.ours / one.tuned)).toFixed(2),
      };
    }
  console.log(
    `\nFirst page with exact count against bare node:http with the same SQL, ${ROUNDS} alternated rounds of ${SECONDS} s, ${CONNECTIONS} connections`,
  );
  console.table(rows);
  await plain.stop();
  await tuned.stop();
  await ours.stop();
};

console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
);
const stage = await setStage();
try {
  const onlyStatus = process.argv[2] === 'status';
  await load(stage, onlyStatus ? 2 : 30);
  if (!onlyStatus) await serving(stage);
  await statusStream(stage, FIRST_DAY);
} finally {
  await stage.strike();
}
