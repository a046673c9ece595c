import { shortenInput } from '#lib/mask-keys.ts';
import { memoizeText } from '#lib/text-memo.ts';
import { z } from '@hono/zod-openapi';
import { toAsciiLowerCase, toParameterKey } from '../router/query-names.ts';
import { explainPatterns } from './issue-messages.ts';

/** How a query parameter is written in the URL. */
export type QueryStyle = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  /** A list: one comma-separated value, or the parameter repeated. */
  readonly array?: 'csv' | 'repeat';
  /** Allowed values (or items of a list) in the spelling of the contract. */
  readonly enum?: readonly string[];
};

type ParameterReader = {
  readonly name: string;
  readonly style: QueryStyle;
  readonly spellings: ReadonlyMap<string, string>;
};

const decodeValue = (text: string, { style, spellings }: ParameterReader): unknown => {
  switch (style.type) {
    case 'integer':
    case 'number':
      // The schema decides whether fractions are allowed, so that its error distinguishes a wrong number from text.
      return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean': {
      const lower = text.toLowerCase();
      return lower === 'true' ? true : lower === 'false' ? false : text;
    }
    default:
      return spellings.get(toAsciiLowerCase(text)) ?? text;
  }
};

/** Returns the distinct decoded values of a parameter in the order sent, without blanks. */
const readValues = (reader: ParameterReader, texts: readonly string[]): readonly unknown[] => {
  const pieces = reader.style.array === 'csv' ? texts.flatMap((text) => text.split(',')) : texts;
  const values = new Set<unknown>();
  for (const piece of pieces) {
    const text = piece.trim();
    if (text !== '') values.add(decodeValue(text, reader));
  }
  return [...values];
};

/** Whether a value of a list has no item but is not blank: commas that are left when a client joins empty texts. */
const hasNoItem = (text: string): boolean =>
  text.includes(',') && text.split(',').every((piece) => piece.trim() === '');

const toTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string');

/** Groups the values sent by parameter of the contract; unknown parameters are dropped, which `unknownParameters` has reported. */
const groupByParameter = (
  raw: object,
  readers: ReadonlyMap<string, ParameterReader>,
): ReadonlyMap<ParameterReader, readonly string[]> => {
  const grouped = new Map<ParameterReader, readonly string[]>();
  for (const [name, value] of Object.entries(raw)) {
    const reader = readers.get(toParameterKey(name));
    if (reader) grouped.set(reader, [...(grouped.get(reader) ?? []), ...toTexts(value)]);
  }
  return grouped;
};

/** `@hono/zod-validator` parses asynchronously, for which zod (4.6) has no compiled form: with 30 parameters that takes 1.5 times as long. */
const parseAtOnce = <T extends z.ZodType>(schema: T, parse = (value: unknown) => schema.safeParse(value)): T => {
  schema.safeParseAsync = async (value) => parse(value);
  return schema;
};

/** Parses each query once: clients repeat few, and zod takes 6 % of the time of an uncached page of 10. Requests share the result, which is frozen. */
const parseOnce = <T extends z.ZodType>(schema: T): T => {
  const parse = memoizeText((json) => {
    const result = schema.safeParse(JSON.parse(json));
    const { data } = result;
    if (typeof data === 'object' && data !== null)
      for (const part of [data, ...Object.values(data)]) Object.freeze(part);
    return result;
  });
  return parseAtOnce(schema, (query) => parse(JSON.stringify(query)));
};

/**
 * Returns a schema that parses a raw query (names to texts): names and enum values in any letter case, also with brackets, blanks as absent, lists split
 * without duplicates, numbers and booleans decoded. Text that cannot be decoded is left to `schema`, which rejects it. Different values for
 * a single-value parameter are an issue, reported first. `descriptions` are patterns in words, for error messages.
 */
export const createQuerySchema = <T extends z.ZodObject>(
  schema: T,
  styles: Readonly<Record<string, QueryStyle>>,
  descriptions: Readonly<Record<string, string>> = {},
): T => {
  explainPatterns(descriptions);
  const readers = new Map<string, ParameterReader>();
  for (const name of Object.keys(schema.shape)) {
    const style = styles[name] ?? { type: 'string' };
    const spellings = new Map((style.enum ?? []).map((value) => [value.toLowerCase(), value]));
    readers.set(name.toLowerCase(), { name, style, spellings });
  }
  // `getPath` has selected the version already, by any of its names.
  const [version] = styles['version']?.enum ?? [];
  const normalize = (raw: unknown, context: z.RefinementCtx): unknown => {
    if (typeof raw !== 'object' || raw === null) return raw;
    const query: Record<string, unknown> = {};
    for (const [reader, texts] of groupByParameter(raw, readers)) {
      if (reader.name === 'version' && version !== undefined) continue;
      const empty = reader.style.array === 'csv' ? texts.find(hasNoItem) : undefined;
      if (empty !== undefined)
        context.addIssue({
          code: 'custom',
          path: [reader.name],
          message: `must have at least 1 item, not '${shortenInput(empty)}'`,
        });
      const values = readValues(reader, texts);
      if (values.length === 0) continue;
      query[reader.name] = reader.style.array ? values : values[0];
      if (reader.style.array || values.length === 1) continue;
      const shown = values.slice(0, 3).map((value) => `'${shortenInput(String(value))}'`);
      context.addIssue({
        code: 'custom',
        path: [reader.name],
        message: `accepts one value, not ${values.length} different ones: ${shown.join(', ')}`,
      });
    }
    return version === undefined ? query : { ...query, version };
  };
  // A preprocessed schema has another class but the same output type, and the routes only need the type.
  return parseOnce(z.preprocess(normalize, schema)) as unknown as T;
};

/** Returns a schema of headers for which a blank header counts as absent, as a blank parameter does. */
export const createHeaderSchema = <T extends z.ZodObject>(schema: T): T => {
  const texts = z.object(Object.fromEntries(Object.keys(schema.shape).map((name) => [name, z.string().optional()])));
  const dropBlank = (headers: Record<string, string | undefined>): Record<string, string | undefined> =>
    Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  // `@hono/zod-validator` reads the names from the first schema of a pipe. The output type is that of the last.
  return parseAtOnce(
    z.pipe(texts.overwrite(dropBlank), schema as z.ZodType<unknown, Record<string, string | undefined>>),
  ) as unknown as T;
};
