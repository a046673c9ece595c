import fc from 'fast-check';
import { resolveReference, toList, toJsonObject } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { formatDate, localDate, parseDate, addDays } from '#domain/time/dates.ts';
import { WORLD_DAY } from '../services/served-documents.ts';

/** Values from responses of the service under test, so that filters match records. */
export type ValuePool = readonly string[];

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
  /** The schema of an item when the parameter is a list. */
  readonly items: JsonObject | undefined;
  readonly examples: readonly string[];
};

export const toParameter = (document: JsonObject, parameter: JsonObject): Parameter => {
  const schema = toJsonObject(resolveReference(document, parameter['schema']));
  const named = Object.values(toJsonObject(parameter['examples'])).map(
    (one) => toJsonObject(resolveReference(document, one))['value'],
  );
  const exampleValues = ['example' in parameter ? [parameter['example']] : [], named].flat();
  return {
    name: String(parameter['name']),
    in: String(parameter['in']),
    isRequired: parameter['required'] === true,
    description: String(parameter['description']),
    schema,
    items: schema['type'] === 'array' ? toJsonObject(resolveReference(document, schema['items'])) : undefined,
    examples: exampleValues.flat().map(String),
  };
};

export const listParameters = (
  { document }: { readonly document: JsonObject },
  { parameters }: Pick<OpenApiOperation, 'parameters'>,
): readonly Parameter[] => parameters.map((one) => toParameter(document, one));

/** Returns whether a parameter is a cursor, which only a previous page can provide. */
export const isCursor = ({ description }: Parameter): boolean => /\bcursor of\b/i.test(description);

const isOneOf = ({ type: types }: JsonObject, type: string): boolean => types === type || toList(types).includes(type);

const numberIn = (schema: JsonObject, name: string, fallback: number): number => {
  const value = schema[name];
  return typeof value === 'number' ? value : fallback;
};

const isInBounds = (schema: JsonObject, value: number): boolean =>
  value >= numberIn(schema, 'minimum', -Infinity) && value <= numberIn(schema, 'maximum', Infinity);

/** Lowercases ASCII letters only, as the service does. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

export const listEnumValues = (schema: JsonObject): readonly string[] =>
  isOneOf(schema, 'boolean')
    ? ['true', 'false']
    : toList('const' in schema ? [schema['const']] : schema['enum']).map(String);

const isText = (schema: JsonObject, text: string): boolean => {
  const length = [...text].length;
  if (length < numberIn(schema, 'minLength', 0) || length > numberIn(schema, 'maxLength', Infinity)) return false;
  if (schema['format'] === 'date') return parseDate(text) !== undefined;
  return typeof schema['pattern'] !== 'string' || new RegExp(schema['pattern'], 'u').test(text);
};

/** Returns whether a query or path text is valid for a schema, by the parsing rules in the introductions of the documents. */
export const isValidText = (schema: JsonObject, text: string): boolean => {
  const values = listEnumValues(schema);
  if (values.length > 0) return values.some((value) => lower(value) === lower(text));
  if (isOneOf(schema, 'integer')) return /^-?\d+$/.test(text) && isInBounds(schema, Number(text));
  if (isOneOf(schema, 'number')) return /^-?\d+(\.\d+)?$/.test(text) && isInBounds(schema, Number(text));
  return isText(schema, text);
};

/** Normalizes a value, so that two spellings of it are equal. */
export const normalizeValue = (schema: JsonObject, text: string): string => {
  if (listEnumValues(schema).length > 0) return lower(text);
  return isOneOf(schema, 'integer') || isOneOf(schema, 'number') ? String(Number(text)) : text;
};

const nearDates = fc.integer({ min: -40, max: 60 }).map((days) => formatDate(addDays(localDate(WORLD_DAY), days)));

/** Dates in the test schedule, near it, and at the limits of the format. */
const dates: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('2026-06-01', '2026-06-02', '2026-06-03') },
  { weight: 4, arbitrary: nearDates },
  {
    weight: 1,
    arbitrary: fc.constantFrom('2024-02-29', '2000-02-29', '1970-01-01', '1900-12-31', '0001-01-01', '9999-12-31'),
  },
);

const replaceDates = (example: string): fc.Arbitrary<string> => {
  const texts = example.split(/\d{4}-\d{2}-\d{2}/);
  return fc
    .array(dates, { minLength: texts.length - 1, maxLength: texts.length - 1 })
    .map((replacements) => texts.map((part, index) => `${part}${replacements[index] ?? ''}`).join(''));
};

const integers = (schema: JsonObject): fc.Arbitrary<string> => {
  const min = numberIn(schema, 'minimum', -1_000_000);
  const max = numberIn(schema, 'maximum', 1_000_000);
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min, max: Math.min(max, min + 40) }) },
    { weight: 2, arbitrary: fc.integer({ min, max }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  );
  return fc
    .tuple(value, fc.constantFrom('', '', '', '0', '000'))
    .map(([number, zeros]) => (number < 0 ? String(number) : `${zeros}${number}`));
};

const decimals = (schema: JsonObject): fc.Arbitrary<string> => {
  const min = numberIn(schema, 'minimum', -1_000_000);
  const max = numberIn(schema, 'maximum', 1_000_000);
  const value = fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max));
  return value.map((number) => (Number.isInteger(number) ? String(number) : number.toFixed(4)));
};

/** Arbitraries by pattern: creating one takes up to 50 ms. */
const ofPatterns = new Map<string, fc.Arbitrary<string>>();

const formed = (schema: JsonObject): fc.Arbitrary<string> => {
  const { pattern } = schema;
  if (typeof pattern === 'string') {
    const strings = ofPatterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
    ofPatterns.set(pattern, strings);
    return strings;
  }
  const minLength = numberIn(schema, 'minLength', 1);
  const maxLength = Math.min(numberIn(schema, 'maxLength', 100), 100);
  return fc
    .oneof(fc.string({ minLength, maxLength }), fc.string({ unit: 'binary', minLength, maxLength }))
    .filter((text) => !text.includes('\0'));
};

/** Returns whether a value survives parsing: items of a list have no commas, and surrounding blanks are removed. */
const isTransmittable = (text: string, isItem: boolean): boolean =>
  text !== '' && text.trim() === text && !(isItem && text.includes(','));

type TextOptions = { readonly examples: readonly string[]; readonly pool: ValuePool; readonly isItem: boolean };

/** Creates valid values: from the service, from examples, at the limits, and random ones. */
export const createTexts = (schema: JsonObject, { examples, pool, isItem }: TextOptions): fc.Arbitrary<string> => {
  const values = listEnumValues(schema);
  if (values.length > 0) return fc.constantFrom(...values);
  const known = pool.filter((text) => isValidText(schema, text) && isTransmittable(text, isItem));
  const usable = examples.filter((text) => isValidText(schema, text) && isTransmittable(text, isItem));
  const sources: fc.WeightedArbitrary<string>[] = [];
  if (known.length > 0) sources.push({ weight: 6, arbitrary: fc.constantFrom(...known) });
  if (usable.length > 0)
    sources.push(
      { weight: 6, arbitrary: fc.constantFrom(...usable).chain(replaceDates) },
      { weight: 1, arbitrary: fc.constantFrom(...usable) },
    );
  if (isOneOf(schema, 'integer')) sources.push({ weight: 6, arbitrary: integers(schema) });
  else if (isOneOf(schema, 'number')) sources.push({ weight: 6, arbitrary: decimals(schema) });
  else if (schema['format'] === 'date') sources.push({ weight: 6, arbitrary: dates });
  else sources.push({ weight: 2, arbitrary: formed(schema) });
  return fc.oneof(...sources).filter((text) => isValidText(schema, text) && isTransmittable(text, isItem));
};
