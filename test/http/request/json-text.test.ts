import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateJsonText } from '#http/request/json-text.ts';

/** Returns where the problem of a text says that its error is; undefined for valid JSON. */
const findJsonError = (text: string): { readonly line: number; readonly column: number } | undefined => {
  try {
    validateJsonText(text);
    return undefined;
  } catch (error) {
    const [, line, column] = /The error is in line (\d+), column (\d+)\.$/.exec(String(error)) ?? [];
    if (line === undefined || column === undefined) throw error;
    return { line: Number(line), column: Number(column) };
  }
};

test.each([
  ['nothing at all', '', 1, 1],
  ['only blanks', ' \n ', 2, 2],
  ['a word', 'yes', 1, 1],
  ['a word that goes on', 'nullx', 1, 1],
  ['an object that is not closed', '{"a":1', 1, 7],
  ['a comma before the end of an object', '{"a":1,}', 1, 8],
  ['a comma before the end of a list', '[1,]', 1, 4],
  ['a key without quotes', '{\n  a: 1\n}', 2, 3],
  ['a key in single quotes', "{'a':1}", 1, 2],
  ['no colon', '{"a" 1}', 1, 6],
  ['no comma', '{"a":1 "b":2}', 1, 8],
  ['a list closed as an object', '[1}', 1, 3],
  ['a number with a leading zero', '[01]', 1, 3],
  ['a number without its end', '[1.]', 1, 2],
  ['a plus sign', '[+1]', 1, 2],
  ['a comment', '{"a":1}\n// that is all', 2, 1],
  ['two values', '1 2', 1, 3],
  ['a text with a line break', '{"a":"x\ny"}', 1, 6],
  ['a text with an escape that is none', '["\\x41"]', 1, 2],
  ['a word after escapes', '["\\u00e9\\n", x]', 1, 14],
  ['a text that does not end', '["abc', 1, 2],
])('finds %s at its position, or at the start of the text that it is in', (_, text, line, column) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(findJsonError(text)).toEqual({ line, column });
});

test('in any truncated or corrupted text, the part before the error can be completed to JSON', () => {
  const spoiled = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '}', ']', ',', ':', '"', 'x', '\\', '\n', '1', '-', '.', '{', '['))
    .map(
      ([text, at, extra]) =>
        `${text.slice(0, at % (text.length + 1))}${extra}${text.slice((at % (text.length + 1)) + 1)}`,
    )
    .filter((text) => !isJson(text));
  fc.assert(
    fc.property(spoiled, (text) => {
      const { line, column } = findJsonError(text) ?? { line: 0, column: 0 };
      const lines = text.split('\n');
      const before = [...lines.slice(0, line - 1), (lines[line - 1] ?? '').slice(0, column - 1)].join('\n');
      expect(endings.some((ending) => isJson(complete(before, ending)))).toBe(true);
    }),
    { numRuns: 2000, seed: 20_260_601 },
  );
});

test('reports no error within a valid text', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findJsonError(text)).toBeUndefined();
    }),
    { seed: 20_260_601 },
  );
});

test('scans a text of a megabyte', () => {
  expect(findJsonError(`["${'a'.repeat(1_000_000)}`)).toEqual({ line: 1, column: 2 });
  expect(() => findJsonError('['.repeat(1_000_000))).toThrow('The body is nested too deeply.');
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What a text can lack directly after a valid part. */
const endings = ',0,","":0,":0,0":0,:0,"x",n",1",u0000",u0000":0,n":0,0000",0000":0'.split(',');

/** Appends a piece to a text and closes what is still open. */
const complete = (text: string, ending: string): string => {
  const open: string[] = [];
  let isText = false;
  const whole = `${text}${ending}`;
  for (let at = 0; at < whole.length; at += 1) {
    const char = whole[at] ?? '';
    if (isText) {
      if (char === '\\') at += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '[' || char === '{') open.push(char === '[' ? ']' : '}');
    else if (char === ']' || char === '}') open.pop();
  }
  return `${whole}${open.toReversed().join('')}`;
};
