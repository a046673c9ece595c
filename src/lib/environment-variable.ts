export type Environment = Readonly<Record<string, string | undefined>>;

/** What help and documentation say about an environment variable. */
export type VariableDescription = {
  readonly name: string;
  /** What a value looks like, e.g. `integer` or `date`. */
  readonly type: string;
  /** One sentence without a full stop. */
  readonly description: string;
  /** Unit of the value, e.g. `ms`. */
  readonly unit?: string;
  /** The default as documentation shows it; absent when the variable is optional and has none. */
  readonly defaultText?: string;
  /** Commands that read it; absent: all. */
  readonly commands?: readonly string[];
  /** A page that says more, as a link from the root of the project. */
  readonly docs?: string;
};

/** One row of a table of environment variables. */
export type EnvironmentVariable<T> = VariableDescription & {
  /** Returns the value or the default. Throws a RangeError that names the variable. */
  readonly read: (env: Environment) => T;
};

type Definition<T> = VariableDescription & {
  readonly default: T;
  /** Called without surrounding blanks, and not for an empty value. */
  readonly parse: (text: string, name: string) => T;
};

/** Defines a variable by its description, its default and its parser. */
export const defineVariable = <T>({ default: defaultValue, parse, ...row }: Definition<T>): EnvironmentVariable<T> => ({
  ...row,
  read: (env) => {
    const text = env[row.name]?.trim();
    return text === undefined || text === '' ? defaultValue : parse(text, row.name);
  },
});

/** Throws a RangeError when percent-encoded text cannot be decoded. It does not contain the text, which may hold a password. */
export const assertPercentEncoded = (text: string, name: string): void => {
  try {
    decodeURIComponent(text);
  } catch {
    throw new RangeError(
      `${name} contains a % that does not start a percent-encoded UTF-8 character; write a percent sign as %25`,
    );
  }
};

/** Returns a parser of an integer within limits. */
export const parseInteger =
  (min: number, max: number) =>
  (text: string, name: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`);
    return value;
  };

type IntegerDefinition = Omit<VariableDescription, 'type'> & {
  readonly default: number;
  readonly min: number;
  readonly max: number;
};

/** Defines an integer variable. */
export const defineInteger = ({ min, max, ...row }: IntegerDefinition): EnvironmentVariable<number> =>
  defineVariable({ ...row, type: 'integer', defaultText: String(row.default), parse: parseInteger(min, max) });

/** Defines an optional text variable. */
export const defineText = (row: Omit<VariableDescription, 'type'>): EnvironmentVariable<string | undefined> =>
  defineVariable<string | undefined>({ ...row, type: 'text', default: undefined, parse: (text) => text });

/** Defines a list with commas or blanks between the items. */
export const defineList = (row: Omit<VariableDescription, 'type'>): EnvironmentVariable<readonly string[]> =>
  defineVariable<readonly string[]>({ ...row, type: 'list', default: [], parse: splitList });

/** Splits a text at commas and blanks. */
export const splitList = (text: string): readonly string[] => text.split(/[\s,]+/).filter((item) => item !== '');

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

const renderCommands = (commandNames: readonly string[], commands: readonly string[] = commandNames): string => {
  const missing = commandNames.filter((name) => !commands.includes(name));
  if (missing.length > 1) return commands.map((name) => `\`${name}\``).join(', ');
  return missing.length === 0 ? 'all' : `all but \`${missing.join()}\``;
};

/** Renders variables as a Markdown table. */
export const renderVariablesTable = (
  variables: readonly VariableDescription[],
  { commandNames, linkPrefix }: TableOptions,
): string => {
  const rows = variables.map(({ name, type, unit, defaultText, description, commands, docs }) => {
    const shown = defaultText === undefined ? 'none' : `\`${defaultText}\`${unit === undefined ? '' : ` ${unit}`}`;
    const link = docs === undefined ? '' : ` ([${/[\w-]+\.md/.exec(docs)?.[0]}](${docs.replace('docs/', linkPrefix)}))`;
    const readBy = commandNames === undefined ? [] : [renderCommands(commandNames, commands)];
    return [`\`${name}\``, type, shown, ...readBy, `${description}${link}`];
  });
  const head = ['Variable', 'Type', 'Default', ...(commandNames === undefined ? [] : ['Commands']), 'Description'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};
