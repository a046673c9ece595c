import { maskKeyForms } from '#lib/mask-keys.ts';
import type { z } from '@hono/zod-openapi';
import type { ParameterErrors } from '../response/problem.ts';

/** Limits the response to a list of thousands of invalid items. */
const MAX_MESSAGES_PER_PARAMETER = 5;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const formatInput = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const text = maskKeyForms(value);
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

const boundMessage = (word: 'at most' | 'at least', issue: RawIssue & { code: 'too_big' | 'too_small' }): string => {
  const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  // A limit of JavaScript, not of the contract.
  if (bound === Number.MAX_SAFE_INTEGER) return 'is far too large a number';
  const strict = word === 'at most' ? 'less than' : 'more than';
  const unit = units[issue.origin];
  if (unit === undefined)
    return `must be ${issue.inclusive === false ? strict : word} ${bound}, not ${formatInput(issue.input)}`;
  const length = typeof issue.input === 'string' || Array.isArray(issue.input) ? `, not ${issue.input.length}` : '';
  return `must have ${word} ${bound} ${unit}${length}`;
};

/** Descriptions of patterns of the contract by their regular expression, which clients should not have to read. */
const patternDescriptions = new Map<string, string>();

/** Registers descriptions of patterns for messages, e.g. `a date like 2026-01-31`. */
export const explainPatterns = (descriptions: Readonly<Record<string, string>>): void => {
  for (const [pattern, description] of Object.entries(descriptions))
    patternDescriptions.set(String(new RegExp(pattern)), description);
};

const formatMessage = (issue: RawIssue & { code: 'invalid_format' }): string => {
  const name = formatNames[issue.format];
  if (name !== undefined) return `must be ${name}, not ${formatInput(issue.input)}`;
  const description = patternDescriptions.get(String(issue.pattern));
  if (description !== undefined) return `must be ${description}, not ${formatInput(issue.input)}`;
  if (issue.pattern !== undefined) return `does not have the form ${issue.pattern}: ${formatInput(issue.input)}`;
  return `does not have the form '${issue.format}': ${formatInput(issue.input)}`;
};

/** Returns the message of an issue without a message of its own: what is expected, and the value received. */
export const formatIssue = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${formatInput(issue.input)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}, not ${formatInput(issue.input)}`;
    case 'too_big':
      return boundMessage('at most', issue);
    case 'too_small':
      return boundMessage('at least', issue);
    case 'invalid_format':
      return formatMessage(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${formatInput(issue.input)}`;
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys.map(formatInput).join(', ')}`;
    case 'invalid_union':
      // Of a value with several types, the first type is described, unless another one fits.
      return (issue.errors.find(([first]) => first?.code !== 'invalid_type') ?? issue.errors[0])?.[0]?.message ?? '';
    default:
      return `is not valid: ${formatInput(issue.input)}`;
  }
};

/**
 * Groups the messages of issues by parameter. Items of a list count as their parameter (`depth` 1); for a body the name is the whole path,
 * joined by dots. Issues of several parameters together have the name `''`.
 */
export const groupIssuesByParameter = (issues: readonly z.core.$ZodIssue[], depth = 1): ParameterErrors => {
  const byName = new Map<string, string[]>();
  for (const issue of issues) {
    const name = issue.path.slice(0, depth).join('.');
    const messages = byName.get(name) ?? [];
    byName.set(name, messages);
    if (!messages.includes(issue.message)) messages.push(issue.message);
  }
  return Object.fromEntries(
    [...byName].map(([name, messages]) => {
      const rest = messages.length - MAX_MESSAGES_PER_PARAMETER;
      return [name, rest > 0 ? [...messages.slice(0, MAX_MESSAGES_PER_PARAMETER), `and ${rest} more`] : messages];
    }),
  );
};
