import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LocalDate } from '#domain/time/dates.ts';
import {
  compareWithPublished,
  formatComparisons,
  listUndocumented,
  toChangeLog,
  type DocumentComparison,
  type EditionFolders,
} from './compare-published.ts';

/** The two editions, and the folder with `<product>/CHANGES.md`. */
export type ReleaseFolders = EditionFolders & { readonly spec: string };

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
};

/**
 * Copies the documents and change logs to the published edition, all or nothing. Throws when a change breaks subscribers, and when
 * CHANGES.md does not name an addition.
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
  const undocumented = listUndocumented(comparisons, release);
  if (undocumented.length > 0) throw new Error(undocumented.join('\n'));
  for (const { document, outcome } of comparisons) {
    if (outcome === 'removed') continue;
    copy(join(release.fresh, document), join(release.published, document));
    copy(join(release.spec, toChangeLog(document)), join(release.published, toChangeLog(document)));
  }
  return comparisons;
};
