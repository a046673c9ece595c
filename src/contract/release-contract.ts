import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LocalDate } from '../domain/time/dates.ts';
import {
  formatComparisons,
  compareWithPublished,
  type EditionFolders,
  type DocumentComparison,
} from './compare-published.ts';

/** The two editions, and the folder with `<product>/CHANGES.md`. */
export type ReleaseFolders = EditionFolders & { readonly spec: string };

const toChangeLog = (document: string): string => join(document.split('/')[0] ?? '', 'CHANGES.md');

/** Returns whether a document has additions while CHANGES.md is the same as at the last release. */
const isUndocumented = (
  { document, hasAdditions }: DocumentComparison,
  { spec, published }: ReleaseFolders,
): boolean => {
  const [now, before] = [join(spec, toChangeLog(document)), join(published, toChangeLog(document))];
  return hasAdditions && existsSync(before) && readFileSync(now).equals(readFileSync(before));
};

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
};

/**
 * Copies the documents and change logs to the published edition, all or nothing. Throws when a change breaks subscribers, and when
 * CHANGES.md does not mention additions.
 */
export const releaseContract = async (
  release: ReleaseFolders,
  today: LocalDate,
): Promise<readonly DocumentComparison[]> => {
  const comparisons = await compareWithPublished(release, today);
  const breaking = comparisons.filter(({ outcome }) => outcome === 'breaking');
  if (breaking.length > 0)
    throw new Error(
      `these documents break what was published; make a new version of them:\n${formatComparisons(breaking)}`,
    );
  const undocumented = comparisons
    .filter((comparison) => isUndocumented(comparison, release))
    .map(({ document }) => document);
  if (undocumented.length > 0)
    throw new Error(`say in spec/<product>/CHANGES.md what was added to these documents: ${undocumented.join(', ')}`);
  for (const { document, outcome } of comparisons) {
    if (outcome === 'removed') continue;
    copy(join(release.fresh, document), join(release.published, document));
    copy(join(release.spec, toChangeLog(document)), join(release.published, toChangeLog(document)));
  }
  return comparisons;
};
