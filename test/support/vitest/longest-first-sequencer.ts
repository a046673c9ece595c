import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 8 s or more start first: started last, one of them leaves one of two cores idle. Times of an earlier run order
 * the others; a fresh clone has none, and file size predicts little.
 */
const longest: readonly string[] = [
  'test/faults/load/long-run.long.test.ts',
  'test/portal/portal.long.test.ts',
  'test/docs/demo-server.long.test.ts',
  'test/contract/release.long.test.ts',
  'test/jobs/sources/live-captures.long.test.ts',
  'test/cli/serve/first-start.test.ts',
  'test/http/static/live-page.long.test.ts',
  'test/mock/package.long.test.ts',
  'test/contract/generators.long.test.ts',
  'test/domain/connections/worlds/random-queries.long.test.ts',
  'test/contract/fuzz.test.ts',
  'test/jobs/status/identification/identification.long.test.ts',
  'test/cli/serve/live-feeds.long.test.ts',
  'test/faults/attack/slow-senders.long.test.ts',
  'test/cli/serve/failed-start.test.ts',
  'test/jobs/schedule-messages/arrival-orders.test.ts',
  'test/faults/webhooks/secrets-rotation.long.test.ts',
  'test/faults/load/soak.long.test.ts',
  'test/faults/kill/spool-soak.long.test.ts',
  'test/contract/stock-prism.long.test.ts',
  'test/jobs/schedule-messages/forms.test.ts',
  'test/products/flight-info/v2/map/flight-map-browser.long.test.ts',
  'test/jobs/status/bts-2014.long.test.ts',
  'test/jobs/expand/schedule-events/random-editions.test.ts',
  'test/faults/database/stuck-database.long.test.ts',
  'test/jobs/schedule-messages/shared-forms.test.ts',
  'test/contract/planted-faults.long.test.ts',
  'test/faults/database/full-disk.long.test.ts',
  'test/cli/secrets.test.ts',
  'test/cli/sources.test.ts',
  'test/contract/all-coverage.test.ts',
  'test/store/engine/embedded.test.ts',
  'test/jobs/schedule-messages/message-state.test.ts',
  'test/cli/lost-secrets.test.ts',
  'test/cli/serve/workers.test.ts',
  'test/mock/parity.test.ts',
  'test/cli/package.long.test.ts',
  'test/cli/main.test.ts',
  'test/contract/prism.test.ts',
  'test/mock/examples.test.ts',
];

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = longest.indexOf(relative(project.config.root, moduleId));
  return rank < 0 ? longest.length : rank;
};

/** Orders the test files; files of a project stay together, so that a worker keeps its loaded modules. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the sequencer's own method and returns a new array.
    const sorted = await super.sort(files);
    const projects = [...Map.groupBy(sorted, ({ project }) => project.name).values()];
    return projects.flatMap((specifications) => specifications.toSorted((a, b) => rankOf(a) - rankOf(b)));
  }
}
