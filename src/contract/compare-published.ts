import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDate, type LocalDate } from '#domain/time/dates.ts';
import { toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { findBreakingChanges, findChangesOfRemoved, type BreakingChange } from './breaking-changes.ts';
import { diffDocuments, type DocumentChange } from './diff-documents.ts';

/**
 * Two folders of documents by `<product>/<version>/`: those generated from spec/, and those last published. Both are JSON without whitespace.
 */
export type EditionFolders = { readonly fresh: string; readonly published: string };

/** How one document differs from its published edition. */
export type DocumentComparison = {
  /** `<product>/<version>/openapi.json` or `asyncapi.json`. */
  readonly document: string;
  readonly outcome: 'same' | 'changed' | 'breaking' | 'not yet published' | 'removed';
  readonly breaking: readonly BreakingChange[];
  /** What it has in addition, by the names that CHANGES.md must contain. */
  readonly additions: readonly Addition[];
};

/** Something that clients can use or receive since the published edition. */
export type Addition = { readonly name: string; readonly path: string };

const listDocuments = (folder: string): readonly string[] => globSync('*/*/{openapi,asyncapi}.json', { cwd: folder });

/** Reads the `x-lifecycle` of a version from its OpenAPI document. */
const readLifecycle = (file: string): JsonObject =>
  existsSync(file) ? toJsonObject(toJsonObject(JSON.parse(readFileSync(file, 'utf8')))['x-lifecycle']) : {};

const findDate = (lifecycle: JsonObject, name: string): LocalDate | undefined => {
  const date = lifecycle[name];
  return typeof date === 'string' ? localDate(date) : undefined;
};

/** Returns whether the published sunset date of a version is past. */
const isRemoved = (lifecycle: JsonObject, today: LocalDate): boolean =>
  today >= (findDate(lifecycle, 'sunsetOn') ?? Infinity);

/** The notice period: a year and a day. */
const NOTICE_DAYS = 366;

/** Checks the notice period of dates that are not yet published. A new deprecation starts today at the earliest. */
const checkNotice = (now: JsonObject, before: JsonObject, today: LocalDate): readonly BreakingChange[] => {
  const [deprecated, sunset] = [findDate(now, 'deprecatedOn'), findDate(now, 'sunsetOn')];
  if (sunset === undefined || deprecated === undefined) return [];
  const isPublished = sunset === findDate(before, 'sunsetOn') && deprecated === findDate(before, 'deprecatedOn');
  if (isPublished) return [];
  const noticeStart = findDate(before, 'deprecatedOn') === undefined ? Math.max(deprecated, today) : deprecated;
  if (sunset - noticeStart >= NOTICE_DAYS) return [];
  const message = `A version goes on for ${NOTICE_DAYS} days after it has been deprecated.`;
  return [{ rule: 'sunset-too-soon', path: '#/x-lifecycle', message }];
};

const isSame = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other));

const documentRemoved: BreakingChange = {
  rule: 'document-removed',
  path: '#/',
  message: 'A version is there until the day on which it was announced to end.',
};

const toReadablePath = (path: string): string => path.replace('#/', '').replaceAll('~1', '/').replaceAll('~0', '~');

const lastKey = (path: string): string => toReadablePath(path.slice(path.lastIndexOf('/') + 1));

/** The name of what was added: of an operation its path, of a parameter and the others their own. */
const nameAddition = ({ path, typeName, revision }: DocumentChange): string => {
  if (typeName === 'Operation') return lastKey(path.slice(0, path.lastIndexOf('/')));
  const { name } = toJsonObject(revision?.value);
  return typeName === 'Parameter' ? String(name) : lastKey(path);
};

/** Components are listed where they are used; examples and extensions change nothing. */
const addedTypes = new Set([
  'PathItem',
  'Operation',
  'Parameter',
  'Header',
  'Response',
  'Schema',
  'Message',
  'Channel',
]);

const listAdditions = (changes: readonly DocumentChange[]): readonly Addition[] =>
  changes.flatMap((change) => {
    const { kind, typeName, path, impact, property, base, revision } = change;
    if (impact === 'patch') return [];
    if (kind === 'added' && addedTypes.has(typeName)) return [{ name: nameAddition(change), path }];
    if (property !== 'enum') return [];
    const before = new Set(toList(base?.value));
    return toList(revision?.value).flatMap((value) => (before.has(value) ? [] : [{ name: String(value), path }]));
  });

const compareDocument = async (
  document: string,
  { fresh, published }: EditionFolders,
  today: LocalDate,
): Promise<DocumentComparison> => {
  const [now, before] = [join(fresh, document), join(published, document)];
  const comparison = { document, breaking: [], additions: [] };
  if (!existsSync(before)) {
    const additions = [{ name: `## ${document.split('/')[1] ?? ''}`, path: '#/' }];
    return { ...comparison, outcome: 'not yet published', additions };
  }
  if (existsSync(now) && isSame(now, before)) return { ...comparison, outcome: 'same' };
  const announced = readLifecycle(join(before, '../openapi.json'));
  const isFrozen = isRemoved(announced, today);
  if (!existsSync(now))
    return isFrozen
      ? { ...comparison, outcome: 'removed' }
      : { ...comparison, outcome: 'breaking', breaking: [documentRemoved] };
  const changes = await diffDocuments(before, now);
  const lifecycle = readLifecycle(join(now, '../openapi.json'));
  const breaking = isFrozen
    ? findChangesOfRemoved(changes)
    : [...findBreakingChanges(changes), ...checkNotice(lifecycle, announced, today)];
  return {
    document,
    outcome: breaking.length > 0 ? 'breaking' : 'changed',
    breaking,
    additions: listAdditions(changes),
  };
};

/** Compares every document with its published edition as of a date (UTC). Documents that are equal byte for byte are not parsed. */
export const compareWithPublished = async (
  editions: EditionFolders,
  today: LocalDate,
): Promise<readonly DocumentComparison[]> => {
  const documents = new Set([...listDocuments(editions.fresh), ...listDocuments(editions.published)]);
  const comparisons: DocumentComparison[] = [];
  for (const document of [...documents].toSorted()) comparisons.push(await compareDocument(document, editions, today));
  return comparisons;
};

/** The change log of the product of a document, below the folder of the documents. */
export const toChangeLog = (document: string): string => join(document.split('/')[0] ?? '', 'CHANGES.md');

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const readLines = (path: string): readonly string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);

/**
 * Returns what the new lines of `spec/<product>/CHANGES.md` do not name: a line for each addition, once for each document. An older line can
 * contain the name of another thing.
 */
export const listUndocumented = (
  comparisons: readonly DocumentComparison[],
  { spec, published }: { readonly spec: string; readonly published: string },
): readonly string[] =>
  comparisons.flatMap(({ document, additions }) => {
    const file = toChangeLog(document);
    const before = new Set(readLines(join(published, file)));
    const log = readLines(join(spec, file))
      .filter((line) => !before.has(line))
      .join('\n');
    const missing = new Map(
      additions
        .filter(({ name }) => !new RegExp(`(?<![\\w-])${escapePattern(name)}(?![\\w-])`).test(log))
        .map(({ name, path }) => [name, path]),
    );
    return [...missing].map(
      ([name, path]) => `spec/${file} does not name '${name}', which ${document} has at ${toReadablePath(path)}`,
    );
  });

/** Formats one line for each document and one for each of its breaking changes. */
export const formatComparisons = (comparisons: readonly DocumentComparison[]): string =>
  comparisons
    .flatMap(({ document, outcome, breaking }) => [
      `${document}: ${outcome}`,
      ...breaking.map(({ rule, path, message }) => `  ${rule} at ${toReadablePath(path)}: ${message}`),
    ])
    .join('\n');
