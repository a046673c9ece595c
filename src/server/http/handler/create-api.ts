import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Env } from '../context/env.ts';
import { findInvalidCharacter } from '../request/json-text.ts';
import { invalidBody, invalidParameters, type ParameterErrors } from '../response/problem.ts';
import { formatIssue, groupIssuesByParameter } from './issue-messages.ts';
import { findMisnamedMembers, type OtherMemberNames } from './misnamed-members.ts';

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && 'safeParse' in value;

/** Returns the errors of a value by parameter, or for a body by the path of the member; empty when it fits the schema. */
const findErrors = (schema: unknown, value: unknown, depth: number): ParameterErrors => {
  const result = isSchema(schema) ? schema.safeParse(value, { error: formatIssue }) : undefined;
  return result?.error ? groupIssuesByParameter(result.error.issues, depth) : {};
};

/** Returns the headers of a request by the names of the contract. */
const readHeaders = (sent: Readonly<Record<string, string>>, schema: unknown): Readonly<Record<string, unknown>> => {
  const names = schema instanceof z.ZodPipe && schema.in instanceof z.ZodObject ? Object.keys(schema.in.shape) : [];
  return Object.fromEntries(names.map((name) => [name, sent[name.toLowerCase()]]));
};

/** Merges errors by name: a header can have the name that was sent as a parameter. */
const mergeErrors = (all: readonly ParameterErrors[]): ParameterErrors => {
  const merged = new Map<string, readonly string[]>();
  for (const [name, messages] of all.flatMap(Object.entries<readonly string[]>))
    merged.set(name, [...(merged.get(name) ?? []), ...messages]);
  return Object.fromEntries(merged);
};

/** Throws the Problem of all errors of names in the query, path, query and headers together. */
const rejectParameters = ({ request = {} }: RouteConfig, c: Context<Env>): never => {
  const { req } = c;
  throw invalidParameters(
    mergeErrors([
      c.get('parameterErrors') ?? {},
      findErrors(request.params, req.param(), 1),
      findErrors(request.query, req.queries(), 1),
      findErrors(request.headers, readHeaders(req.header(), request.headers), 1),
    ]),
  );
};

/** Throws the Problem of a body with errors: those of its schema, misnamed members, and texts that the database cannot store. */
const rejectInvalidBody = async (
  { request }: RouteConfig,
  { req }: Context<Env>,
  otherMembers: OtherMemberNames,
): Promise<void> => {
  const media = request?.body?.content['application/json'];
  const body: unknown = await req.json();
  const schema = media && 'schema' in media ? media.schema : undefined;
  const errors = mergeErrors([findErrors(schema, body, Infinity), findMisnamedMembers(schema, body, otherMembers)]);
  const invalid = findInvalidCharacter(body);
  const { '': whole, ...members } = invalid
    ? { ...errors, [invalid.path]: [...(errors[invalid.path] ?? []), invalid.message] }
    : errors;
  if (whole) throw invalidBody({ ...members, '': whole.map((message) => `The body ${message}`) });
  if (Object.keys(members).length > 0) throw invalidBody(members);
};

/** Where the operations of a version read: in memory, in a replica that is up to date, or in the primary database only. */
export type ReadSource = 'memory' | 'replica' | 'primary';

export type ApiOptions = {
  readonly reads: ReadSource;
  /** Operations whose pages are cached; their handlers fill in the cache hint. */
  readonly cached?: readonly RouteConfig[];
  /** Operations with the method of a change that change nothing another request of the subscription waits for. */
  readonly unlocked?: readonly RouteConfig[];
  /** Names that clients send for members of bodies. */
  readonly otherMembers?: OtherMemberNames;
};

/** What the pipeline needs to know about an operation besides the contract. */
export type OperationTraits = { readonly reads: ReadSource; readonly isCached: boolean; readonly isUnlocked: boolean };

/** The application of one version of a product. */
export class ProductApi extends OpenAPIHono<Env> {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    const { otherMembers = {} } = options;
    super({
      defaultHook: async (result, c) => {
        if (result.success && result.target !== 'json' && !c.get('parameterErrors')) return;
        const { operationId } = c.get('operation');
        const { route } = this.#findRoute(operationId) ?? {};
        if (!route) throw new Error(`no route is bound for ${operationId}`);
        if (result.target === 'json') await rejectInvalidBody(route, c, otherMembers);
        else rejectParameters(route, c);
      },
    });
    this.#options = options;
  }

  getTraits(operationId: string): OperationTraits {
    const { reads, cached = [], unlocked = [] } = this.#options;
    const isOperation = (route: RouteConfig): boolean => route.operationId === operationId;
    return { reads, isCached: cached.some(isOperation), isUnlocked: unlocked.some(isOperation) };
  }

  #findRoute(operationId: string) {
    return this.openAPIRegistry.definitions
      .filter((definition) => definition.type === 'route')
      .find(({ route }) => route.operationId === operationId);
  }
}

/**
 * Creates the application of one version of a product. Bind its operations with `api.openapi(route, handler)`; invalid input becomes a Problem
 * that names each parameter, its value and what is expected, and never reaches the handler.
 */
export const createApi = (options: ApiOptions): ProductApi => new ProductApi(options);
