import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What help and documentation say about a variable whose schema says the rest. */
export type Documentation = {
  /** One sentence without a full stop. */
  readonly description: string;
  /** Unit of the value, e.g. `ms`. */
  readonly unit?: string;
  /** The default as documentation shows it, when the schema has none or another. */
  readonly defaultText?: string;
  /** Commands that read it; absent: all but `exceptCommands`. */
  readonly commands?: readonly string[];
  readonly exceptCommands?: readonly string[];
  /** A page that says more, as a link from the root of the project. */
  readonly docs?: string;
};

/** What help and documentation say about an environment variable. */
export type VariableDescription = Documentation & {
  readonly name: string;
  /** What a value looks like, e.g. `integer` or `date`. */
  readonly type: string;
};

const documentation = z.registry<Documentation>();

/** Returns the schema of a variable with its documentation. The schema of the value describes the type, such as `integer`. */
export const document = <Schema extends z.ZodType>(schema: Schema, about: Documentation): Schema => {
  documentation.add(schema, about);
  return schema;
};

const canDecode = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
};

/** A text whose percent-encoding can be decoded. The error does not contain the text, which may hold a password. */
export const percentEncoded = z.string().refine(canDecode, {
  error: 'contains a % that does not start a percent-encoded UTF-8 character; write a percent sign as %25',
});

const showValue = (text: string): string => `, not '${text}'`;

/** Renders a value that may hold a password for an error: not at all. */
export const hideValue = (): string => '';

/** A text that `parse` accepts; it returns undefined for another one. `expected` completes `must be`. */
export const parsed = <T>(parse: (text: string) => T | undefined, expected: string, show = showValue) =>
  z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue(`must be ${expected}${show(text)}`);
    return z.NEVER;
  });

/** A text of a form. */
export const matching = (form: RegExp, expected: string, show = showValue) =>
  parsed((text) => (form.test(text) ? text : undefined), expected, show);

/** A whole number within limits. */
export const integer = (min: number, max: number) =>
  parsed(
    (text) => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    `a whole number from ${min} to ${max}`,
  ).describe('integer');

/** Splits a text at commas and blanks. */
export const splitList = (text: string): readonly string[] => text.split(/[\s,]+/).filter((item) => item !== '');

/** A list with commas or blanks between the items. */
export const list = z.string().transform(splitList).describe('list');

/** Reads variables; one of blanks only is absent. Throws a RangeError that names the first invalid variable and says what it must be. */
export const readVariables = <Schema extends z.ZodObject>(schema: Schema, env: Environment): z.output<Schema> => {
  const given = Object.keys(schema.shape).flatMap((name) => {
    const text = env[name]?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  const { data, error } = schema.safeParse(Object.fromEntries(given));
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new RangeError(`${issue?.path.join('.')} ${issue?.message}`);
};

const describeVariable = (name: string, schema: z.core.$ZodType): VariableDescription => {
  const isWrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
  const value = isWrapped ? schema.unwrap() : schema;
  const defaultText = schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : '';
  const { description = '', ...rest } = documentation.get(schema) ?? {};
  const type = z.globalRegistry.get(value)?.description ?? 'text';
  return { name, type, description, ...(defaultText !== '' && { defaultText }), ...rest };
};

/** Lists the descriptions of variables, in their order. */
export const describeVariables = ({ shape }: z.ZodObject): readonly VariableDescription[] =>
  Object.entries<z.core.$ZodType>(shape).map(([name, schema]) => describeVariable(name, schema));

const NAME_WIDTH = 18;
const LINE_WIDTH = 120;

/** Breaks a text into lines of at most `width` characters. */
const wrapText = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

/** Renders variables for the help of a command: name, description and default, in two columns. */
export const renderVariablesHelp = (variables: readonly VariableDescription[]): string =>
  variables
    .flatMap(({ name, description, defaultText, docs }) => {
      const notes = [defaultText, docs?.replace(/#.*/, '')].filter((note) => note !== undefined).join('; ');
      const text = notes === '' ? description : `${description} (${notes})`;
      const indent = ' '.repeat(NAME_WIDTH + 3);
      const [first = '', ...rest] = wrapText(text, LINE_WIDTH - indent.length);
      const head = name.length > NAME_WIDTH ? `  ${name}\n${indent}` : `  ${name.padEnd(NAME_WIDTH)} `;
      return [`${head}${first}`, ...rest.map((line) => `${indent}${line}`)];
    })
    .join('\n');

export type TableOptions = {
  /** All commands, to write "all but one" instead of a long list; without them the table has no such column. */
  readonly commandNames?: readonly string[];
  /** The folder `docs/` as a relative path from the page of the table. */
  readonly linkPrefix: string;
};

/** Returns whether a command reads a variable. */
export const isReadBy = ({ commands, exceptCommands = [] }: VariableDescription, commandName: string): boolean =>
  commands?.includes(commandName) ?? !exceptCommands.includes(commandName);

const renderCommands = (commandNames: readonly string[], variable: VariableDescription): string => {
  const missing = commandNames.filter((name) => !isReadBy(variable, name));
  if (missing.length > 1 && variable.commands) return variable.commands.map((name) => `\`${name}\``).join(', ');
  return missing.length === 0 ? 'all' : `all but \`${missing.join()}\``;
};

/** Renders variables as a Markdown table. */
export const renderVariablesTable = (
  variables: readonly VariableDescription[],
  { commandNames, linkPrefix }: TableOptions,
): string => {
  const rows = variables.map((variable) => {
    const { name, type, unit, defaultText, description, docs } = variable;
    const shown = defaultText === undefined ? 'none' : `\`${defaultText}\`${unit === undefined ? '' : ` ${unit}`}`;
    const link = docs === undefined ? '' : ` ([${/[\w-]+\.md/.exec(docs)?.[0]}](${docs.replace('docs/', linkPrefix)}))`;
    const readBy = commandNames === undefined ? [] : [renderCommands(commandNames, variable)];
    return [`\`${name}\``, type, shown, ...readBy, `${description}${link}`];
  });
  const head = ['Variable', 'Type', 'Default', ...(commandNames === undefined ? [] : ['Commands']), 'Description'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};
