import { describeVariable, findVariable, toEnvironmentName, type SampleCall } from './sample-call.ts';
import type { SampleParameter } from './sample-call.ts';

const KEY = `process.env['SUBSCRIPTION_KEY'] ?? ''`;

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const renderText = (text: string): string => findVariable(text) ?? quote(text);

const renderMember = (name: string, value: string): string => {
  if (name === value) return name;
  return `${/^[A-Za-z_]\w*$/.test(name) ? name : quote(name)}: ${value}`;
};

/** Renders an object; on one line where it is short. */
const renderObject = (members: readonly string[], indent: string): string => {
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  if (indent.length + line.length < 70 && !line.includes('\n')) return line;
  return `{\n${members.map((one) => `${indent}  ${one},\n`).join('')}${indent}}`;
};

const renderJson = (value: unknown, indent: string): string => {
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map((one) => renderJson(one, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return renderObject(
    Object.entries(value).map(([name, one]) => renderMember(name, renderJson(one, `${indent}  `))),
    indent,
  );
};

const renderParameter = ({ name, value, kind }: SampleParameter): string => {
  if (kind === 'number') return renderMember(name, value);
  if (kind === 'text') return renderMember(name, renderText(value));
  return renderMember(name, `[${value.split(',').map(renderText).join(', ')}]`);
};

const renderConstants = ({ variables, usesToday }: SampleCall): readonly string[] => [
  ...variables.flatMap((name) => [
    `// ${describeVariable(name)}`,
    `const ${name} = process.env['${toEnvironmentName(name)}'] ?? '';`,
  ]),
  ...(usesToday ? ['const today = new Date().toISOString().slice(0, 10);'] : []),
];

/** Renders the argument of a client function; the client adds the version. */
const renderArgument = ({ pathValues, query, needsAccount, body, textBody }: SampleCall): string => {
  const path = pathValues.map(({ name, value }) => renderMember(name, renderText(value)));
  const parts = [
    ...(path.length > 0 ? [`path: ${renderObject(path, '  ')}`] : []),
    ...(query.length > 1 ? [`query: ${renderObject(query.slice(1).map(renderParameter), '  ')}`] : []),
    ...(needsAccount ? ['headers: { accountId }'] : []),
    ...(body === undefined ? [] : [`body: ${renderJson(body, '  ')}`]),
    ...(textBody ? [`body: \`${textBody.text}\n\``] : []),
  ];
  if (parts.length === 0) return '';
  const line = `{ ${parts.join(', ')} }`;
  return line.length < 50 && !line.includes('\n') ? line : `{\n${parts.map((one) => `  ${one},\n`).join('')}}`;
};

/** Renders a request without the client package, which contains the latest versions only. */
const renderFetch = (call: SampleCall): string => {
  const query = call.query.map(({ name, value }) => renderMember(name, renderText(value)));
  const path = call.path.replaceAll('{', '${');
  const options = call.needsKey ? `, {\n  headers: { 'Subscription-Key': ${KEY} },\n}` : '';
  return [
    ...renderConstants(call),
    `const query = new URLSearchParams(${renderObject(query, '')});`,
    `const response = await fetch(\`${call.server}${path}?\${query}\`${options});`,
    'if (!response.ok) throw new Error(await response.text());',
    'console.log(await response.json());',
  ].join('\n');
};

/** Renders a call with the client package. */
export const renderTypeScript = (call: SampleCall): string => {
  if (call.client === undefined) return renderFetch(call);
  const invocation = `client.${call.client}.${call.operationId}(${renderArgument(call)})`;
  const use = call.isPaged
    ? [
        `for await (const page of ${invocation}.pages()) {`,
        '  console.log(page.data);',
        '  break; // Without it, the loop reads all pages.',
        '}',
      ]
    : [`const result = await ${invocation};`, 'console.log(result);'];
  return [
    `import { createFlightDataClient } from 'flightdata-client';`,
    '',
    'const client = createFlightDataClient({',
    `  baseUrl: '${call.server}',`,
    `  subscriptionKey: ${KEY},`,
    '});',
    ...renderConstants(call),
    '',
    ...use,
  ].join('\n');
};
