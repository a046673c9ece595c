import { Problem } from '../response/problem.ts';

/** Size limit of a request body. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Limit of chunks: a body of 1 MiB normally arrives in about a thousand, and each costs as much memory as hundreds of bytes. */
const MAX_CHUNKS = 4096;

/** Shorter than the request timeout of the server, which closes the connection, so that the client still gets a response. */
const BODY_TIMEOUT_MS = 20_000;

const tooLarge = (): Problem => new Problem('body-too-large', `The limit of a body is ${MAX_BODY_BYTES} bytes.`);

/** Yields the chunks of a body. The stream is not cancelled on exit, because the connection must still send the response. */
async function* readChunks(
  body: ReadableStream<Uint8Array> | null,
  timeout: Promise<never>,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const read = () => Promise.race([reader?.read(), timeout]);
  for (let next = await read(); next?.value; next = await read()) yield next.value;
}

/**
 * Reads the body of a request as UTF-8 text without byte order mark. Throws Problem `body-too-large` beyond 1 MiB or 4,096 chunks,
 * `request-timeout` after `timeoutMs`, and `malformed-request` when the body is incomplete.
 */
export const readBodyText = async ({ headers, body }: Request, timeoutMs = BODY_TIMEOUT_MS): Promise<string> => {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const timeout = Promise.withResolvers<never>();
  // The timer can fire after the body was read.
  timeout.promise.catch(() => undefined);
  const timer = setTimeout(
    () => timeout.reject(new Problem('request-timeout', 'The body did not arrive in time.')),
    timeoutMs,
  );
  try {
    for await (const chunk of readChunks(body, timeout.promise)) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) throw tooLarge();
      if (chunks.push(chunk) > MAX_CHUNKS)
        throw new Problem('body-too-large', 'The body arrived in too many pieces. Send larger chunks.');
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // Such an error concerns the connection to the client; it must not be mistaken for an unavailable database.
    throw new Problem('malformed-request', 'The body is incomplete.', { cause });
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

/** Line and column of a JSON syntax error, counted from 1; columns are UTF-16 code units. */
type JsonErrorPosition = { readonly line: number; readonly column: number };

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

/** Finds a member name that one object of a valid JSON text has twice; undefined when there is none. */
const findDuplicateName = (text: string): string | undefined => {
  /** The names of each open object; undefined for an open list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = skipString(text, at).at;
      const names = open.at(-1);
      if (names && text[findMatchEnd(blank, text, end)] === ':') {
        const name = String(JSON.parse(text.slice(at, end)));
        if (names.has(name)) return name;
        names.add(name);
      }
      at = end - 1;
    }
  }
  return undefined;
};

/** A value in a body, with what it takes to name its place. */
type Place = { readonly value: unknown; readonly name: string; readonly parent: Place | undefined };

const formatPath = (place: Place): string => {
  const names: string[] = [];
  for (let at = place; at.parent; at = at.parent) names.unshift(at.name);
  return names.join('.');
};

const describeInvalidCharacter = (text: string): string | undefined => {
  if (text.includes('\0')) return 'a NUL character (U+0000)';
  return text.isWellFormed() ? undefined : 'an unpaired surrogate (U+D800 to U+DFFF)';
};

/**
 * Finds the first text or member name in a body with a character that is not Unicode text or that PostgreSQL cannot store. Returns the path
 * of the member, such as `legs.1.from`, and the error.
 */
export const findInvalidCharacter = (
  body: unknown,
): { readonly path: string; readonly message: string } | undefined => {
  // Not recursive: a body can be half a million lists deep.
  const places: Place[] = [{ value: body, name: '', parent: undefined }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value } = place;
    const found = typeof value === 'string' ? describeInvalidCharacter(value) : undefined;
    if (found !== undefined) return { path: formatPath(place), message: `must not contain ${found}` };
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      const inName = describeInvalidCharacter(name);
      if (inName !== undefined)
        return { path: formatPath(place), message: `must not have a member whose name contains ${inName}` };
      places.push({ value: member, name, parent: place });
    }
  }
  return undefined;
};

/**
 * Parses the text of a body. Throws Problem `invalid-body` with the line and column of a syntax error, and for a member that an object has
 * twice: parsers differ in which one counts (RFC 8259, section 4).
 */
export const parseJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { line, column } = findJsonError(text);
    throw new Problem('invalid-body', `The body is not valid JSON. The error is in line ${line}, column ${column}.`, {
      cause,
    });
  }
  const twice = findDuplicateName(text);
  if (twice !== undefined) throw new Problem('invalid-body', `The body has the member '${twice}' twice in one object.`);
  return value;
};
