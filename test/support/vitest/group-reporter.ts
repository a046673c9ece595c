import { relative, sep } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The groups of tests, by the folders below test/; all other folders and files are in the group `unit`. */
const groupFolders: Readonly<Record<string, readonly string[]>> = {
  unit: [],
  store: ['store'],
  http: ['http', 'products', 'delivery'],
  contract: ['contract', 'client', 'mock', 'portal', 'docs'],
  jobs: ['jobs'],
  cli: ['cli'],
  faults: ['faults'],
};

type GroupTally = { files: number; tests: number; failed: number; skipped: number; milliseconds: number };

const groupOf = ({ moduleId, project }: TestModule): string => {
  const [, folder = ''] = relative(project.config.root, moduleId).split(sep);
  return Object.entries(groupFolders).find(([, folders]) => folders.includes(folder))?.[0] ?? 'unit';
};

const tally = (modules: readonly TestModule[]): GroupTally => {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const count = (state: string): number => states.filter((one) => one === state).length;
  const times = modules.map((module) => module.diagnostic()).map(({ collectDuration: c, duration: d }) => c + d);
  return {
    files: modules.length,
    tests: states.length,
    failed: count('failed'),
    skipped: count('skipped'),
    milliseconds: times.reduce((sum, time) => sum + time, 0),
  };
};

const renderRow = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(9))).join('');

/** Returns a table with a row for each group that ran; the seconds are those of all workers together. */
const renderGroups = (modules: readonly TestModule[]): string => {
  const byGroup = Map.groupBy(modules, groupOf);
  const rows = Object.keys(groupFolders).flatMap((group) => {
    const { files, tests, failed, skipped, milliseconds } = tally(byGroup.get(group) ?? []);
    return files === 0 ? [] : [[group, files, tests, failed, skipped, (milliseconds / 1000).toFixed(1)].map(String)];
  });
  return [['group', 'files', 'tests', 'failed', 'skipped', 'seconds'], ...rows].map(renderRow).join('\n');
};

export class GroupReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    console.log(`\n${renderGroups(modules)}\n`);
  }
}
