import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { localDate, type LocalDate } from '../domain/time/dates.ts';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { breakingChanges, type BreakingChange } from './breaking-changes.ts';
import { diffDocuments } from './diff-documents.ts';

/** Two folders of documents by `<product>/<version>/<file>`: those that follow from the sources, and those last published. */
export type Editions = { readonly fresh: string; readonly published: string };

/** What has become of one document since it was published. */
export type Verdict = {
  /** `<product>/<version>/openapi.yaml` or `asyncapi.yaml`. */
  readonly document: string;
  readonly outcome: 'same' | 'changed' | 'breaking' | 'not yet published' | 'removed';
  readonly breaking: readonly BreakingChange[];
  /** Whether something was added that subscribers can use, and have to be told of. */
  readonly hasAdditions: boolean;
};

const documentsOf = (folder: string): readonly string[] =>
  globSync('*/*/{openapi,asyncapi}.yaml', { cwd: folder }).toSorted();

/** The lifecycle of the version that a document belongs to; it is in the OpenAPI document of the version. */
const lifecycleOf = (folder: string, document: string): JsonObject => {
  const file = join(folder, document, '../openapi.yaml');
  return existsSync(file) ? toJsonObject(toJsonObject(parse(readFileSync(file, 'utf8')))['x-lifecycle']) : {};
};

const dateIn = (lifecycle: JsonObject, name: string): LocalDate | undefined => {
  const date = lifecycle[name];
  return typeof date === 'string' ? localDate(date) : undefined;
};

/** A version whose last day, as it was published, is past is kept for nobody. */
const isRemoved = (folder: string, document: string, today: LocalDate): boolean =>
  today >= (dateIn(lifecycleOf(folder, document), 'sunsetOn') ?? Infinity);

/** A year less one day is what Flight Info v1 had. */
const NOTICE_DAYS = 364;

/** A deprecation that is not published yet begins today at the earliest: nobody has heard of it before. */
const sunsetTooSoon = (now: JsonObject, before: JsonObject, today: LocalDate): readonly BreakingChange[] => {
  const [deprecated, sunset] = [dateIn(now, 'deprecatedOn'), dateIn(now, 'sunsetOn')];
  if (sunset === undefined || deprecated === undefined) return [];
  const heardOn = dateIn(before, 'deprecatedOn') === undefined ? Math.max(deprecated, today) : deprecated;
  if (sunset - heardOn >= NOTICE_DAYS) return [];
  const message = `A version goes on for ${NOTICE_DAYS} days after it has been deprecated.`;
  return [{ rule: 'sunset-too-soon', path: '#/x-lifecycle', message }];
};

const isSame = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other));

const gone: BreakingChange = {
  rule: 'document-removed',
  path: '#/',
  message: 'A version is there until the day on which it was announced to end.',
};

const judge = async (document: string, { fresh, published }: Editions, today: LocalDate): Promise<Verdict> => {
  const [now, before] = [join(fresh, document), join(published, document)];
  const verdict = { document, breaking: [], hasAdditions: false };
  if (!existsSync(before)) return { ...verdict, outcome: 'not yet published', hasAdditions: true };
  if (existsSync(now) && isSame(now, before)) return { ...verdict, outcome: 'same' };
  if (isRemoved(published, document, today)) return { ...verdict, outcome: 'removed' };
  if (!existsSync(now)) return { ...verdict, outcome: 'breaking', breaking: [gone] };
  const changes = await diffDocuments(before, now);
  const lifecycles = [lifecycleOf(fresh, document), lifecycleOf(published, document)] as const;
  const breaking = [...breakingChanges(changes), ...sunsetTooSoon(...lifecycles, today)];
  const hasAdditions = changes.some(({ impact }) => impact !== 'patch');
  return { document, outcome: breaking.length > 0 ? 'breaking' : 'changed', breaking, hasAdditions };
};

/** Compares every document with its published edition as of a date (UTC). Documents that are the same byte for byte cost nothing. */
export const judgeChanges = async (editions: Editions, today: LocalDate): Promise<readonly Verdict[]> => {
  const documents = new Set([...documentsOf(editions.fresh), ...documentsOf(editions.published)]);
  const verdicts: Verdict[] = [];
  for (const document of [...documents].toSorted()) verdicts.push(await judge(document, editions, today));
  return verdicts;
};

const readable = (path: string): string => path.replace('#/', '').replaceAll('~1', '/').replaceAll('~0', '~');

/** One line for each document, and one for each change of it that breaks subscribers. */
export const describeVerdicts = (verdicts: readonly Verdict[]): string =>
  verdicts
    .flatMap(({ document, outcome, breaking }) => [
      `${document}: ${outcome}`,
      ...breaking.map(({ rule, path, message }) => `  ${rule} at ${readable(path)}: ${message}`),
    ])
    .join('\n');
