/** Line and column of a JSON syntax error, counted from 1; columns are UTF-16 code units. */
export type JsonErrorPosition = { readonly line: number; readonly column: number };

/** What is expected next; `next` is a comma or the closing bracket, `nothing` the end of the text. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'next' | 'nothing';

const blank = /[ \t\n\r]*/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

/** Returns the end of the match at an index, or the index where nothing matches. */
const findMatchEnd = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
};

/** Returns the index after the string that starts at an index, or that of its error. A regular expression fails on strings of 1 MB. */
const skipString = (text: string, from: number): { readonly at: number; readonly isComplete: boolean } => {
  for (let at = from + 1; at < text.length;) {
    if (text[at] === '"') return { at: at + 1, isComplete: true };
    const next = text[at] === '\\' ? findMatchEnd(escape, text, at) : text.charCodeAt(at) < 0x20 ? at : at + 1;
    if (next === at) return { at, isComplete: false };
    at = next;
  }
  return { at: text.length, isComplete: false };
};

/** Returns the index of the first error; the length of the text when only its end is missing, or when it is valid. */
const findErrorIndex = (text: string): number => {
  const openBrackets: string[] = [];
  let expected: Expected = 'value';
  const afterValue = (): Expected => (openBrackets.length === 0 ? 'nothing' : 'next');
  for (let at = findMatchEnd(blank, text, 0); at < text.length; at = findMatchEnd(blank, text, at)) {
    const char = text[at] ?? '';
    const inside = openBrackets.at(-1);
    const isValue: boolean = expected === 'value' || expected === 'value or ]';
    if (char === '"' && (isValue || expected === 'key' || expected === 'key or }')) {
      const string = skipString(text, at);
      if (!string.isComplete) return string.at;
      at = string.at;
      expected = isValue ? afterValue() : ':';
      continue;
    }
    const closes = (char === ']' && inside === '[') || (char === '}' && inside === '{');
    if (closes && (expected === 'next' || expected === `value or ${char}` || expected === `key or ${char}`)) {
      openBrackets.pop();
      expected = afterValue();
    } else if (isValue && (char === '[' || char === '{')) {
      openBrackets.push(char);
      expected = char === '[' ? 'value or ]' : 'key or }';
    } else if (expected === ':' && char === ':') expected = 'value';
    else if (expected === 'next' && char === ',') expected = inside === '{' ? 'key' : 'value';
    else {
      const end = isValue ? findMatchEnd(scalar, text, at) : at;
      if (end === at) return at;
      at = end - 1;
      expected = afterValue();
    }
    at += 1;
  }
  return text.length;
};

/** Finds the error in a text that `JSON.parse` rejects. The messages of V8 contain the position only for some errors, and change. */
export const findJsonError = (text: string): JsonErrorPosition => {
  const before = text.slice(0, findErrorIndex(text));
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - start + 1 };
};
