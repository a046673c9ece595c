import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of 20 s and more of processor time, begun first: one of them begun last keeps one of two cores waiting. Where a run before
 * has left its times, the others are sorted by those as well; in a fresh clone there are none, and the size of a file says little.
 */
const longest: readonly string[] = [
  'test/contract/fuzz.test.ts',
  'test/feeds/ssim/mutations.test.ts',
  'test/domain/connections/worlds/real-schedule.test.ts',
  'test/domain/status/any-order.test.ts',
  'test/jobs/demo/world/demo-world.test.ts',
  'test/jobs/expand/publish-schedules.test.ts',
  'test/jobs/status/bts-2014-recoveries.test.ts',
  'test/jobs/status/bts-2014-diversions.test.ts',
  'test/jobs/status/bts-2015.test.ts',
  'test/domain/connections/worlds/random-pairs.test.ts',
  'test/domain/connections/worlds/random-worlds.test.ts',
  'test/jobs/connections/build-connections.test.ts',
  'test/cli/import.test.ts',
  'test/cli/serve.test.ts',
  'test/faults/status-kill.test.ts',
];

const placeOf = ({ moduleId, project }: TestSpecification): number => {
  const place = longest.indexOf(relative(project.config.root, moduleId));
  return place < 0 ? longest.length : place;
};

/** The order in which files are begun; the files of a project stay together, so that a worker keeps the modules it has loaded. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the sequencer's own method and answers a new array.
    const sorted = await super.sort(files);
    const projects = [...Map.groupBy(sorted, ({ project }) => project.name).values()];
    return projects.flatMap((specifications) => specifications.toSorted((a, b) => placeOf(a) - placeOf(b)));
  }
}
