import { z, type RouteConfig } from '@hono/zod-openapi';
import { findJsonError } from './json-error-position.ts';
import { readBodyText } from './request-body.ts';
import type { RequestContext } from '../request/request-context.ts';
import { invalidBody, invalidParameters, Problem, type ParameterErrors } from '../response/problem.ts';
import { issueMessage, parameterErrors } from './validation-messages.ts';

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
  const result = schema.safeParse(raw, { error: issueMessage });
  return result.success
    ? { data: result.data, errors: {} }
    : { data: undefined, errors: parameterErrors(result.error.issues, depth) };
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
const pathReader = (template: string): ((path: string) => Readonly<Record<string, string>>) => {
  const positions = template
    .split('/')
    .flatMap((segment, index) => (segment.startsWith('{') ? [[segment.slice(1, -1), index] as const] : []));
  return (path) => {
    const segments = path.split('/');
    return Object.fromEntries(positions.map(([name, index]) => [name, decodeURIComponent(segments[index] ?? '')]));
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = findJsonError(text);
    throw new Problem(
      'invalid-body',
      `The body is not well-formed JSON; it goes wrong in line ${line}, column ${column}.`,
      { cause },
    );
  }
};

const readBody = async (schema: z.ZodType, isRequired: boolean, request: Request): Promise<unknown> => {
  const text = await readBodyText(request);
  if (text === '') {
    if (!isRequired) return undefined;
    throw new Problem('invalid-body', 'A body is needed, sent as application/json.');
  }
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/([a-z.-]+\+)?json$/.test(mediaType))
    throw new Problem(
      'unsupported-media-type',
      `Send the body as application/json, not as '${mediaType.slice(0, 64)}'.`,
    );
  const { data, errors } = validate(schema, parseJson(text), Infinity);
  const { '': whole, ...members } = errors;
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
export const createInputValidator = ({ path: template, request: schemas = {} }: RouteConfig): ValidateInput => {
  const { query, params, headers, body } = schemas;
  const media = body?.content['application/json'];
  const bodySchema = media !== undefined && 'schema' in media ? media.schema : undefined;
  const readPath = pathReader(template);
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
