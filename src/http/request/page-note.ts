import type { PageShows } from '../../domain/events/page-changes.ts';
import type { TaggedWhole } from '../response/conditional.ts';

/** What is noted of an answer while it is made, so that it can be kept and given again. */
export type PageNote = {
  /** What it shows. The handler tells; an answer of which it does not is not kept. */
  shows: PageShows | undefined;
  /** Its bytes and headers, before they are packed, with its entity tag. */
  whole: TaggedWhole | undefined;
};
