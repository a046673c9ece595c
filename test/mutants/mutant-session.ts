/* oxlint-disable vitest/valid-title, no-empty-pattern -- titles are paths of test files; hooks of suites must destructure the context. */
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, type RunnerTestSuite, test, vi } from 'vitest';

/** The tests of one file that reach a mutant; undefined for all of them. */
export type TestSelection = { readonly file: string; readonly names?: readonly string[] | undefined };

export type MutantRun = {
  readonly id: string;
  readonly hitLimit: number;
  readonly selections: readonly TestSelection[];
};

export type Failure = { readonly file: string; readonly test: string; readonly message: string };

/** What a run of a mutant found. `control` is whether the test that failed passes without the mutant. */
export type RunResult = {
  readonly id: string;
  readonly ran: number;
  readonly failure?: Failure | undefined;
  readonly control?: boolean | undefined;
};

/** How often a test reached each mutant, by its name; `hooks` are the hooks of the file, `load` is its import. */
export type FileCoverage = {
  readonly file: string;
  readonly passed: boolean;
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly hits: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

/** A line that a process of a round appends to the file of results. */
export type Report =
  | { readonly kind: 'start'; readonly id: string }
  | ({ readonly kind: 'coverage' } & FileCoverage)
  | ({ readonly kind: 'result' } & RunResult);

type Instrumentation = {
  activeMutant?: string | undefined;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage: { readonly static: object; readonly perTest: Record<string, Record<string, number>> };
};

type Node = { readonly name: string; readonly suite?: Node | undefined; readonly file?: unknown };

const root = join(import.meta.dirname, '..');
const testUrl = `${pathToFileURL(join(root, 'test')).href}/`;
// The instrumented sources keep references to this object and to mutantCoverage.
const instrumentation: Instrumentation = (Reflect.get(globalThis, '__stryker__') ?? {
  mutantCoverage: { static: {}, perTest: {} },
}) as Instrumentation;
Reflect.set(globalThis, '__stryker__', instrumentation);

const append = (report: Report): void =>
  appendFileSync(join(root, 'mutants', `${process.env['MUTANTS_ROUND']}.jsonl`), `${JSON.stringify(report)}\n`);

/** Returns the names from below the suite `phase` (and the suite of the file in it) to the test. */
const pathOf = (task: Node): readonly string[] => [...(task.suite ? pathOf(task.suite) : []), task.name];
const phaseOf = (task: Node): string => pathOf(task)[0] ?? '';
const fileOf = (task: Node): string => pathOf(task)[1] ?? '';
const nameOf = (task: Node): string => pathOf(task).slice(3).join(' > ');

// Helpers of tests are loaded again, too: what they keep may have been computed with another mutant.
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const [, run] = /(\?run=.*)$/.exec(context.parentURL ?? '') ?? [];
    return run !== undefined && resolved.url.startsWith(testUrl) && !resolved.url.includes('?')
      ? { ...resolved, url: `${resolved.url}${run}` }
      : resolved;
  },
});

/** Imports a test file again: its tests are registered below the current suite. A failing import becomes a failing test. */
const importTests = async (file: string): Promise<void> => {
  try {
    await import(`${pathToFileURL(join(root, file)).href}?run=${Date.now()}-${Math.random()}`);
  } catch (failure) {
    // oxlint-disable-next-line vitest/expect-expect
    test('import', () => {
      throw failure;
    });
  }
};

type Tasks = RunnerTestSuite['tasks'];

/** Returns the first failing test or hook in the suite of a phase. */
const findFailure = (tasks: Tasks, isExpected: (message: string) => boolean = () => false): Failure | undefined => {
  for (const task of tasks) {
    const inner = task.type === 'suite' ? findFailure(task.tasks, isExpected) : undefined;
    if (inner) return inner;
    const message = task.result?.errors?.[0]?.message;
    if (task.result?.state === 'fail' && message !== undefined && !isExpected(message))
      return { file: fileOf(task), test: nameOf(task), message: message.slice(0, 300) };
  }
  return undefined;
};

const phase = (tasks: Tasks, name: string): Tasks => tasks.filter((task) => task.name === name);

/** Runs the tests of a file and reports which of them reach which mutants, and how long each takes. */
export const runCoverage = async (file: string): Promise<void> => {
  append({ kind: 'start', id: file });
  const milliseconds: Record<string, number> = {};
  const enter = (name: string): void => {
    instrumentation.currentTestId = `${file}\n${name}`;
  };
  instrumentation.activeMutant = undefined;
  const started = performance.now();
  enter('load');
  beforeAll(() => enter('hooks'));
  let testStarted = 0;
  beforeEach(({ task }) => {
    testStarted = performance.now();
    enter(nameOf(task));
  });
  afterEach(({ task }) => {
    milliseconds[nameOf(task)] = Math.round(performance.now() - testStarted);
    enter('hooks');
  });
  afterAll(({}, suite) => {
    const hits = Object.entries(instrumentation.mutantCoverage.perTest)
      .filter(([id]) => id.startsWith(`${file}\n`))
      .map(([id, counts]) => [id.slice(file.length + 1), counts]);
    milliseconds['hooks'] = Math.round(performance.now() - started);
    const passed = findFailure(suite.tasks) === undefined;
    append({ kind: 'coverage', file, passed, milliseconds, hits: Object.fromEntries(hits) });
  });
  describe('mutant', () => {
    describe(file, () => {
      describe('tests', async () => {
        await importTests(file);
      });
    });
  });
};

const skipped = 'not needed any more';

/** Runs tests with a mutant until one fails, then the same without it: a process with broken state runs no further mutants. */
export const runMutant = async (name: string): Promise<void> => {
  const runs: Readonly<Record<string, MutantRun>> = JSON.parse(
    readFileSync(join(root, 'mutants', `${process.env['MUTANTS_ROUND']}.json`), 'utf8'),
  );
  const run = runs[name];
  if (run === undefined) throw new Error(`no run ${name}`);
  const { id, hitLimit, selections } = run;
  const isolated = process.env['MUTANTS_ISOLATE'] === '1';
  append({ kind: 'start', id });
  let ran = 0;
  let failed: Failure | undefined;
  let finished = false;
  const setMutant = (active: boolean): void => {
    Object.assign(instrumentation, {
      activeMutant: active ? id : undefined,
      hitCount: 0,
      hitLimit,
      currentTestId: 'x',
    });
  };
  const onRejection = (reason: unknown): void => {
    if (instrumentation.activeMutant)
      failed ??= { file: '', test: 'unhandled rejection', message: String(reason).slice(0, 300) };
  };
  process.on('unhandledRejection', onRejection);
  const names = new Map(selections.map((selection) => [selection.file, selection.names && new Set(selection.names)]));
  const isSelected = (task: Node): boolean => names.get(fileOf(task))?.has(nameOf(task)) ?? true;
  beforeEach(({ task, skip, onTestFinished }) => {
    const control = phaseOf(task) === 'control';
    if (!isSelected(task) || (control ? finished : failed !== undefined)) return skip();
    if (!control) ran += 1;
    onTestFinished(() => {
      const { state, errors } = task.result ?? {};
      if (control) finished ||= nameOf(task) === failed?.test;
      else if (state === 'fail')
        failed ??= { file: fileOf(task), test: nameOf(task), message: (errors?.[0]?.message ?? '').slice(0, 300) };
    });
  });
  const defineTests = (name: string, active: boolean, isNeeded: (file: string, tasks: Tasks) => boolean): void => {
    describe(name, () => {
      for (const { file } of selections)
        describe(file, () => {
          beforeAll(({}, suite) => {
            if (!isNeeded(file, suite.file.tasks)) throw new Error(skipped);
            setMutant(active);
          });
          // Hooks of the file must not run when the hook above fails.
          describe('tests', async () => {
            setMutant(active);
            await importTests(file);
          });
        });
    });
  };
  const isExpected = (message: string): boolean => message === skipped;
  defineTests('mutant', true, (_file, tasks) => {
    failed ??= findFailure(phase(tasks, 'mutant'), isExpected);
    return failed === undefined;
  });
  if (!isolated)
    defineTests('control', false, (file, tasks) => {
      vi.useRealTimers();
      failed ??= findFailure(phase(tasks, 'mutant'), isExpected);
      return failed !== undefined && (failed.file === '' || failed.file === file);
    });
  afterAll(({}, suite) => {
    setMutant(false);
    vi.useRealTimers();
    process.off('unhandledRejection', onRejection);
    failed ??= findFailure(phase(suite.tasks, 'mutant'), isExpected);
    const control =
      isolated || !failed ? undefined : findFailure(phase(suite.tasks, 'control'), isExpected) === undefined;
    append({ kind: 'result', id, ran, failure: failed, control });
  });
};
