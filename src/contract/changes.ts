import { join } from 'node:path';
import { localDate } from '../domain/time/dates.ts';
import { describeVerdicts, judgeChanges } from './change-gate.ts';
import { releaseContract } from './release-contract.ts';
import { root } from './run-tool.ts';

const release = {
  fresh: join(root, 'generated'),
  published: join(root, 'spec', 'published'),
  spec: join(root, 'spec'),
};

/** Holds the documents against those in `spec/published/`; with `--release`, puts them in their place. */
const main = async (isRelease: boolean): Promise<void> => {
  const today = localDate(new Date().toISOString().slice(0, 10));
  const verdicts = isRelease ? await releaseContract(release, today) : await judgeChanges(release, today);
  console.log(describeVerdicts(verdicts));
  if (isRelease) console.log('spec/published/ holds the documents as they are now');
  if (verdicts.some(({ outcome }) => outcome === 'breaking')) process.exitCode = 1;
};

await main(process.argv.includes('--release')).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
