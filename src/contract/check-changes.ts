import { join } from 'node:path';
import { localDate } from '#domain/time/dates.ts';
import { compareWithPublished, formatComparisons, listUndocumented } from './compare-published.ts';
import { releaseContract } from './release-contract.ts';
import { root } from './run-tool.ts';

const release = {
  fresh: join(root, 'generated'),
  published: join(root, 'spec', 'published'),
  spec: join(root, 'spec'),
};

/** Compares the documents with those in `spec/published/`, and their additions with CHANGES.md; with `--release`, publishes them. */
const main = async (isRelease: boolean): Promise<void> => {
  const today = localDate(new Date().toISOString().slice(0, 10));
  const comparisons = isRelease ? await releaseContract(release, today) : await compareWithPublished(release, today);
  console.log(formatComparisons(comparisons));
  // A release has checked it before it published the change logs.
  const undocumented = isRelease ? [] : listUndocumented(comparisons, release);
  for (const line of undocumented) console.log(line);
  if (isRelease) console.log('spec/published/ holds the documents as they are now');
  if (undocumented.length > 0 || comparisons.some(({ outcome }) => outcome === 'breaking')) process.exitCode = 1;
};

await main(process.argv.includes('--release')).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
