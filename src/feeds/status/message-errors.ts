import type { z } from 'zod';

/** A field that was left out of a message that otherwise stands. */
export type MessageFieldError = {
  /** A short code to count by: a time before the one it follows, or a member that another one of the message denies. */
  readonly reason: 'out-of-order' | 'contradiction';
  /** Where it stood, e.g. `departure.actual.off`, `diversions.0.estimated.in`. */
  readonly field: string;
  /** What stood there. */
  readonly value: string;
  /** A sentence to read. */
  readonly message: string;
};

/** Why a whole line was not taken. */
export type LineRejection = {
  /** A short code to count by. */
  readonly reason:
    | 'too-long'
    | 'not-utf8'
    | 'not-json'
    | 'not-an-object'
    | 'missing-member'
    | 'unknown-member'
    | 'bad-value';
  /** The member at fault, e.g. `departure.gate`, `diversions.0.type`; '' when it is the line as a whole. */
  readonly field: string;
  /** What stood there, at most 80 characters of it; '' when nothing did. */
  readonly value: string;
  /** A sentence to read. */
  readonly message: string;
  /** The message's own id, where it could be read. */
  readonly id?: string;
};

type SchemaIssue = z.core.$ZodIssue;
type MemberError = Pick<LineRejection, 'reason' | 'field' | 'value' | 'message'>;

/** Longer values are cut: a refusal is to be read, and kept, in any number. */
const MAX_VALUE_LENGTH = 80;

/** The first 80 characters of a text. */
export const truncateValue = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;

/** Lists and objects are not spelled out: one of ten thousand levels is quickly sent, and writing it would overflow the stack. */
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

/** What would have been right. */
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

/** The members by which a flight can be named, one to each way. */
const leadingMembers = new Set<PropertyKey>(['carrier', 'statusKey', 'scheduleInstanceKey']);

/** The first issue, looked up within the way of naming a flight that was meant: the one whose leading member is there. */
const findInnermostIssue = (issue: SchemaIssue): SchemaIssue => {
  if (issue.code !== 'invalid_union') return issue;
  const meant = issue.errors.find((errors) => {
    const isOther = ({ path, input }: SchemaIssue) =>
      path.length === 0 ? typeof input !== 'object' : leadingMembers.has(path[0] ?? '') && input === undefined;
    return !errors.some(isOther);
  });
  const [first] = meant ?? [];
  return first ? { ...first, path: [...issue.path, ...first.path] } : issue;
};

const getMember = (input: unknown, name: string): unknown =>
  new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []).get(name);

const describeIssue = (issue: SchemaIssue): MemberError => {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const field = truncateValue(place === '' ? name : `${place}.${name}`);
    const value = formatValue(getMember(issue.input, name));
    return { reason: 'unknown-member', field, value, message: `${field} is no member of a status message.` };
  }
  if (issue.input === undefined)
    return { reason: 'missing-member', field: place, value: '', message: `${place} is required.` };
  return {
    reason: 'bad-value',
    field: place,
    value: formatValue(issue.input),
    message: `${place} ${describeRequirement(issue)}.`,
  };
};

/** The first fault of a message in words: the member by its dotted name, what it must be and what stood there. */
export const describeSchemaError = ({ issues }: z.ZodError): MemberError => {
  const [first] = issues;
  const more = issues.length > 1 ? ` There are ${issues.length - 1} more faults.` : '';
  if (!first) return { reason: 'bad-value', field: '', value: '', message: 'The message is not valid.' };
  const fault = describeIssue(findInnermostIssue(first));
  return { ...fault, message: `${fault.message}${issues.length === 2 ? ' There is 1 more fault.' : more}` };
};
