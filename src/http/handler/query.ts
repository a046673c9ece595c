import { z } from '@hono/zod-openapi';
import { explainPatterns } from './validation-messages.ts';

/** How one query parameter is written in the URL. */
export type QueryStyle = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  /** A list in one comma-separated value, or one value a repetition of the parameter. */
  readonly array?: 'csv' | 'repeat';
  /** The contract's spelling of the values allowed, of the items where it is a list. */
  readonly enum?: readonly string[];
};

type Reader = { readonly name: string; readonly style: QueryStyle; readonly spellings: ReadonlyMap<string, string> };

/** Letter case is that of ASCII: a text with other letters is no other spelling of a name, though KELVIN SIGN has `k` for its small letter. */
const lowerCase = (text: string): string => (/^[ -~]*$/.test(text) ? text.toLowerCase() : text);

const decode = (text: string, { style, spellings }: Reader): unknown => {
  switch (style.type) {
    case 'integer':
    case 'number':
      // Whether a fraction is allowed is the schema's to say: so the refusal can tell a wrong number from no number.
      return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean': {
      const lower = text.toLowerCase();
      return lower === 'true' ? true : lower === 'false' ? false : text;
    }
    default:
      return spellings.get(lowerCase(text)) ?? text;
  }
};

/** Every distinct value of one parameter, decoded, in the order given; blanks are no values. */
const valuesOf = (reader: Reader, texts: readonly string[]): readonly unknown[] => {
  const pieces = reader.style.array === 'csv' ? texts.flatMap((text) => text.split(',')) : texts;
  const values = new Set<unknown>();
  for (const piece of pieces) {
    const text = piece.trim();
    if (text !== '') values.add(decode(text, reader));
  }
  return [...values];
};

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string');

/** Gathers what was sent by the contract's names; names the contract does not know are dropped. */
const gather = (raw: object, readers: ReadonlyMap<string, Reader>): ReadonlyMap<Reader, readonly string[]> => {
  const gathered = new Map<Reader, readonly string[]>();
  for (const [name, value] of Object.entries(raw)) {
    const reader = readers.get(lowerCase(name));
    if (reader) gathered.set(reader, [...(gathered.get(reader) ?? []), ...textsOf(value)]);
  }
  return gathered;
};

/**
 * The same schema, reading a query as it arrives (names to texts) in place of an object of its own shape: names and enum values in any
 * letter case, blanks as absence, lists split and freed of duplicates, numbers and booleans decoded. Text that cannot be decoded is
 * left for the schema to refuse. `forms` says in words what the patterns of the operation's parameters mean. A single value given twice with different contents is an issue of that parameter, told before any other.
 */
export const createQuerySchema = <T extends z.ZodObject>(
  schema: T,
  styles: Readonly<Record<string, QueryStyle>>,
  forms: Readonly<Record<string, string>> = {},
): T => {
  explainPatterns(forms);
  const readers = new Map<string, Reader>();
  for (const name of Object.keys(schema.shape)) {
    const style = styles[name] ?? { type: 'string' };
    const spellings = new Map((style.enum ?? []).map((value) => [value.toLowerCase(), value]));
    readers.set(name.toLowerCase(), { name, style, spellings });
  }
  const canonical = (raw: unknown, context: z.RefinementCtx): unknown => {
    if (typeof raw !== 'object' || raw === null) return raw;
    const query: Record<string, unknown> = {};
    for (const [reader, texts] of gather(raw, readers)) {
      const values = valuesOf(reader, texts);
      if (values.length === 0) continue;
      query[reader.name] = reader.style.array ? values : values[0];
      if (reader.style.array || values.length === 1) continue;
      const seen = values.slice(0, 3).map((value) => `'${String(value).slice(0, 64)}'`);
      context.addIssue({
        code: 'custom',
        path: [reader.name],
        message: `takes one value, but was given ${values.length} different ones: ${seen.join(', ')}`,
      });
    }
    return query;
  };
  // A preprocessed schema is not of the schema's own class, though it yields the same type: the routes need the type only.
  return z.preprocess(canonical, schema) as unknown as T;
};
