import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { toText } from './html.ts';
import type { GuideSource } from './read-sources.ts';

const GROUP = 'Recipes';
const KEY = '$inputs.subscriptionKey';

/** `secondPage` becomes `Second page`. */
const toTitle = (stepId: string): string => {
  const words = stepId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

const renderJson = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\n`;

/** Renders the request of a step as HTTP text; the key is a placeholder. */
const renderRequest = (step: JsonObject, recorded: JsonObject, sendsKey: boolean): string => {
  const { method, url, body } = toJsonObject(recorded['request']);
  const target = String(url).replace(/^https?:\/\/[^/]+/, '');
  const own = toList(step['parameters'])
    .map(toJsonObject)
    .filter((one) => one['in'] === 'header')
    .map(({ name }) => `${toText(name)}: <${toText(name)}>`);
  const headers = [
    ...(sendsKey ? ['Subscription-Key: <your key>'] : []),
    ...own,
    ...(body === undefined ? [] : ['Content-Type: application/json']),
  ];
  const content = body === undefined ? '' : `\n\n${JSON.stringify(body, undefined, 2)}`;
  return `\`\`\`http\n${[`${toText(method)} ${target}`, ...headers].join('\n')}${content}\n\`\`\`\n`;
};

const renderResponse = (recorded: JsonObject): string => {
  const { status, body } = toJsonObject(recorded['response']);
  return `The response, with status ${String(status)}${body === undefined ? '.\n' : `:\n\n${renderJson(body)}`}`;
};

const renderInputs = (inputs: JsonObject): string => {
  const rows = Object.entries(toJsonObject(inputs['properties'])).map(([name, schema]) => {
    const { description, default: preset } = toJsonObject(schema);
    return `| \`${name}\` | ${toText(description)} | ${preset === undefined ? '' : `\`${JSON.stringify(preset)}\``} |\n`;
  });
  return `| Input | Meaning | Default |\n|---|---|---|\n${rows.join('')}`;
};

const renderCommand = (name: string, inputs: JsonObject): string => {
  const values = toList(inputs['required']).map((input) => `"${String(input)}":"..."`);
  return `\`\`\`bash
curl -s -o ${name}.yaml http://localhost:8080/recipes/${name}.yaml
REDOCLY_CLI_RESPECT_INPUT='{${values.join(',')}}' npx @redocly/cli respect ${name}.yaml
\`\`\`
`;
};

/** Renders a recipe, an Arazzo document with its recorded steps, as the Markdown of a tutorial. */
const renderRecipe = (name: string, recipe: JsonObject, recorded: readonly unknown[]): string => {
  const { title, summary } = toJsonObject(recipe['info']);
  const workflow = toJsonObject(toList(recipe['workflows'])[0]);
  const inputs = toJsonObject(workflow['inputs']);
  const sendsKey = toList(workflow['parameters']).some((one) => toJsonObject(one)['value'] === KEY);
  const steps = toList(workflow['steps']).map(toJsonObject);
  const shown = recorded.map(toJsonObject).flatMap((one, index) => {
    const step = steps.find(({ stepId }) => stepId === one['stepId']);
    if (!step) return [];
    const heading = `## ${index + 1}. ${toTitle(String(step['stepId']))}`;
    return [
      [heading, toText(step['description']).trim(), renderRequest(step, one, sendsKey), renderResponse(one)]
        .join('\n\n')
        .replaceAll(/\n{3,}/g, '\n\n'),
    ];
  });
  return `# ${toText(title)}

${toText(summary)}

${toText(workflow['description']).trim()}

This page is generated from a recipe, a document of [Arazzo](https://www.openapis.org/arazzo-specification) 1.0. A test runs the recipe on
the service and on the [mock server](../how-to/mock-server.md). The responses below are real. Lists of objects are shortened to their first
item.

${shown.join('\n')}
## Run the recipe

Download it as [YAML](/recipes/${name}.yaml) or [JSON](/recipes/${name}.json), and run it with \`respect\` of the Redocly CLI. The inputs are
in an environment variable, so that the key is in no argument, and \`respect\` masks it in its output:

${renderCommand(name, inputs)}
${renderInputs(inputs)}`;
};

/** Returns the file with the recorded steps of a recipe. */
export const getRecordedFile = (root: string, name: string): string =>
  join(root, 'src/portal/recorded-recipes', `${name}.json`);

/** Reads the recipes of `generated/recipes` with their recorded steps, as guides. Throws when a recipe has no recorded steps. */
export const readRecipes = (root: string): readonly GuideSource[] =>
  globSync('recipes/*.json', { cwd: join(root, 'generated') })
    .toSorted()
    .map((file) => {
      const name = basename(file, '.json');
      const recorded = getRecordedFile(root, name);
      if (!existsSync(recorded)) throw new Error(`the recipe ${name} has no recorded responses: ${recorded}`);
      const [recipe, steps] = [join(root, 'generated', file), recorded].map((path): unknown =>
        JSON.parse(readFileSync(path, 'utf8')),
      );
      return { name: `recipes/${name}`, group: GROUP, text: renderRecipe(name, toJsonObject(recipe), toList(steps)) };
    });
