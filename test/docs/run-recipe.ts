/** Runs recipes with `redocly respect`, and compares their responses with the recorded ones that the portal shows. */
import { spawn } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { root } from '#contract/run-tool.ts';
import { toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { getRecordedFile } from '#portal/recipes.ts';
import { createEnvironment } from '../cli/run-command.ts';

/** A recipe: the names of its document, and of its sources, whose servers a run replaces. */
export type RecipeFile = { readonly name: string; readonly file: string; readonly sources: readonly string[] };

/** The recipes of the project, by name. */
export const recipeFiles: readonly RecipeFile[] = globSync('spec/recipes/*.yaml', { cwd: root })
  .toSorted()
  .map((file) => {
    const { sourceDescriptions } = toJsonObject(parse(readFileSync(join(root, file), 'utf8')));
    const sources = toList(sourceDescriptions).map((source) => String(toJsonObject(source)['name']));
    return { name: basename(file, '.yaml'), file, sources };
  });

export type RecipeRun = {
  readonly base: string;
  /** Values by name. They include the key, which `respect` receives in its environment, and never in its arguments. */
  readonly inputs: Readonly<Record<string, string | number>>;
  /** Where the log of the run is written. */
  readonly folder: string;
};

/** A step with its request and response; the base URL is that of the documents, and lists are shortened. */
export type RecordedStep = {
  readonly stepId: string;
  readonly request: { readonly method: string; readonly url: string; readonly body?: unknown };
  readonly response: { readonly status: number; readonly body?: unknown };
};

const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return (items.every((item) => typeof item === 'object') ? items.slice(0, 1) : items).map(shorten);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
};

const toRecordedStep = (step: JsonObject, base: string): RecordedStep => {
  const { method, url, body } = toJsonObject(step['request']);
  const { statusCode, body: received } = toJsonObject(step['response']);
  const recorded = {
    stepId: String(step['stepId']),
    request: { method: String(method).toUpperCase(), url: String(url), ...(body !== undefined && { body }) },
    response: {
      status: Number(statusCode),
      ...(typeof received === 'object' && received !== null && { body: shorten(received) }),
    },
  };
  return JSON.parse(JSON.stringify(recorded).replaceAll(base, 'http://localhost:8080'));
};

/** Returns the steps of a workflow. A step that an action goes to is in a workflow of its own, within the list. */
const listSteps = (workflow: JsonObject): readonly JsonObject[] =>
  toList(workflow['executedSteps'])
    .map(toJsonObject)
    .flatMap((one) => ('executedSteps' in one ? listSteps(one) : [one]));

/** Runs a recipe. Returns the exit code, the output, the text of the log, and the steps of the last attempt each. */
export const runRecipe = async ({ name, file, sources }: RecipeFile, { base, inputs, folder }: RecipeRun) => {
  const log = join(folder, `${name}.json`);
  const servers = sources.flatMap((source) => ['--server', `${source}=${base}`]);
  const tool = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const child = spawn(process.execPath, [tool, 'respect', file, ...servers, '--json-output', log], {
    cwd: root,
    env: {
      ...createEnvironment({}),
      HOME: folder,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const logged = readFileSync(log, 'utf8');
  const report = toJsonObject(Object.values(toJsonObject(toJsonObject(JSON.parse(logged))['files']))[0]);
  const executed = toList(report['executedWorkflows']).map(toJsonObject).flatMap(listSteps);
  const steps = new Map(executed.map((step) => [step['stepId'], toRecordedStep(step, base)]));
  return { code, output: out + err, logged, steps: [...steps.values()] };
};

/** Returns the recorded steps of a recipe. */
export const readRecordedSteps = (name: string): readonly RecordedStep[] =>
  JSON.parse(readFileSync(getRecordedFile(root, name), 'utf8'));

/** Records the steps of a recipe for the portal. Secret and receiver of an endpoint are those of the guides. */
export const recordSteps = (name: string, steps: readonly RecordedStep[]): void => {
  const secret = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=';
  const shown = JSON.stringify(steps, undefined, 2)
    .replaceAll(/whsec_[\w+/=]+/g, secret)
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:9000');
  writeFileSync(getRecordedFile(root, name), `${shown}\n`);
};
