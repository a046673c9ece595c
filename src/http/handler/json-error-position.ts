/** Where a text stops being JSON, counted from 1; columns are UTF-16 units. */
export type JsonErrorPosition = { readonly line: number; readonly column: number };

/** What may come next: a value, a key, the colon behind it, or what is between and behind the items of a list or object. */
type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'next' | 'nothing';

const blank = /[ \t\n\r]*/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

/** The end of what a pattern matches at an index; the index itself where it matches nothing. */
const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
};

/** The index behind the string that starts at an index, or where it goes wrong. A loop, since a pattern could not take a string of a megabyte. */
const readString = (text: string, from: number): { readonly at: number; readonly isWhole: boolean } => {
  for (let at = from + 1; at < text.length;) {
    if (text[at] === '"') return { at: at + 1, isWhole: true };
    const next = text[at] === '\\' ? endOf(escape, text, at) : text.charCodeAt(at) < 0x20 ? at : at + 1;
    if (next === at) return { at, isWhole: false };
    at = next;
  }
  return { at: text.length, isWhole: false };
};

/** The index at which a text stops being JSON; its length when only its end is missing, or nothing is. */
const faultIndex = (text: string): number => {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  const after = (): Wanted => (open.length === 0 ? 'nothing' : 'next');
  for (let at = endOf(blank, text, 0); at < text.length; at = endOf(blank, text, at)) {
    const char = text[at] ?? '';
    const inside = open.at(-1);
    const isValue: boolean = wanted === 'value' || wanted === 'value or ]';
    if (char === '"' && (isValue || wanted === 'key' || wanted === 'key or }')) {
      const string = readString(text, at);
      if (!string.isWhole) return string.at;
      at = string.at;
      wanted = isValue ? after() : ':';
      continue;
    }
    const closes = (char === ']' && inside === '[') || (char === '}' && inside === '{');
    if (closes && (wanted === 'next' || wanted === `value or ${char}` || wanted === `key or ${char}`)) {
      open.pop();
      wanted = after();
    } else if (isValue && (char === '[' || char === '{')) {
      open.push(char);
      wanted = char === '[' ? 'value or ]' : 'key or }';
    } else if (wanted === ':' && char === ':') wanted = 'value';
    else if (wanted === 'next' && char === ',') wanted = inside === '{' ? 'key' : 'value';
    else {
      const end = isValue ? endOf(scalar, text, at) : at;
      if (end === at) return at;
      at = end - 1;
      wanted = after();
    }
    at += 1;
  }
  return text.length;
};

/** Where a text that JSON.parse refuses goes wrong: its messages tell it for some faults only, and in words that change. */
export const findJsonError = (text: string): JsonErrorPosition => {
  const before = text.slice(0, faultIndex(text));
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - start + 1 };
};
