import { type RouteConfig, z } from '@hono/zod-openapi';
import type { RequestContext } from '../request/request-context.ts';
import { invalidBody, invalidParameters, type ParameterErrors, Problem } from '../response/problem.ts';
import { findInvalidCharacter, parseJson, readBodyText } from './request-body.ts';

/** Limits the response to a list of thousands of invalid items. */
const MAX_MESSAGES_PER_PARAMETER = 5;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const formatInput = (value: unknown): string => {
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

/** The validated parts of a request; undefined where the operation has no such part. */
export type ValidatedInput = {
  readonly query: unknown;
  readonly params: unknown;
  readonly headers: unknown;
  readonly body: unknown;
};

type ValidationResult = { readonly data: unknown; readonly errors: ParameterErrors };

const noErrors: ValidationResult = { data: undefined, errors: {} };

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && 'safeParse' in value;

const validate = (schema: z.ZodType, raw: unknown, depth: number): ValidationResult => {
  const result = schema.safeParse(raw, { error: formatIssue });
  return result.success
    ? { data: result.data, errors: {} }
    : { data: undefined, errors: groupIssuesByParameter(result.error.issues, depth) };
};

/** Returns the query as names to texts. The router has resolved any alias of the version, so its name replaces what was sent. */
const readQuery = ({ query, version }: RequestContext): Readonly<Record<string, readonly string[]>> => {
  const raw: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.toLowerCase() !== 'version') (raw[name] ??= []).push(value);
  }
  raw['version'] = [version];
  return raw;
};

/** Returns the headers that a schema names; a blank header counts as absent, as a blank parameter does. */
const readHeaders = (schema: z.ZodType, sent: Headers): Readonly<Record<string, string>> => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const values = names.map((name) => [name, sent.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
};

/** Returns a function that reads the parameters of a path template, e.g. `/carriers/{code}`, from a path of the router. */
const createPathReader = (template: string): ((path: string) => Readonly<Record<string, string>>) => {
  const positions = template
    .split('/')
    .flatMap((segment, index) => (segment.startsWith('{') ? [[segment.slice(1, -1), index] as const] : []));
  return (path) => {
    const segments = path.split('/');
    return Object.fromEntries(positions.map(([name, index]) => [name, decodeURIComponent(segments[index] ?? '')]));
  };
};

const readBody = async (schema: z.ZodType, isRequired: boolean, request: Request): Promise<unknown> => {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem(
      'unsupported-media-type',
      `Send the body without compression, not with Content-Encoding '${encoding.slice(0, 64)}'.`,
    );
  const text = await readBodyText(request);
  if (text === '') {
    if (!isRequired) return undefined;
    throw new Problem('invalid-body', 'A body is required. Send it as application/json.');
  }
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/([a-z.-]+\+)?json$/.test(mediaType))
    throw new Problem(
      'unsupported-media-type',
      `Send the body as application/json, not as '${mediaType.slice(0, 64)}'.`,
    );
  const body = parseJson(text);
  const { data, errors } = validate(schema, body, Infinity);
  const invalid = findInvalidCharacter(body);
  const all = invalid ? { ...errors, [invalid.path]: [...(errors[invalid.path] ?? []), invalid.message] } : errors;
  const { '': whole, ...members } = all;
  if (whole) throw invalidBody({ ...members, '': whole.map((message) => `The body ${message}`) });
  if (Object.keys(members).length > 0) throw invalidBody(members);
  return data;
};

/** Validates a request against the schemas of its operation. */
export type ValidateInput = (request: Request, context: RequestContext) => Promise<ValidatedInput>;

/**
 * Returns the validation of an operation. Errors of path, query and headers are reported together (Problem `invalid-parameter`), before
 * those of the body (`invalid-body`, `unsupported-media-type`, `body-too-large`).
 */
export const createInputValidator = ({ path, request: schemas = {} }: RouteConfig): ValidateInput => {
  const { query, params, headers, body } = schemas;
  const media = body?.content['application/json'];
  const bodySchema = media !== undefined && 'schema' in media ? media.schema : undefined;
  const readPath = createPathReader(path);
  return async (request, context) => {
    const validQuery = isSchema(query) ? validate(query, readQuery(context), 1) : noErrors;
    const validParams = isSchema(params) ? validate(params, readPath(context.path), 1) : noErrors;
    const validHeaders = isSchema(headers) ? validate(headers, readHeaders(headers, request.headers), 1) : noErrors;
    const errors = { ...validParams.errors, ...validQuery.errors, ...validHeaders.errors };
    if (Object.keys(errors).length > 0) throw invalidParameters(errors);
    const validBody = isSchema(bodySchema) ? await readBody(bodySchema, body?.required ?? false, request) : undefined;
    return { query: validQuery.data, params: validParams.data, headers: validHeaders.data, body: validBody };
  };
};
