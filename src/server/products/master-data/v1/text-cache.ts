import type { LocalDate } from '#domain/time/dates.ts';
import type { SourceId } from '#domain/master-data/data-sources.ts';
import type { Provenance } from '#domain/master-data/master-data-facts.ts';
import { toProvenance } from './to-common.ts';

/** What the text of a record depends on besides the record, compared by identity: the requested day and a zone clock. */
type TextVersion = { readonly day?: LocalDate | undefined; readonly clock?: object | undefined };

/** Returns the JSON text of an entry without its closing brace, so that members can follow. */
type TextCache<Entry> = (entry: Entry, version: TextVersion, build: () => object) => string;

/**
 * Creates a cache of the last text of each record: most requests are about today, and rendering records is nearly all the
 * cost of a page. The texts are garbage-collected with their entries when master data are reloaded.
 */
export const createTextCache = <Entry extends object>(): TextCache<Entry> => {
  const texts = new WeakMap<Entry, TextVersion & { readonly text: string }>();
  return (entry, { day, clock }, build) => {
    const cached = texts.get(entry);
    if (cached && cached.day === day && cached.clock === clock) return cached.text;
    const text = JSON.stringify(build()).slice(0, -1);
    texts.set(entry, { day, clock, text });
    return text;
  };
};

const cachedProvenances = new WeakMap<Provenance, string>();

/**
 * Renders the member `provenance`, `''` unless requested, with further fields and their sources. Records from the same files share one cached
 * text.
 */
export const renderProvenance = (
  provenance: Provenance,
  content: readonly 'Provenance'[] | undefined,
  more: readonly (readonly [field: string, id: SourceId])[] = [],
): string => {
  if (!content?.includes('Provenance')) return '';
  const sources = [...Object.entries(provenance), ...more];
  if (more.length > 0) return `,"provenance":${JSON.stringify(toProvenance(sources))}`;
  const cached = cachedProvenances.get(provenance);
  if (cached !== undefined) return cached;
  const text = `,"provenance":${JSON.stringify(toProvenance(sources))}`;
  cachedProvenances.set(provenance, text);
  return text;
};

/** Renders a page made of the texts of its records. */
export const renderPage = (texts: readonly string[], paging: object): Buffer =>
  Buffer.from(`{"data":[${texts.join(',')}],"paging":${JSON.stringify(paging)}}`);
