import type { LocalDate } from '../../../domain/time/dates.ts';
import type { Provenance } from '../../../domain/master-data/master-data-facts.ts';
import { rendered, type Rendered } from '../../../http/response/rendered.ts';
import { toProvenance } from './to-common.ts';

/** What the text of a record depends on besides the record, compared by identity: the day it is shown on, and a clock. */
type TextVersion = { readonly day?: LocalDate | undefined; readonly clock?: object | undefined };

/** Answers the JSON text of an entry without its closing brace, so that members can follow. */
type TextCache<Entry> = (entry: Entry, moment: TextVersion, write: () => object) => string;

/**
 * Keeps the texts of records as they were last written: most answers are about today, and nearly all a page costs is the
 * writing of its records. Texts go with their entries when master data are read again.
 */
export const createTextCache = <Entry extends object>(): TextCache<Entry> => {
  const texts = new WeakMap<Entry, TextVersion & { readonly text: string }>();
  return (entry, { day, clock }, write) => {
    const known = texts.get(entry);
    if (known && known.day === day && known.clock === clock) return known.text;
    const text = JSON.stringify(write()).slice(0, -1);
    texts.set(entry, { day, clock, text });
    return text;
  };
};

const provenances = new WeakMap<Provenance, string>();

/** The member of an open text that tells the sources of its facts, `''` unless they are asked for. Records from the same files share theirs. */
export const renderProvenance = (provenance: Provenance, content: readonly 'Provenance'[] | undefined): string => {
  if (!content?.includes('Provenance')) return '';
  const known = provenances.get(provenance);
  if (known !== undefined) return known;
  const text = `,"provenance":${JSON.stringify(toProvenance(provenance))}`;
  provenances.set(provenance, text);
  return text;
};

/** A page made of the texts of its records. */
export const renderPage = <Page extends { readonly data: readonly unknown[]; readonly paging: object }>(
  texts: readonly string[],
  paging: Page['paging'],
): Rendered<Page> => rendered(Buffer.from(`{"data":[${texts.join(',')}],"paging":${JSON.stringify(paging)}}`));

/** A record made of its text. */
export const renderRecord = <Shown extends object>(text: string): Rendered<Shown> => rendered(Buffer.from(text));
