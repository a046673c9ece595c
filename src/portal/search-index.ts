import MiniSearch from 'minisearch';
import { toJsonObject, listOperations } from '../lib/openapi-document.ts';
import { textOf } from './html.ts';
import type { Section } from './markdown.ts';
import type { PortalPage } from './page.ts';
import { operationAnchor } from './reference-anchors.ts';
import type { PortalSources, VersionSource } from './sources.ts';

/** Something to be found: `where` says what page it is on, `path` leads there from the portal's root. */
type Entry = {
  readonly id: number;
  readonly title: string;
  readonly where: string;
  readonly path: string;
  readonly text: string;
};

type Found = Omit<Entry, 'id'>;

/** A page with sections, whatever else it is. */
type Searched = { readonly page: PortalPage; readonly title?: string; readonly sections: readonly Section[] };

/** Longer texts make the index large and find little more. */
const MOST_TEXT = 600;

const ofPage = ({ page, title, sections }: Searched): readonly Found[] =>
  sections.map((section) => ({
    title: section.title,
    where: title ?? 'Events',
    path: section.id === '' ? page.path : `${page.path}#${section.id}`,
    text: section.text.slice(0, MOST_TEXT),
  }));

const ofVersion = ({ product, version, document }: VersionSource): readonly Found[] => {
  const where = `${product.title} ${version.version}`;
  const page = `${product.product}/${version.version}`;
  const operations = listOperations(document).map((one) => {
    const { method, path, operation, parameters } = one;
    const names = parameters.map(({ name }) => String(name)).join(' ');
    return {
      title: `${method.toUpperCase()} ${path}`,
      where: `${where} · ${String(operation['summary'])}`,
      path: `${page}${operationAnchor(one)}`,
      text: `${String(operation['operationId'])} ${names} ${String(operation['description'])}`.slice(0, MOST_TEXT),
    };
  });
  const schemas = Object.entries(toJsonObject(toJsonObject(document['components'])['schemas'])).map(
    ([name, schema]) => ({
      title: name,
      where: `${where} · schema`,
      path: page,
      text: `${Object.keys(toJsonObject(toJsonObject(schema)['properties'])).join(' ')} ${textOf(toJsonObject(schema)['description'])}`.slice(
        0,
        MOST_TEXT,
      ),
    }),
  );
  return [...operations, ...schemas];
};

/** The search's index as JSON; the script of the pages reads it with the same options. */
export const searchIndexOf = ({ versions }: PortalSources, pages: readonly Searched[]): string => {
  const index = new MiniSearch<Entry>({ fields: ['title', 'where', 'text'], storeFields: ['title', 'where', 'path'] });
  index.addAll([...pages.flatMap(ofPage), ...versions.flatMap(ofVersion)].map((found, id) => ({ ...found, id })));
  return JSON.stringify(index);
};
