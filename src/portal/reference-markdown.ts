import {
  listOperations,
  resolveReference,
  toJsonObject,
  type JsonObject,
  type OpenApiOperation,
} from '#lib/openapi-document.ts';
import { buildCodeSamples } from './code-samples/code-samples.ts';
import { toText } from './html.ts';
import type { VersionSource } from './read-sources.ts';

const toLine = (value: unknown): string => toText(value).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();

const renderParameters = (parameters: readonly JsonObject[]): string => {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (one) =>
      `| \`${toText(one['name'])}\` | ${toText(one['in'])}${one['required'] === true ? ', required' : ''} | ${toLine(one['description'])} |`,
  );
  return `| Parameter | Location | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
};

const renderResponses = (document: JsonObject, operation: JsonObject): string =>
  Object.entries(toJsonObject(operation['responses']))
    .map(([status, one]) => `- ${status}: ${toLine(toJsonObject(resolveReference(document, one))['description'])}\n`)
    .join('');

/** Renders a version of a product as Markdown: each operation with its parameters, responses and code samples. */
export const renderReferenceMarkdown = (source: VersionSource): string => {
  const { document, product, version } = source;
  const samples = new Map(buildCodeSamples(source).map(({ call, code }) => [call.operationId, code]));
  const renderOperation = ({ method, path, operation, parameters }: OpenApiOperation): string => {
    const code = samples.get(toText(operation['operationId']));
    return [
      `## ${toText(operation['summary'])}`,
      `\`${method.toUpperCase()} ${path}\` (\`${toText(operation['operationId'])}\`)`,
      toText(operation['description']).trim(),
      renderParameters(parameters),
      `Responses:\n\n${renderResponses(document, operation)}`,
      ...(code === undefined ? [] : [`\`\`\`sh\n${code.curl}\n\`\`\``, `\`\`\`ts\n${code.TypeScript}\n\`\`\``]),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  };
  const info = toJsonObject(document['info']);
  return `${[
    `# ${product.title} ${version.version}`,
    toText(info['description']).trim(),
    ...listOperations(document).map(renderOperation),
  ].join('\n\n')}\n`;
};
