import fc from 'fast-check';
import { MAX_HEADER_BYTES } from '#http/server/connection-limits.ts';
import type { JsonObject } from '#lib/openapi-document.ts';
import { isValidText, isCursor, normalizeValue, createTexts, listEnumValues } from './parameter-values.ts';
import type { Parameter, ValuePool } from './parameter-values.ts';

/** Encoded values of a parameter that violate its schema in one way; several are sent as repeated parameters. */
type InvalidValue = { readonly fault: string; readonly raw: fc.Arbitrary<readonly string[]> };

/** Decodes a raw query value as a server does: `+` is a blank, and malformed escapes stay. */
const decodeQueryValue = (raw: string): string => new URLSearchParams(`x=${raw}`).get('x')?.trim() ?? '';

/** Replaces letters with others that become ASCII in Unicode case conversion: KELVIN SIGN and LATIN SMALL LETTER LONG S. */
const lookalike = (text: string): string => text.replaceAll(/k/gi, '\u{212A}').replaceAll(/s/gi, '\u{17F}');

const insertInvalidCharacter = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.nat({ max: 12 }),
      fc.constantFrom('\0', '\u0007', '\u001B', '\n', '\u0301', '\u200B', '\u{1F6E9}', ...`€١１'";%\\_`),
    )
    .map(([text, at, extra]) => `${text.slice(0, at)}${extra}${text.slice(at)}`);

const nonsense = fc.oneof(
  fc.constantFrom(
    'x'.repeat(5000),
    "' or 1=1 --",
    '\0',
    ...'../../etc/passwd <script> {} [] null undefined! %00 + - . NaN ٣'.split(' '),
  ),
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
);

const badNumbers = 'abc NaN Infinity 1e3 0x10 1.5.5 --1 true ١٢ １２ 1_000 \u00001 1\0'.split(' ');
badNumbers.push('1 2', '1'.repeat(400));
const badDates = (
  '2026-02-30 2026-13-01 2026-00-10 2026-06-00 2025-02-29 26-06-01 2026-6-1 20260601 2026-06-01Z ' +
  '2026-06-01T00:00 01JUN26 today ٢٠٢٦-٠٦-٠١'
).split(' ');
/** Malformed escapes, and escapes of invalid UTF-8. */
const badEscapes = ['%', '%zz', '%E0%A4%A', '%ff%fe', '%c0%ae', '%u0041', '%ed%a0%80'];

const createInvalidTexts = (
  schema: JsonObject,
  valid: fc.Arbitrary<string>,
): readonly (readonly [string, fc.Arbitrary<string>])[] => {
  const { minimum, maximum, maxLength, pattern } = schema;
  const kinds: [string, fc.Arbitrary<string>][] = [];
  const type = [schema['type']].flat()[0];
  const longer = valid.map((text) => `${text}x`);
  if (listEnumValues(schema).length > 0)
    kinds.push(['no such value', fc.oneof(longer, valid.map(lookalike), insertInvalidCharacter(valid), nonsense)]);
  else if (type === 'integer' || type === 'number') {
    kinds.push(['no number', fc.oneof(fc.constantFrom(...badNumbers), nonsense)]);
    if (type === 'integer') kinds.push(['no whole number', fc.constantFrom('1.5', '0.1', '-3.25')]);
  } else if (schema['format'] === 'date')
    kinds.push(['no date', fc.oneof(fc.constantFrom(...badDates), insertInvalidCharacter(valid), nonsense)]);
  else if (typeof pattern === 'string') kinds.push(['no such form', fc.oneof(insertInvalidCharacter(valid), nonsense)]);
  if (typeof minimum === 'number')
    kinds.push(['too small', fc.constantFrom(minimum - 1, minimum - 1_000_000).map(String)]);
  if (typeof maximum === 'number')
    kinds.push(['too large', fc.constantFrom(maximum + 1, 2 ** 53, 1e20).map((value) => BigInt(value).toString())]);
  if (typeof maxLength === 'number')
    kinds.push(['too long', fc.nat({ max: 5000 }).map((extra) => 'A'.repeat(maxLength + 1 + extra))]);
  return kinds;
};

const isInvalid =
  (schema: JsonObject, isItem = false) =>
  (raw: string): boolean => {
    const text = decodeQueryValue(raw);
    return text !== '' && !isValidText(schema, text) && !(isItem && text.includes(','));
  };

const listFaults = (schema: JsonObject, items: JsonObject, item: fc.Arbitrary<string>): readonly InvalidValue[] => {
  const invalid = createInvalidTexts(items, item).map(([fault, texts]) => ({
    fault: `an item: ${fault}`,
    raw: fc
      .tuple(texts.map(encodeURIComponent).filter(isInvalid(items, true)), fc.array(item, { maxLength: 3 }))
      .chain(([invalidItem, validItems]) =>
        fc.shuffledSubarray([invalidItem, ...validItems.map(encodeURIComponent)], { minLength: validItems.length + 1 }),
      )
      .map((all) => [all.join(',')]),
  }));
  const { maxItems } = schema;
  // Longer lists are longer than the head of a request can be, and their values cannot all be different.
  if (typeof maxItems !== 'number' || maxItems >= MAX_HEADER_BYTES / 2) return invalid;
  const selector = (text: string): string => normalizeValue(items, text);
  const many = fc.uniqueArray(item, { minLength: maxItems + 1, maxLength: maxItems + 1, selector });
  return [...invalid, { fault: 'too many items', raw: many.map((all) => [all.map(encodeURIComponent).join(',')]) }];
};

export const createInvalidValues = (parameter: Parameter, pool: ValuePool): readonly InvalidValue[] => {
  const { schema, items, examples } = parameter;
  if (items) return listFaults(schema, items, createTexts(items, { examples, pool, isItem: true }));
  const valid = createTexts(schema, { examples, pool, isItem: false });
  const invalid = createInvalidTexts(schema, valid).map(([fault, texts]) => ({
    fault,
    raw: texts
      .map(encodeURIComponent)
      .filter(isInvalid(schema))
      .map((raw) => [raw]),
  }));
  if (parameter.in !== 'query') return invalid;
  const invalidEscapes = badEscapes.filter(isInvalid(schema));
  const escapes =
    invalidEscapes.length === 0 || isCursor(parameter)
      ? []
      : [{ fault: 'bad escapes', raw: fc.constantFrom(...invalidEscapes).map((raw) => [raw]) }];
  const two = {
    fault: 'two different values',
    raw: fc
      .tuple(valid, valid)
      .filter(([one, other]) => normalizeValue(schema, one) !== normalizeValue(schema, other))
      .map((both) => both.map(encodeURIComponent)),
  };
  const isSingle = listEnumValues(schema).length === 1;
  return [...invalid, ...escapes, ...(isSingle ? [] : [two])];
};
