import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LocalDate } from '../domain/time/dates.ts';
import { describeVerdicts, judgeChanges, type Editions, type Verdict } from './change-gate.ts';

/** Beside the two editions, the folder with `<product>/CHANGES.md`: what subscribers are told. */
export type Release = Editions & { readonly spec: string };

const changesOf = (document: string): string => join(document.split('/')[0] ?? '', 'CHANGES.md');

/** Subscribers have been told of an addition when the page of changes says something else than it did at the last release. */
const isUntold = ({ document, hasAdditions }: Verdict, { spec, published }: Release): boolean => {
  const [now, before] = [join(spec, changesOf(document)), join(published, changesOf(document))];
  return hasAdditions && existsSync(before) && readFileSync(now).equals(readFileSync(before));
};

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
};

/**
 * Makes the documents as they are now the published ones, with the page of changes of each product. All or nothing: throws, naming
 * each change that breaks subscribers, and each document with additions of which `CHANGES.md` does not speak yet.
 */
export const releaseContract = async (release: Release, today: LocalDate): Promise<readonly Verdict[]> => {
  const verdicts = await judgeChanges(release, today);
  const breaking = verdicts.filter(({ outcome }) => outcome === 'breaking');
  if (breaking.length > 0)
    throw new Error(
      `these documents break what was published; make a new version of them:\n${describeVerdicts(breaking)}`,
    );
  const untold = verdicts.filter((verdict) => isUntold(verdict, release)).map(({ document }) => document);
  if (untold.length > 0)
    throw new Error(`say in spec/<product>/CHANGES.md what was added to these documents: ${untold.join(', ')}`);
  for (const { document, outcome } of verdicts) {
    if (outcome === 'removed') continue;
    copy(join(release.fresh, document), join(release.published, document));
    copy(join(release.spec, changesOf(document)), join(release.published, changesOf(document)));
  }
  return verdicts;
};
