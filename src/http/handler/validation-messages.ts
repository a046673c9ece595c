import type { z } from '@hono/zod-openapi';
import type { ParameterErrors } from '../response/problem.ts';

/** A list of thousands of bad items need not become an answer of thousands of lines. */
const MESSAGES_A_PARAMETER = 5;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const seen = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = String(value);
  if (typeof value !== 'string') return text;
  return `'${text.length > 64 ? `${text.slice(0, 64)}…` : text}'`;
};

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'a text',
  array: 'a list',
  object: 'an object',
};

const formatNames: Readonly<Record<string, string>> = {
  date: 'a date like 2026-01-31',
  datetime: 'a date and time like 2026-01-31T09:30:00Z',
  time: 'a time like 09:30:00',
  email: 'an e-mail address',
  url: 'an absolute URL',
  uuid: 'a UUID',
};

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

const boundary = (word: 'at most' | 'at least', issue: RawIssue & { code: 'too_big' | 'too_small' }): string => {
  const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  // A limit of the runtime and not of the contract, which names its own.
  if (bound === Number.MAX_SAFE_INTEGER) return 'is far too large a number';
  const strict = word === 'at most' ? 'less than' : 'more than';
  const unit = units[issue.origin];
  if (unit === undefined)
    return `must be ${issue.inclusive === false ? strict : word} ${bound}, not ${seen(issue.input)}`;
  const length = typeof issue.input === 'string' || Array.isArray(issue.input) ? `, not ${issue.input.length}` : '';
  return `must have ${word} ${bound} ${unit}${length}`;
};

/** What patterns of the contract mean, by their regular expression: nobody should have to read one. */
const meanings = new Map<string, string>();

/** Makes messages about these patterns say what is wanted in words, e.g. `a date like 2026-01-31`. */
export const explainPatterns = (forms: Readonly<Record<string, string>>): void => {
  for (const [pattern, form] of Object.entries(forms)) meanings.set(String(new RegExp(pattern)), form);
};

const formatMessage = (issue: RawIssue & { code: 'invalid_format' }): string => {
  const name = formatNames[issue.format];
  if (name !== undefined) return `must be ${name}, not ${seen(issue.input)}`;
  const meaning = meanings.get(String(issue.pattern));
  if (meaning !== undefined) return `must be ${meaning}, not ${seen(issue.input)}`;
  if (issue.pattern !== undefined) return `does not have the form ${issue.pattern}: ${seen(issue.input)}`;
  return `does not have the form '${issue.format}': ${seen(issue.input)}`;
};

/** The words for an issue that the schema has no message of its own for: what is wanted, and the value seen. */
export const issueMessage = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${seen(issue.input)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}, not ${seen(issue.input)}`;
    case 'too_big':
      return boundary('at most', issue);
    case 'too_small':
      return boundary('at least', issue);
    case 'invalid_format':
      return formatMessage(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${seen(issue.input)}`;
    case 'unrecognized_keys':
      return `has members that are not known: ${issue.keys.map(seen).join(', ')}`;
    default:
      return `is not valid: ${seen(issue.input)}`;
  }
};

/**
 * Issues as messages by parameter. A list's items count as their parameter (`depth` 1); of a body the whole path is kept, joined by
 * dots. Issues about several parameters at once come under `''`.
 */
export const parameterErrors = (issues: readonly z.core.$ZodIssue[], depth = 1): ParameterErrors => {
  const byName = new Map<string, string[]>();
  for (const issue of issues) {
    const name = issue.path.slice(0, depth).join('.');
    const messages = byName.get(name) ?? [];
    byName.set(name, messages);
    if (!messages.includes(issue.message)) messages.push(issue.message);
  }
  return Object.fromEntries(
    [...byName].map(([name, messages]) => {
      const rest = messages.length - MESSAGES_A_PARAMETER;
      return [name, rest > 0 ? [...messages.slice(0, MESSAGES_A_PARAMETER), `and ${rest} more`] : messages];
    }),
  );
};
