import MiniSearch from 'minisearch';
import { toJsonObject, listOperations } from '#lib/openapi-document.ts';
import { toOperationAnchor, toText } from './html.ts';
import type { PageSection } from './markdown.ts';
import type { PortalPage } from './page.ts';
import type { PortalSources, VersionSource } from './read-sources.ts';
import { searchTerms } from './search-terms.ts';

/** A search result: `terms` are synonyms, `where` names its page, `path` is relative to the root of the portal. */
type Entry = {
  readonly id: number;
  readonly title: string;
  readonly where: string;
  readonly path: string;
  readonly text: string;
  readonly terms: string;
};

type EntryContent = Omit<Entry, 'id' | 'terms'>;

/** A page with sections. */
type SearchablePage = { readonly page: PortalPage; readonly title?: string; readonly sections: readonly PageSection[] };

/** Characters of a text in the index: more enlarge it and improve results little. */
const MAX_TEXT = 2000;

const listPageEntries = ({ page, title, sections }: SearchablePage): readonly EntryContent[] =>
  sections.map((section) => ({
    title: section.title,
    where: title ?? 'Events',
    path: section.id === '' ? page.path : `${page.path}#${section.id}`,
    text: section.text.slice(0, MAX_TEXT),
  }));

const listVersionEntries = ({ product, version, document }: VersionSource): readonly EntryContent[] => {
  const where = `${product.title} ${version.version}`;
  const page = `${product.product}/${version.version}`;
  const operations = listOperations(document).map((one) => {
    const { method, path, operation, parameters } = one;
    const names = parameters.map(({ name }) => String(name)).join(' ');
    return {
      title: `${method.toUpperCase()} ${path}`,
      where: `${where} · ${String(operation['summary'])}`,
      path: `${page}${toOperationAnchor(one)}`,
      text: `${String(operation['operationId'])} ${names} ${String(operation['description'])}`.slice(0, MAX_TEXT),
    };
  });
  const schemas = Object.entries(toJsonObject(toJsonObject(document['components'])['schemas'])).map(
    ([name, schema]) => ({
      title: name,
      where: `${where} · schema`,
      path: page,
      text: `${Object.keys(toJsonObject(toJsonObject(schema)['properties'])).join(' ')} ${toText(toJsonObject(schema)['description'])}`.slice(
        0,
        MAX_TEXT,
      ),
    }),
  );
  return [...operations, ...schemas];
};

/** Builds the search index as JSON; assets/search.js loads it with the same options. */
export const buildSearchIndex = ({ versions }: PortalSources, pages: readonly SearchablePage[]): string => {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'where', 'terms', 'text'],
    storeFields: ['title', 'where', 'path'],
  });
  const entries = [...pages.flatMap(listPageEntries), ...versions.flatMap(listVersionEntries)];
  const paths = new Set(entries.map(({ path }) => path));
  const unknown = Object.keys(searchTerms).filter((path) => !paths.has(path));
  if (unknown.length > 0) throw new Error(`search-terms.ts names sections that do not exist: ${unknown.join(', ')}`);
  index.addAll(entries.map((entry, id) => ({ ...entry, id, terms: searchTerms[entry.path] ?? '' })));
  return JSON.stringify(index);
};
