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
} from '../lib/openapi-document.ts';
import { runTool } from '../contract/run-tool.ts';
import type { VersionSource } from './sources.ts';

/** One change as a caller meets it. A breaking one needs a change of the caller's. */
export type Change = { readonly isBreaking: boolean; readonly text: string };

/** The changes of one operation, e.g. `GET /flight-instances`, those that break first. */
export type OperationChanges = { readonly operation: string; readonly changes: readonly Change[] };

/**
 * A document in which every parameter is referred to by its name: the comparison takes list members for the same only when they are
 * equal, and would otherwise compare a parameter with another that looks like it.
 */
const withNamedParameters = (document: JsonObject): JsonObject => {
  const named: Record<string, unknown> = {};
  const hoisted = (operation: unknown): unknown => {
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
        httpMethods.some((method) => method === name) ? hoisted(member) : member,
      ]),
    ),
  ]);
  const components = { ...toJsonObject(document['components']), parameters: named };
  return { ...document, paths: Object.fromEntries(paths), components };
};

const decoded = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The parts of a place, below its operation, that people know it by. `parameters` are those of the operation, by name and in order. */
const placeOf = (parts: readonly string[], parameters: readonly string[]): string => {
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

type Raw = {
  readonly path: string;
  readonly typeName: string;
  readonly kind: string;
  readonly impact: string;
  readonly property: string;
  readonly message: string | undefined;
  readonly base: JsonObject;
  readonly revision: JsonObject;
};

const rawOf = (value: unknown): Raw => {
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

const removed = (what: string, name: unknown): Change => ({
  isBreaking: true,
  text: `${what} \`${String(name)}\` was removed.`,
});
const added = (what: string, name: unknown): Change => ({
  isBreaking: false,
  text: `${what} \`${String(name)}\` is new.`,
});

/** What a change of the report says. That something was renamed is its guess, by likeness: it is told as what is gone and what is new. */
const tell = ({ typeName, kind, impact, property, message, base, revision }: Raw, place: string): readonly Change[] => {
  if (typeName === 'Parameter' && property === 'name')
    return [removed('The query parameter', base['value']), added('The query parameter', revision['value'])];
  if (typeName === 'Parameter' && kind === 'removed')
    return [removed('The query parameter', toJsonObject(base['value'])['name'])];
  if (typeName === 'Parameter' && kind === 'added')
    return [added('The query parameter', toJsonObject(revision['value'])['name'])];
  if (typeName === 'Schema' && property === 'key') {
    const parent = place.split('.').slice(0, -1).join('.');
    const at = (name: unknown): string => (parent === '' ? String(name) : `${parent}.${String(name)}`);
    return [removed('The property', at(base['value'])), added('The property', at(revision['value']))];
  }
  if (typeName === 'Schema' && kind === 'added' && message === undefined) return [added('The property', place)];
  if (typeName === 'Schema' && kind === 'removed') return [removed('The property', place)];
  if (message === undefined) return [];
  const where = place === '' || message.includes(`\`${place}\``) ? '' : ` (in \`${place}\`)`;
  const text = message.replaceAll(/'([^'`]+)'/g, '`$1`').replace(/\.$/, `${where}.`);
  return [{ isBreaking: impact === 'major', text }];
};

const byBreaking = (changes: readonly Change[]): readonly Change[] => {
  const once = [...new Map(changes.map((change) => [change.text, change])).values()];
  return once.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
};

/** They come with the deprecation of a version and say nothing of its successor. */
const endingHeaders = /\/headers\/(?:Deprecation|Sunset|Link)$/;

/** The names of the parameters of each operation of a document, e.g. of `GET /flights`. */
const parametersIn = (document: JsonObject): ReadonlyMap<string, readonly string[]> =>
  new Map(
    listOperations(document).map(({ method, path, parameters }) => [
      `${method.toUpperCase()} ${path}`,
      parameters.map((one) => String(one['name'])),
    ]),
  );

/** The changes of a report, by operation. What an example or a description says otherwise is not among them. */
const changesIn = (report: JsonObject, to: JsonObject): readonly OperationChanges[] => {
  const parameters = parametersIn(to);
  const all = toList(report['changes']).map(rawOf);
  const guessed = all.filter(({ property, typeName }) => typeName === 'Parameter' && property === 'name');
  const found = new Map<string, Change[]>();
  for (const raw of all) {
    const [, top, path = '', method = '', ...parts] = raw.path.split('/').map(decoded);
    // What differs below a guess differs from something else.
    const isBelowGuess = guessed.some((one) => one !== raw && raw.path.startsWith(`${one.path}/`));
    if (top !== 'paths' || isBelowGuess || raw.impact === 'patch' || raw.typeName.startsWith('Example')) continue;
    if (endingHeaders.test(raw.path)) continue;
    const isPath = raw.typeName === 'PathItem';
    const operation = `${isPath ? '' : `${method.toUpperCase()} `}${path}`;
    const told = isPath
      ? [{ isBreaking: raw.kind === 'removed', text: `This path is ${raw.kind === 'removed' ? 'gone' : 'new'}.` }]
      : tell(raw, placeOf(parts, parameters.get(operation) ?? []));
    found.set(operation, [...(found.get(operation) ?? []), ...told]);
  }
  return [...found]
    .map(([operation, changes]) => ({ operation, changes: byBreaking(changes) }))
    .filter(({ changes }) => changes.length > 0);
};

/** What changes from one version to its successor, found by comparing their documents. */
export const compareVersions = async (from: VersionSource, to: VersionSource): Promise<readonly OperationChanges[]> => {
  const work = await mkdtemp(join(tmpdir(), 'portal-'));
  try {
    const apis: Record<string, { readonly root: string }> = {};
    for (const [name, { document }] of Object.entries({ from, to })) {
      apis[name] = { root: join(work, `${name}.json`) };
      await writeFile(join(work, `${name}.json`), JSON.stringify(withNamedParameters(document)));
    }
    const config = join(work, 'redocly.yaml');
    await writeFile(config, JSON.stringify({ telemetry: 'off', apis, extends: ['diff-recommended'] }));
    const args = ['diff', 'from', 'to', '--config', config, '--format', 'json', '--fail-on', 'none'];
    const { code, stdout, output } = await runTool('redocly', args);
    if (code !== 0) throw new Error(output);
    const report: unknown = JSON.parse(stdout);
    return changesIn(toJsonObject(report), to.document);
  } finally {
    await rm(work, { recursive: true });
  }
};
