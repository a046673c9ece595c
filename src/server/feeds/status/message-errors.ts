import type { z } from 'zod';
import { scheduledForms } from './message-schema.ts';

/** A field that was left out of an accepted message. */
export type MessageFieldError = {
  /** A time before the previous one, or a member that contradicts another one of the message. */
  readonly reason: 'out-of-order' | 'contradiction';
  /** The path of the member, e.g. `departure.actual.off`, `diversions.0.estimated.in`. */
  readonly field: string;
  readonly value: string;
  readonly message: string;
};

/** Why a line was rejected. */
export type LineRejection = {
  readonly reason:
    | 'too-long'
    | 'not-utf8'
    | 'not-json'
    | 'not-an-object'
    | 'missing-member'
    | 'unknown-member'
    | 'bad-value';
  /** The path of the invalid member, e.g. `departure.gate`, `diversions.0.type`; '' for the whole line. */
  readonly field: string;
  /** The first 80 characters of the value; '' when there was none. */
  readonly value: string;
  readonly message: string;
  /** The ID of the message, if it is valid. */
  readonly id?: string;
};

type SchemaIssue = z.core.$ZodIssue;
type MemberError = Pick<LineRejection, 'reason' | 'field' | 'value' | 'message'>;

/** Longer values are cut, since reports can contain any number of rejections. */
const MAX_VALUE_LENGTH = 80;

/** Returns the first 80 characters of a text. */
export const truncateValue = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;

/** Formats a value without the contents of lists and objects: writing one with 10,000 levels would overflow the stack. */
const formatValue = (input: unknown): string => {
  if (Array.isArray(input)) return '[…]';
  if (typeof input === 'object' && input !== null) return '{…}';
  if (input === undefined) return '';
  return truncateValue(typeof input === 'string' ? input : JSON.stringify(input));
};

const describeInput = (input: unknown): string => {
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object' && input !== null) return 'an object';
  return typeof input === 'string' ? `'${truncateValue(input)}'` : String(input);
};

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  string: 'a text',
  array: 'a list',
  object: 'an object',
};

/** Returns what a value must be. */
const describeRequirement = (issue: SchemaIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${describeInput(issue.input)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}, not ${describeInput(issue.input)}`;
    case 'too_big':
      return issue.origin === 'array'
        ? `must have at most ${issue.maximum} items`
        : `must be at most ${issue.maximum}, not ${describeInput(issue.input)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}, not ${describeInput(issue.input)}`;
    case 'invalid_union':
      return issue.message;
    default:
      return typeof issue.input === 'string'
        ? `must be ${issue.message}, not ${describeInput(issue.input)}`
        : issue.message;
  }
};

/** The members that identify each form of a flight reference. */
const leadingMembers = new Set<PropertyKey>([
  'carrier',
  'statusKey',
  'scheduleInstanceKey',
  ...Object.keys(scheduledForms),
]);

const findScheduledForm = (issue: SchemaIssue): z.ZodType | undefined => {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  if (keys.includes('scheduledDeparture')) return scheduledForms.scheduledDeparture;
  return keys.includes('scheduledArrival') ? scheduledForms.scheduledArrival : undefined;
};

/** Returns the first issue. For a flight reference, it is that of the intended form, whose identifying members are present. */
const findInnermostIssue = (issue: SchemaIssue): SchemaIssue => {
  // Of a union, zod returns the issues of the only form in which no member is invalid: here it is not the intended one.
  const [ofForm] = findScheduledForm(issue)?.safeParse(issue.input, { reportInput: true }).error?.issues ?? [];
  if (ofForm) return { ...ofForm, path: [...issue.path, ...ofForm.path] };
  if (issue.code !== 'invalid_union') return issue;
  const intended = issue.errors.find((errors) => {
    const isOther = ({ path, input }: SchemaIssue) =>
      path.length === 0 ? typeof input !== 'object' : leadingMembers.has(path[0] ?? '') && input === undefined;
    return !errors.some((error) => isOther(error) || findScheduledForm(error));
  });
  const [first] = intended ?? [];
  return first ? { ...first, path: [...issue.path, ...first.path] } : issue;
};

const getMember = (input: unknown, name: string): unknown =>
  new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []).get(name);

const describeIssue = (issue: SchemaIssue): MemberError => {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const field = truncateValue(path === '' ? name : `${path}.${name}`);
    const value = formatValue(getMember(issue.input, name));
    return { reason: 'unknown-member', field, value, message: `${field} is not a member of a status message.` };
  }
  if (issue.input === undefined)
    return { reason: 'missing-member', field: path, value: '', message: `${path} is required.` };
  return {
    reason: 'bad-value',
    field: path,
    value: formatValue(issue.input),
    message: `${path} ${describeRequirement(issue)}.`,
  };
};

/** Other errors of a message that are named after the first one. */
const MAX_NAMED_ERRORS = 3;

/** Describes the first error of a message: the path of the member, what it must be, and its value; names the members of the others. */
export const describeSchemaError = ({ issues }: z.ZodError): MemberError => {
  const [first, ...others] = issues;
  if (!first) return { reason: 'bad-value', field: '', value: '', message: 'The message is not valid.' };
  const error = describeIssue(findInnermostIssue(first));
  if (others.length === 0) return error;
  const fields = others.slice(0, MAX_NAMED_ERRORS).map((issue) => describeIssue(findInnermostIssue(issue)).field);
  const count = others.length === 1 ? 'is 1 more error' : `are ${others.length} more errors`;
  const more = others.length > MAX_NAMED_ERRORS ? ', ...' : '';
  return { ...error, message: `${error.message} There ${count}: ${fields.join(', ')}${more}.` };
};
