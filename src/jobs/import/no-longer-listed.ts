import { FeedError } from '../../feeds/feed-error.ts';
import type { LoadReport } from '../../feeds/load-report.ts';

/** Records of one kind: those that the main list of the last load had, and those that it has now, by their ids. */
export type Listing = {
  readonly kind: string;
  readonly before: readonly number[];
  readonly now: ReadonlySet<number | undefined>;
};

/** A list loses some records a month. One that loses more than a twentieth has been cut off more likely than not. */
const MOST_GONE_SHARE = 0.05;
/** So few may go from a small store without a word. */
const MOST_GONE = 20;

/**
 * Reports how many records the main lists have no longer. Throws FeedError when these are more than 5 % of a kind, and more
 * than 20, unless it is said to be meant: a file that was cut off is a table like any other.
 */
export const reportNoLongerListed = (
  listings: readonly Listing[],
  { report, isMeant }: { readonly report: LoadReport; readonly isMeant: boolean },
): void => {
  for (const { kind, before, now } of listings) {
    const gone = before.filter((id) => !now.has(id)).length;
    if (gone === 0) continue;
    if (!isMeant && gone > MOST_GONE && gone > before.length * MOST_GONE_SHARE) {
      const message = `${gone} of ${before.length} ${kind} would be listed no longer, which is more than 5 %: is a file cut off? With --force it is loaded all the same`;
      throw new FeedError(message, { value: String(gone), reason: 'too-many-gone' });
    }
    const message = `So many of ${before.length} ${kind} are in the main list no longer. They stay, and answer where nobody else has their code.`;
    report.entries.push({ severity: 'notice', field: kind, value: String(gone), reason: 'no-longer-listed', message });
  }
};
