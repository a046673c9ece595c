import { toJsonObject, toList, type JsonObject } from '../lib/openapi-document.ts';

/** A recipe as a prompt: the inputs of the recipe are its arguments. */
export type McpPrompt = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly recipe: JsonObject;
};

/** The input that no prompt has: the server sends the key. */
const KEY = 'subscriptionKey';

/** Returns the prompt of a recipe, a document of Arazzo. */
export const toPrompt = (name: string, recipe: JsonObject): McpPrompt => {
  const info = toJsonObject(recipe['info']);
  const inputs = toJsonObject(toJsonObject(toList(recipe['workflows'])[0])['inputs']);
  const required = toList(inputs['required']);
  return {
    name,
    title: String(info['title']),
    description: String(info['summary']),
    arguments: Object.entries(toJsonObject(inputs['properties']))
      .filter(([input]) => input !== KEY)
      .map(([input, schema]) => ({
        name: input,
        description: String(toJsonObject(schema)['description']),
        required: required.includes(input),
      })),
    recipe,
  };
};

/** Returns the operation of a step; undefined for a link of the step before. */
const findOperation = (step: JsonObject): string | undefined =>
  typeof step['operationId'] === 'string' ? step['operationId'].split('.').at(-1) : undefined;

const describeStep = (step: JsonObject, tools: ReadonlySet<string>): string => {
  const operation = findOperation(step);
  const description = String(step['description']).trim().replaceAll(/\s+/g, ' ');
  const values = toList(step['parameters'])
    .map(toJsonObject)
    .filter(({ name, value }) => name !== 'version' && value !== `$inputs.${KEY}`)
    .map(({ name, value }) => `${String(name)} = ${JSON.stringify(value)}`);
  const body = toJsonObject(step['requestBody'])['payload'];
  if (body !== undefined) values.push(`body = ${JSON.stringify(body)}`);
  const used = values.length === 0 ? '' : ` Arguments: ${values.join(', ')}.`;
  if (operation === undefined) return `${description} Use the link or the \`next\` of the step before.`;
  const tool = tools.has(operation)
    ? `Call \`${operation}\`.`
    : `\`${operation}\` is not available as a tool here: explain the step.`;
  return `${description} ${tool}${used}`;
};

/** Returns the text of a prompt: the task, its inputs and its steps with the tools that they call. */
export const renderPrompt = (
  { title, recipe, arguments: inputs }: McpPrompt,
  values: Readonly<Record<string, string>>,
  tools: ReadonlySet<string>,
): string => {
  const workflow = toJsonObject(toList(recipe['workflows'])[0]);
  const presets = toJsonObject(toJsonObject(workflow['inputs'])['properties']);
  const given = inputs.map(({ name }) => {
    const preset = toJsonObject(presets[name])['default'];
    return `- $inputs.${name}: ${values[name] ?? (preset === undefined ? 'unknown: request it from the user' : JSON.stringify(preset))}`;
  });
  const steps = toList(workflow['steps']).map(
    (step, index) => `${index + 1}. ${describeStep(toJsonObject(step), tools)}`,
  );
  return `${title}. ${String(workflow['description']).trim()}

Inputs:
${given.join('\n')}

Steps:
${steps.join('\n')}

Run the steps in this order, and explain each result in one or two sentences.`;
};
