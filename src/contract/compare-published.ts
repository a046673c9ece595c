import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDate, type LocalDate } from '../domain/time/dates.ts';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { findBreakingChanges, findChangesOfRemoved, type BreakingChange } from './breaking-changes.ts';
import { diffDocuments } from './diff-documents.ts';

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
  /** Whether it has additions, which CHANGES.md must describe. */
  readonly hasAdditions: boolean;
};

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

const compareDocument = async (
  document: string,
  { fresh, published }: EditionFolders,
  today: LocalDate,
): Promise<DocumentComparison> => {
  const [now, before] = [join(fresh, document), join(published, document)];
  const comparison = { document, breaking: [], hasAdditions: false };
  if (!existsSync(before)) return { ...comparison, outcome: 'not yet published', hasAdditions: true };
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
  const hasAdditions = changes.some(({ impact }) => impact !== 'patch');
  return { document, outcome: breaking.length > 0 ? 'breaking' : 'changed', breaking, hasAdditions };
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

const toReadablePath = (path: string): string => path.replace('#/', '').replaceAll('~1', '/').replaceAll('~0', '~');

/** Formats one line for each document and one for each of its breaking changes. */
export const formatComparisons = (comparisons: readonly DocumentComparison[]): string =>
  comparisons
    .flatMap(({ document, outcome, breaking }) => [
      `${document}: ${outcome}`,
      ...breaking.map(({ rule, path, message }) => `  ${rule} at ${toReadablePath(path)}: ${message}`),
    ])
    .join('\n');
