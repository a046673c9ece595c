import { visit } from 'jsonc-parser';
import { Problem } from '../response/problem.ts';

/** What `JSON.parse` does not report about a text. */
type JsonFindings = {
  /** Index of the first syntax error; within a string it is the start of the string. */
  readonly errorAt: number | undefined;
  /** The first member name that one object has twice. */
  readonly duplicateName: string | undefined;
};

/** Finds the first syntax error and the first duplicate member name. Throws RangeError for thousands of nested levels. */
const inspectJson = (text: string): JsonFindings => {
  const open: Set<string>[] = [];
  let errorAt: number | undefined;
  let duplicateName: string | undefined;
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (name) => {
        const names = open.at(-1);
        if (names?.has(name)) duplicateName ??= name;
        names?.add(name);
      },
      onError: (_, offset) => {
        errorAt ??= offset;
      },
    },
    { disallowComments: true },
  );
  return { errorAt, duplicateName };
};

/** Line and column of an index of a text, counted from 1; columns are UTF-16 code units. */
const formatPosition = (text: string, index: number): string => {
  const before = text.slice(0, index);
  return `line ${before.split('\n').length}, column ${index - before.lastIndexOf('\n')}`;
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
 * Checks that a text is JSON. Throws Problem `invalid-body` with the line and column of a syntax error, and for a member that an object has
 * twice: parsers differ in which one counts (RFC 8259, section 4).
 */
export const validateJsonText = (text: string): void => {
  let cause: unknown;
  try {
    JSON.parse(text);
  } catch (error) {
    cause = error;
  }
  let findings: JsonFindings;
  try {
    findings = inspectJson(text);
  } catch (error) {
    if (error instanceof RangeError)
      throw new Problem('invalid-body', 'The body is nested too deeply.', { cause: error });
    throw error;
  }
  const { errorAt = text.length, duplicateName } = findings;
  if (cause !== undefined)
    throw new Problem('invalid-body', `The body is not valid JSON. The error is in ${formatPosition(text, errorAt)}.`, {
      cause,
    });
  if (duplicateName !== undefined)
    throw new Problem('invalid-body', `The body has the member '${duplicateName}' twice in one object.`);
};
