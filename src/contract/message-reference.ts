import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import ts from 'typescript';
import { problemKinds } from '../http/response/problem.ts';

/** The page with all texts of the program, for review. */
export const MESSAGES_PAGE = 'docs/reference/messages.md';

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();

const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeCell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Lists a command with its arguments and options, then its subcommands. */
const renderCommand = (command: Command, parents: readonly string[] = []): readonly string[] => {
  const path = [...parents, command.name()];
  const rows = [
    ...command.registeredArguments.map((argument) => [`\`${argument.name()}\``, argument.description]),
    ...command.options.map(({ flags, description, defaultValue }) => [
      `\`${flags}\``,
      `${description}${defaultValue === undefined || defaultValue === '' ? '' : ` (default: ${String(defaultValue)})`}`,
    ]),
  ];
  return [
    `### ${path.join(' ')}`,
    command.description(),
    ...(rows.length === 0 ? [] : [renderTable(['Argument or option', 'Description'], rows)]),
    ...command.commands.flatMap((one) => renderCommand(one, path)),
  ];
};

const renderProblems = (): string =>
  renderTable(
    ['Type', 'Status', 'Title'],
    Object.entries(problemKinds).map(([kind, { status, title }]) => [`\`${kind}\``, String(status), title]),
  );

/** Sources without messages: data of the demo world, world maps and stored codes. */
const WITHOUT_MESSAGES =
  /\/(schema|synthetic|world\/(?!example-queries)|activity|sources\/metropolitan-areas|region-countries|data-sources|equipment-use|page-style|render-map-svg|render-page|published-files)/;

/** Folders of the program whose texts operators or clients see. `contract` and `portal` run at build time. */
const FOLDERS = [
  'cli',
  'client',
  'delivery',
  'domain',
  'feeds',
  'http',
  'jobs',
  'lib',
  'mock',
  'products',
  'store',
  'telemetry',
];

/** Two words in a row, as in a sentence; identifiers, headers and patterns have none. */
const isProse = (text: string): boolean => /[A-Za-z']{2,}[,;:.]? [a-z'{]/.test(text);
const isNoProse = (text: string): boolean =>
  /^\s*(select|with|insert|update|delete from|create (table|temp|index|on)|drop|lock table|alter table|copy|where|left join|any\(|\(select|i\.|r\.|application\/|text\/|default-src|private,|public,|no-cache|max-age|isolation level)|<\/?[a-z]+[ >]|::(int|date|text)| as "|=\$\{/i.test(
    text,
  );

/** Returns the text of a literal; expressions become names in braces. */
const readLiteral = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const nameOf = (expression: ts.Expression): string => /[A-Za-z]+(?=\W*$)/.exec(expression.getText())?.[0] ?? 'value';
  return node.head.text + node.templateSpans.map((span) => `{${nameOf(span.expression)}}${span.literal.text}`).join('');
};

const isSkipped = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTaggedTemplateExpression(node);

/** Returns the texts of a module in source order, each once. */
export const listTexts = (path: string, source: string): readonly string[] => {
  const texts = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    const text = readLiteral(node);
    if (text !== undefined && isProse(text) && !isNoProse(text)) texts.add(text.replaceAll(/\s+/g, ' ').trim());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return [...texts];
};

/** Lists the texts of each source that `listed`, the earlier part of the page, does not contain. */
const renderSources = (root: string, listed: string): readonly string[] =>
  FOLDERS.flatMap((folder) => {
    const files = globSync(`src/${folder}/**/*.ts`, { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !WITHOUT_MESSAGES.test(file))
      .toSorted();
    const blocks = files.flatMap((file) => {
      const texts = listTexts(file, readFileSync(join(root, file), 'utf8'));
      const lines = texts
        .filter((text) => !listed.includes(text))
        .map((text) => `- ${text.replaceAll(/[<*]/g, '\\$&')}`);
      return lines.length === 0 ? [] : [`\`${file}\``, lines.join('\n')];
    });
    return blocks.length === 0 ? [] : [`### ${folder}`, ...blocks];
  });

/** Renders the page: commands from their definitions, problems from their table, and all other texts from the sources. */
export const renderMessageReference = async (root: string): Promise<string> => {
  // Imported when all generated code is written: the program imports that code.
  const { createProgram } = await import('../cli/program.ts');
  const listed = [
    '# Messages',
    '<!-- Generated by `make generate`; do not edit. -->',
    'This page lists the texts that the program shows to operators and clients, for review. A name in braces is a value.',
    '## Commands',
    ...(await createProgram()).commands.flatMap((command) => renderCommand(command, ['flightdata'])),
    '## Problems',
    'Every error response is `application/problem+json` with one of these types.',
    renderProblems(),
    '## Texts by source',
  ];
  return `${[...listed, ...renderSources(root, listed.join('\n'))].join('\n\n')}\n`;
};
