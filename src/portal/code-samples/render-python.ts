import { describeVariable, findVariable, toEnvironmentName, type SampleCall } from './sample-call.ts';

const toSnakeCase = (name: string): string => toEnvironmentName(name).toLowerCase();

const renderText = (text: string): string => {
  const variable = findVariable(text);
  return variable === undefined ? JSON.stringify(text) : toSnakeCase(variable);
};

const renderMembers = (members: readonly string[], indent: string): string =>
  members.length === 1 && !members[0]?.includes('\n')
    ? `{${members[0]}}`
    : `{\n${members.map((one) => `${indent}    ${one},\n`).join('')}${indent}}`;

const renderJson = (value: unknown, indent: string): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map((one) => renderJson(one, indent)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `"${name}": ${renderJson(one, `${indent}    `)}`);
  return members.length === 0 ? '{}' : renderMembers(members, indent);
};

const renderUrl = ({ server, path }: SampleCall): string => {
  const text = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${toSnakeCase(name)}}`);
  return `${text === path && !path.includes('{') ? '' : 'f'}"${server}${text}"`;
};

/** Renders a call with the package `requests`. */
export const renderPython = (call: SampleCall): string => {
  const { method, query, needsKey, needsAccount, body, textBody, variables, usesToday } = call;
  const usesEnvironment = needsKey || variables.length > 0;
  const headers = [
    ...(needsKey ? ['"Subscription-Key": os.environ["SUBSCRIPTION_KEY"]'] : []),
    ...(needsAccount ? ['"accountId": account_id'] : []),
    ...(textBody ? [`"Content-Type": "${textBody.mediaType}"`] : []),
  ];
  const parameters = query.map(({ name, value }) => `"${name}": ${renderText(value)}`);
  return [
    ...(usesEnvironment ? ['import os'] : []),
    ...(usesToday ? ['from datetime import datetime, timezone'] : []),
    ...(usesEnvironment || usesToday ? [''] : []),
    'import requests',
    '',
    ...variables.flatMap((name) => [
      `# ${describeVariable(name)}`,
      `${toSnakeCase(name)} = os.environ["${toEnvironmentName(name)}"]`,
    ]),
    ...(usesToday ? ['today = datetime.now(timezone.utc).date().isoformat()'] : []),
    `response = requests.${method}(`,
    `    ${renderUrl(call)},`,
    `    params=${renderMembers(parameters, '    ')},`,
    ...(headers.length > 0 ? [`    headers=${renderMembers(headers, '    ')},`] : []),
    ...(body === undefined ? [] : [`    json=${renderJson(body, '    ')},`]),
    ...(textBody ? [`    data="""${textBody.text}\n""",`] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n');
};
