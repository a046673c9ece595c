import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  resolveReference,
  isJsonObject,
  toList,
  httpMethods,
  toJsonObject,
  listOperations,
  type JsonObject,
} from '#lib/openapi-document.ts';
import { runTool } from '../contract/run-tool.ts';
import type { VersionSource } from './read-sources.ts';

/** One change between versions; a breaking one requires a change of the client. */
export type VersionChange = { readonly isBreaking: boolean; readonly text: string };

/** The changes of one operation, e.g. `GET /flight-instances`, breaking ones first. */
export type OperationChanges = { readonly operation: string; readonly changes: readonly VersionChange[] };

/**
 * Replaces parameters with references by name: `redocly diff` matches list items by equality, and would otherwise compare a changed
 * parameter with a similar one.
 */
const nameParameters = (document: JsonObject): JsonObject => {
  const named: Record<string, unknown> = {};
  const nameInOperation = (operation: unknown): unknown => {
    if (!isJsonObject(operation) || !Array.isArray(operation['parameters'])) return operation;
    const parameters = toList(operation['parameters']).map((one) => {
      const parameter = toJsonObject(resolveReference(document, one));
      const name = `${String(parameter['in'])}.${String(parameter['name'])}`;
      named[name] = parameter;
      return { $ref: `#/components/parameters/${name}` };
    });
    return { ...operation, parameters };
  };
  const paths = Object.entries(toJsonObject(document['paths'])).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(toJsonObject(item)).map(([name, member]) => [
        name,
        httpMethods.some((method) => method === name) ? nameInOperation(member) : member,
      ]),
    ),
  ]);
  const components = { ...toJsonObject(document['components']), parameters: named };
  return { ...document, paths: Object.fromEntries(paths), components };
};

const decodePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the name of a node below its operation: a parameter, or a property path. `parameters` are names in order. */
const findNodeName = (parts: readonly string[], parameters: readonly string[]): string => {
  if (parts[0] === 'parameters') return parameters[Number(parts[1])] ?? '';
  const names: string[] = [];
  let rest = parts;
  while (rest.length > 0) {
    const [part = '', next = ''] = rest;
    if (part === 'properties') names.push(next);
    rest = rest.slice(part === 'properties' ? 2 : 1);
  }
  return names.join('.');
};

type ReportedChange = {
  readonly path: string;
  readonly typeName: string;
  readonly kind: string;
  readonly impact: string;
  readonly property: string;
  readonly message: string | undefined;
  readonly base: JsonObject;
  readonly revision: JsonObject;
};

const readChange = (value: unknown): ReportedChange => {
  const change = toJsonObject(value);
  const message = toJsonObject(toList(change['verdicts'])[0])['message'];
  return {
    path: String(change['path']),
    typeName: String(change['typeName']),
    kind: String(change['kind']),
    impact: String(change['impact']),
    property: String(change['property']),
    message: typeof message === 'string' ? message : undefined,
    base: toJsonObject(change['base']),
    revision: toJsonObject(change['revision']),
  };
};

const removed = (what: string, name: unknown): VersionChange => ({
  isBreaking: true,
  text: `${what} \`${String(name)}\` was removed.`,
});
const added = (what: string, name: unknown): VersionChange => ({
  isBreaking: false,
  text: `${what} \`${String(name)}\` is new.`,
});

/** Describes a change of the report. The tool guesses renames by similarity; they are described as a removal and an addition. */
const describeChange = (
  { typeName, kind, impact, property, message, base, revision }: ReportedChange,
  name: string,
): readonly VersionChange[] => {
  if (typeName === 'Parameter' && property === 'name')
    return [removed('The query parameter', base['value']), added('The query parameter', revision['value'])];
  if (typeName === 'Parameter' && kind === 'removed')
    return [removed('The query parameter', toJsonObject(base['value'])['name'])];
  if (typeName === 'Parameter' && kind === 'added')
    return [added('The query parameter', toJsonObject(revision['value'])['name'])];
  if (typeName === 'Schema' && property === 'key') {
    const parent = name.split('.').slice(0, -1).join('.');
    const at = (property: unknown): string => (parent === '' ? String(property) : `${parent}.${String(property)}`);
    return [removed('The property', at(base['value'])), added('The property', at(revision['value']))];
  }
  if (typeName === 'Schema' && kind === 'added' && message === undefined) return [added('The property', name)];
  if (typeName === 'Schema' && kind === 'removed') return [removed('The property', name)];
  if (message === undefined) return [];
  const where = name === '' || message.includes(`\`${name}\``) ? '' : ` (in \`${name}\`)`;
  const text = message.replaceAll(/'([^'`]+)'/g, '`$1`').replace(/\.$/, `${where}.`);
  return [{ isBreaking: impact === 'major', text }];
};

const sortBreakingFirst = (changes: readonly VersionChange[]): readonly VersionChange[] => {
  const unique = [...new Map(changes.map((change) => [change.text, change])).values()];
  return unique.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
};

/** Headers of deprecated versions, which are irrelevant for the successor. */
const deprecationHeaders = /\/headers\/(?:Deprecation|Sunset|Link)$/;

/** Returns the parameter names of each operation, e.g. of `GET /flights`. */
const listParameters = (document: JsonObject): ReadonlyMap<string, readonly string[]> =>
  new Map(
    listOperations(document).map(({ method, path, parameters }) => [
      `${method.toUpperCase()} ${path}`,
      parameters.map((one) => String(one['name'])),
    ]),
  );

/** Groups the changes of a report by operation, without those of examples and descriptions. */
const groupByOperation = (report: JsonObject, to: JsonObject): readonly OperationChanges[] => {
  const parameters = listParameters(to);
  const all = toList(report['changes']).map(readChange);
  const guessedRenames = all.filter(({ property, typeName }) => typeName === 'Parameter' && property === 'name');
  const byOperation = new Map<string, VersionChange[]>();
  for (const raw of all) {
    const [, top, path = '', method = '', ...parts] = raw.path.split('/').map(decodePointer);
    // Differences below a guessed rename compare unrelated parameters.
    const isBelowGuess = guessedRenames.some((one) => one !== raw && raw.path.startsWith(`${one.path}/`));
    if (top !== 'paths' || isBelowGuess || raw.impact === 'patch' || raw.typeName.startsWith('Example')) continue;
    if (deprecationHeaders.test(raw.path)) continue;
    const isPath = raw.typeName === 'PathItem';
    const operation = `${isPath ? '' : `${method.toUpperCase()} `}${path}`;
    const descriptions = isPath
      ? [{ isBreaking: raw.kind === 'removed', text: `This path is ${raw.kind === 'removed' ? 'gone' : 'new'}.` }]
      : describeChange(raw, findNodeName(parts, parameters.get(operation) ?? []));
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), ...descriptions]);
  }
  return [...byOperation]
    .map(([operation, changes]) => ({ operation, changes: sortBreakingFirst(changes) }))
    .filter(({ changes }) => changes.length > 0);
};

/** Compares the documents of a version and its successor. */
export const compareVersions = async (from: VersionSource, to: VersionSource): Promise<readonly OperationChanges[]> => {
  const work = await mkdtemp(join(tmpdir(), 'portal-'));
  try {
    const apis: Record<string, { readonly root: string }> = {};
    for (const [name, { document }] of Object.entries({ from, to })) {
      apis[name] = { root: join(work, `${name}.json`) };
      await writeFile(join(work, `${name}.json`), JSON.stringify(nameParameters(document)));
    }
    const config = join(work, 'redocly.yaml');
    await writeFile(config, JSON.stringify({ telemetry: 'off', apis, extends: ['diff-recommended'] }));
    const args = ['diff', 'from', 'to', '--config', config, '--format', 'json', '--fail-on', 'none'];
    const { code, stdout, output } = await runTool('redocly', args);
    if (code !== 0) throw new Error(output);
    const report: unknown = JSON.parse(stdout);
    return groupByOperation(toJsonObject(report), to.document);
  } finally {
    await rm(work, { recursive: true });
  }
};
