import { describeVariable, findVariable, splitPath, toEnvironmentName, type SampleCall } from './sample-call.ts';

/** Converts `alertId` to `alertID`, as Go spells initialisms. */
const toGoName = (name: string): string => name.replace(/Id$/, 'ID');

const renderText = (text: string): string => {
  const variable = findVariable(text);
  return variable === undefined ? JSON.stringify(text) : toGoName(variable);
};

/** Renders the members of a composite literal, one a line, with their values aligned as gofmt does. */
const renderMembers = (members: readonly (readonly [name: string, value: string])[], indent: string): string => {
  const width = Math.max(...members.map(([name]) => name.length)) + '"":'.length;
  const lines = members.map(([name, value]) => `${indent}\t${`"${name}":`.padEnd(width)} ${value},\n`);
  return `{\n${lines.join('')}${indent}}`;
};

const renderJson = (value: unknown, indent: string): string => {
  if (value === null) return 'nil';
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[]any{${value.map((one) => renderJson(one, indent)).join(', ')}}`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => [name, renderJson(one, `${indent}\t`)] as const);
  return `map[string]any${members.length === 0 ? '{}' : renderMembers(members, indent)}`;
};

const renderUrl = ({ server, path, query }: SampleCall): string => {
  const isShort = query.length === 1;
  const end = isShort ? `?${query.map(({ name, value }) => `${name}=${value}`).join('')}` : '?';
  const pieces = splitPath(`${server}${path}${end}`).map((piece, index) =>
    index % 2 === 0 ? JSON.stringify(piece) : toGoName(piece),
  );
  return [...pieces, ...(isShort ? [] : ['query.Encode()'])].filter((piece) => piece !== '""').join('+');
};

const returnOnError = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

const listPackages = ({ query, body, textBody, usesToday }: SampleCall): readonly string[] => [
  ...(body === undefined ? [] : ['bytes', 'encoding/json']),
  'io',
  'log',
  'net/http',
  ...(query.length > 1 ? ['net/url'] : []),
  'os',
  ...(textBody ? ['strings'] : []),
  ...(usesToday ? ['time'] : []),
];

/** Renders a program with the package `net/http`. */
export const renderGo = (call: SampleCall): string => {
  const { method, query, needsKey, needsAccount, body, textBody, variables, usesToday } = call;
  const reader = textBody ? 'strings.NewReader(body)' : body === undefined ? 'nil' : 'bytes.NewReader(body)';
  const parameters = query.map(({ name, value }) => [name, `{${renderText(value)}}`] as const);
  return [
    'package main',
    '',
    'import (',
    ...listPackages(call).map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...variables.flatMap((name) => [
      `\t// ${describeVariable(name)}`,
      `\t${toGoName(name)} := os.Getenv("${toEnvironmentName(name)}")`,
    ]),
    ...(usesToday ? ['\ttoday := time.Now().UTC().Format("2006-01-02")'] : []),
    ...(query.length > 1 ? [`\tquery := url.Values${renderMembers(parameters, '\t')}`] : []),
    ...(body === undefined ? [] : [`\tbody, err := json.Marshal(${renderJson(body, '\t')})`, ...returnOnError]),
    ...(textBody ? [`\tbody := \`${textBody.text}\n\``] : []),
    `\trequest, err := http.NewRequest("${method.toUpperCase()}", ${renderUrl(call)}, ${reader})`,
    ...returnOnError,
    ...(needsKey ? ['\trequest.Header.Set("Subscription-Key", os.Getenv("SUBSCRIPTION_KEY"))'] : []),
    ...(needsAccount ? ['\trequest.Header.Set("accountId", accountID)'] : []),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    ...(textBody ? [`\trequest.Header.Set("Content-Type", "${textBody.mediaType}")`] : []),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...returnOnError,
    '\tdefer response.Body.Close()',
    '\tlog.Println(response.Status)',
    '\tio.Copy(os.Stdout, response.Body)',
    '}',
  ].join('\n');
};
