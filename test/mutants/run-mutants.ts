/*
 * `make mutants`: changes the sources in a seeded sample of places and counts the changes that a test notices. Writes
 * docs/reference/mutation-score.md and build/mutants/results.json. ARGS selects folders (`src/server/http`); MUTANTS is the size of the sample for each
 * folder (300), MUTANT_SEED selects another sample.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, globSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { renderScore, type MutantResult } from './mutation-score.ts';
import type { FileCoverage, MutantRun, Report, RunResult } from './mutant-session.ts';
import { type MutantPlan, planRuns, testFolders } from './plan-runs.ts';
import { placeMutants } from './sample-mutants.ts';

const root = process.cwd();
const work = join(root, 'build/mutants');
const tree = join(work, 'tree');
const resultsFile = join(work, 'results.json');
const folders = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(testFolders);
const sample = { folders, size: Number(process.env['MUTANTS'] ?? 300), seed: process.env['MUTANT_SEED'] ?? '1' };

/** A test file that neither starts nor ends for so long is ended, in milliseconds: an endless loop. */
const HANG = 120_000;

const print = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
};

const copyTree = (): void => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const left = new Set(['node_modules', 'build', '.git', '.flightdata', 'dist']);
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  // Tests look for the shared data set beside the checkout.
  if (existsSync(join(root, '../shared'))) symlinkSync(resolve(root, '../shared'), join(work, 'shared'));
  mkdirSync(join(tree, 'mutants'));
  for (const file of globSync('*.ts', { cwd: import.meta.dirname }))
    cpSync(join(import.meta.dirname, file), join(tree, 'mutants', basename(file)));
};

/** Returns what the processes of a round have reported so far. */
const readReports = (round: string): readonly Report[] => {
  const file = join(tree, 'mutants', `${round}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): Report => JSON.parse(line));
};

/** Runs vitest over the files of a round and ends it when nothing was reported for HANG. */
const runVitest = async (round: string, isolate: boolean): Promise<void> => {
  const log = openSync(join(work, `${round}.log`), 'a');
  const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', '--config', 'mutants/mutants.config.ts'], {
    cwd: tree,
    stdio: ['ignore', log, log],
    env: { ...process.env, MUTANTS_ROUND: round, MUTANTS_ISOLATE: isolate ? '1' : '' },
    detached: true,
  });
  let lines = 0;
  let since = Date.now();
  const watch = setInterval(() => {
    const now = readReports(round).length;
    if (now !== lines) [lines, since] = [now, Date.now()];
    else if (Date.now() - since > HANG && vitest.pid !== undefined) process.kill(-vitest.pid, 'SIGKILL');
  }, 5000);
  await once(vitest, 'exit');
  clearInterval(watch);
  closeSync(log);
};

const writeRound = (round: string, files: ReadonlyMap<string, string>): void => {
  const folder = join(tree, 'mutants', round);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, `${name}.test.ts`), text);
};

const collectCoverage = async (): Promise<readonly FileCoverage[]> => {
  const used = [...new Set(folders.flatMap((folder) => testFolders[folder] ?? []))];
  const files = [...new Set(used.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root })))].toSorted();
  const text = (file: string): string =>
    `import { runCoverage } from '../mutant-session.ts';\n\nawait runCoverage('${file}');\n`;
  writeRound('coverage', new Map(files.map((file, index) => [String(index).padStart(4, '0'), text(file)])));
  await runVitest('coverage', false);
  const coverage = readReports('coverage').filter((report) => report.kind === 'coverage');
  const passed = new Set(coverage.filter((one) => one.passed).map(({ file }) => file));
  for (const file of files) if (!passed.has(file)) print(`left out, because it fails without a mutant: ${file}`);
  return coverage;
};

type Outcomes = Map<string, RunResult>;

/** Runs the given tests for each mutant and returns the results; a mutant that ended its process has none and is ended again alone. */
const runRound = async (round: string, runs: readonly MutantRun[], isolate: boolean): Promise<Outcomes> => {
  const outcomes: Outcomes = new Map();
  let pending = runs;
  for (let attempt = 0; pending.length > 0 && attempt < 20; attempt += 1) {
    const name = `${round}-${attempt}`;
    writeFileSync(
      join(tree, 'mutants', `${name}.json`),
      JSON.stringify(Object.fromEntries(pending.map((run) => [run.id, run]))),
    );
    const text = (id: string): string =>
      `import { runMutant } from '../mutant-session.ts';\n\nawait runMutant('${id}');\n`;
    writeRound(name, new Map(pending.map(({ id }) => [id.padStart(6, '0'), text(id)])));
    await runVitest(name, isolate);
    const started = new Set<string>();
    for (const report of readReports(name))
      if (report.kind === 'start') started.add(report.id);
      else if (report.kind === 'result') outcomes.set(report.id, report);
    for (const id of started)
      if (!outcomes.has(id)) {
        const failure = { file: '', test: 'timeout', message: 'the process did not end' };
        outcomes.set(id, { id, ran: 1, failure, control: true });
      }
    pending = pending.filter(({ id }) => !outcomes.has(id));
    if (started.size === 0) break;
  }
  return outcomes;
};

const toRun = ({ mutant, hits }: MutantPlan, selections: MutantRun['selections']): MutantRun => ({
  id: mutant.id,
  hitLimit: 10_000 + 100 * hits,
  selections,
});

const runAll = async (plans: readonly MutantPlan[]): Promise<ReadonlyMap<string, MutantResult>> => {
  const results = new Map<string, MutantResult>();
  const finish = (plan: MutantPlan, result: Omit<MutantResult, keyof MutantPlan['mutant'] | 'files'>): void => {
    results.set(plan.mutant.id, { ...plan.mutant, files: plan.selections.length, ...result });
  };
  for (const plan of plans) if (plan.selections.length === 0) finish(plan, { outcome: 'not covered' });
  const unsure: MutantPlan[] = [];
  const open = (): readonly MutantPlan[] =>
    plans.filter((plan) => !plan.isolated && !results.has(plan.mutant.id) && !unsure.includes(plan));
  // Most mutants are killed by the first file, so the others are not even imported.
  for (const [from, to] of [
    [0, 1],
    [1, 3],
    [3, 6],
    [6, 12],
  ] as const) {
    const round = open();
    print(`${round.length} mutants, test files ${from + 1} to ${to}`);
    const runs = round.map((plan) => toRun(plan, plan.selections.slice(from, to)));
    const outcomes = await runRound(`files-${from}`, runs, false);
    for (const plan of round) {
      const { ran = 0, failure, control } = outcomes.get(plan.mutant.id) ?? {};
      if (failure && control === true) finish(plan, { outcome: 'killed', killer: failure });
      else if (failure || ran === 0) unsure.push(plan);
      else if (plan.selections.length <= to) finish(plan, { outcome: 'survived' });
    }
  }
  const alone = [...plans.filter(({ isolated }) => isolated), ...unsure].filter(
    ({ mutant }) => !results.has(mutant.id),
  );
  print(`${alone.length} mutants in a process of their own (${unsure.length} for a second look)`);
  const all = alone.map((plan) =>
    toRun(
      plan,
      plan.selections.map(({ file }) => ({ file })),
    ),
  );
  const outcomes = await runRound('alone', all, true);
  for (const plan of alone) {
    const failure = outcomes.get(plan.mutant.id)?.failure;
    finish(plan, failure ? { outcome: 'killed', killer: failure } : { outcome: 'survived' });
  }
  return results;
};

const readKillers = (): ReadonlyMap<string, string> => {
  if (!existsSync(resultsFile)) return new Map();
  const earlier: readonly MutantResult[] = JSON.parse(readFileSync(resultsFile, 'utf8'));
  return new Map(earlier.flatMap(({ key, killer }) => (killer?.file ? [[key, killer.file] as const] : [])));
};

const killers = readKillers();
print('copying and changing the sources');
copyTree();
const { mutants, total } = await placeMutants(tree, sample);
print(`${mutants.length} mutants of ${[...total.values()].reduce((a, b) => a + b, 0)}`);
const coverage = await collectCoverage();
const plans = planRuns(root, mutants, { coverage, killers });
const results = [...(await runAll(plans)).values()].toSorted(
  (a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)) || a.line - b.line,
);
writeFileSync(resultsFile, JSON.stringify(results, undefined, 1));
const score = renderScore(results, total);
if (folders.length === Object.keys(testFolders).length)
  writeFileSync(join(root, 'docs/reference/mutation-score.md'), score);
process.stdout.write(score);
