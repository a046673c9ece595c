import { $, definePluginConfig, type DefinePlugin, type IR } from '@hey-api/openapi-ts';
import {
  resolveReference,
  isJsonObject,
  toJsonObject,
  listOperations,
  type JsonObject,
  type OpenApiOperation,
} from '#lib/openapi-document.ts';

type Routes = DefinePlugin<{ readonly name: 'routes'; readonly includeInEntry?: boolean }>;

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

/** How the text of one query parameter is parsed; the argument of `createQuerySchema` in src/server/http/handler/query.ts. */
export type ParameterStyle = {
  readonly type: Scalar;
  readonly array?: 'csv' | 'repeat';
  readonly enum?: readonly string[];
};

const findScalar = (schema: JsonObject): Scalar => {
  const types = [schema['type']].flat();
  return (['integer', 'number', 'boolean'] as const).find((type) => types.includes(type)) ?? 'string';
};

const findEnum = (schema: JsonObject): { readonly enum?: readonly string[] } => {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(values) || findScalar(schema) !== 'string') return {};
  return { enum: values.filter((value) => typeof value === 'string') };
};

/** Returns the style of a query parameter. By default, OpenAPI writes a list as one `name=value` pair for each item. */
export const findParameterStyle = (document: JsonObject, parameter: JsonObject): ParameterStyle => {
  const schema = toJsonObject(resolveReference(document, parameter['schema']));
  if (schema['type'] !== 'array') return { type: findScalar(schema), ...findEnum(schema) };
  const items = toJsonObject(resolveReference(document, schema['items']));
  return { type: findScalar(items), array: parameter['explode'] === false ? 'csv' : 'repeat', ...findEnum(items) };
};

const collectStyles = (document: JsonObject, { parameters }: OpenApiOperation): Record<string, ParameterStyle> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter['in'] === 'query')
      .map((parameter) => [String(parameter['name']), findParameterStyle(document, parameter)]),
  );

/** Yields a schema and, recursively, those of its items and properties. */
function* schemasIn(document: JsonObject, value: unknown): Generator<JsonObject> {
  const schema = toJsonObject(resolveReference(document, value));
  yield schema;
  if ('items' in schema) yield* schemasIn(document, schema['items']);
  for (const member of Object.values(toJsonObject(schema['properties']))) yield* schemasIn(document, member);
}

/** Returns the patterns of an operation's parameters and body with their descriptions (`x-form`). */
const collectForms = (document: JsonObject, { operation, parameters }: OpenApiOperation): Record<string, string> => {
  const forms: Record<string, string> = {};
  const body = toJsonObject(resolveReference(document, operation['requestBody']));
  for (const { schema: root } of [...parameters, ...Object.values(toJsonObject(body['content'])).map(toJsonObject)])
    for (const { pattern, 'x-form': form } of schemasIn(document, root))
      if (typeof pattern === 'string' && typeof form === 'string') forms[pattern] = form;
  return forms;
};

/** Returns the `$ref` of a response schema when it is a named component. */
const findReference = (response: IR.ResponseObject | undefined): string | undefined => response?.schema.$ref;

/** The middleware `representation` reads them, for cached pages before any validation. */
const conditionalHeaders = ['if-none-match', 'if-modified-since'];

/** Whether an operation has headers that its handler reads; validating the others alone would read all headers of each request. */
const hasOwnHeaders = ({ parameters }: IR.OperationObject): boolean =>
  Object.keys(parameters?.header ?? {}).some((name) => !conditionalHeaders.includes(name.toLowerCase()));

type RoutesPlugin = Parameters<Routes['Handler']>[0]['plugin'];

/** Builds the syntax trees of routes from the operations of one document. */
class RouteBuilder {
  readonly #plugin: RoutesPlugin;
  readonly #document: JsonObject;
  readonly #operations: readonly OpenApiOperation[];
  readonly #createRoute;
  readonly #createQuerySchema;
  readonly #createHeaderSchema;
  readonly #z;

  constructor(plugin: RoutesPlugin) {
    this.#plugin = plugin;
    this.#document = toJsonObject(plugin.context.spec);
    this.#operations = listOperations(this.#document);
    this.#createRoute = plugin.symbol('createRoute', { external: '@hono/zod-openapi' });
    this.#createQuerySchema = plugin.symbol('createQuerySchema', { external: '#http/handler/query.ts' });
    this.#createHeaderSchema = plugin.symbol('createHeaderSchema', { external: '#http/handler/query.ts' });
    this.#z = plugin.symbol('z', { external: '@hono/zod-openapi' });
  }

  /** Builds the `createRoute` call of an operation. */
  buildRoute(ir: IR.OperationObject) {
    const source = this.#operations.find(({ method, path }) => method === ir.method && path === ir.path);
    if (!source) throw new Error(`${ir.method} ${ir.path} is not an operation this service can have`);
    const request = this.#buildRequest(ir, source);
    const route = $.object()
      .pretty()
      .prop('method', $.literal(ir.method))
      .prop('path', $.literal(ir.path))
      .prop('operationId', $.literal(ir.operationId ?? ir.id));
    if (!request.isEmpty) route.prop('request', request);
    route.prop('responses', this.#buildResponses(ir, source));
    return $(this.#createRoute).call(route);
  }

  #buildRequest(ir: IR.OperationObject, source: OpenApiOperation) {
    const request = $.object().pretty();
    const params = this.#findSchema('operation', ir.id, 'request-path');
    const query = this.#findSchema('operation', ir.id, 'request-query');
    const headers = this.#findSchema('operation', ir.id, 'request-headers');
    const body = this.#findSchema('operation', ir.id, 'request-body');
    if (params) request.prop('params', $(params));
    if (query) {
      const forms = collectForms(this.#document, source);
      const words = Object.keys(forms).length > 0 ? [$.fromValue(forms)] : [];
      const styles = $.fromValue(collectStyles(this.#document, source));
      request.prop('query', $(this.#createQuerySchema).call($(query), styles, ...words));
    }
    if (headers && hasOwnHeaders(ir)) request.prop('headers', $(this.#createHeaderSchema).call($(headers)));
    if (body && ir.body)
      request.prop(
        'body',
        $.object()
          .prop('required', $.literal(ir.body.required === true))
          .prop('content', $.object().prop(ir.body.mediaType, $.object().prop('schema', $(body)))),
      );
    return request;
  }

  #buildResponses(ir: IR.OperationObject, source: OpenApiOperation) {
    const responses = $.object().pretty();
    for (const [status, value] of Object.entries(toJsonObject(source.operation['responses']))) {
      const response = toJsonObject(resolveReference(this.#document, value));
      if ('application/problem+json' in toJsonObject(response['content'])) continue;
      const described = $.object()
        .pretty()
        .prop('description', $.literal(String(response['description'])));
      if (isJsonObject(response['content']))
        described.prop('content', this.#buildContent(ir, status, response['content']));
      responses.prop(status, described);
    }
    return responses;
  }

  #buildContent(ir: IR.OperationObject, status: string, declared: JsonObject) {
    const content = $.object();
    const reference = findReference(ir.responses?.[status]);
    const isSuccess = status.startsWith('2');
    if (reference === undefined && !isSuccess)
      throw new Error(
        `${ir.id}: the body of ${status} must be a $ref to a component; inline, its generated schema cannot be identified`,
      );
    const schema =
      reference === undefined
        ? this.#findSchema('operation', ir.id, 'responses')
        : this.#findSchema('definition', reference);
    if (!schema) throw new Error(`${ir.id}: no schema was generated for the body of ${status}`);
    // The parser keeps one schema for each status, that of JSON; other media types are text.
    for (const mediaType of Object.keys(declared)) {
      const isJson = /[/+]json$/.test(mediaType);
      content.prop(mediaType, $.object().prop('schema', isJson ? $(schema) : $(this.#z).attr('string').call()));
    }
    return content;
  }

  /** Returns the symbol of a generated zod schema. */
  #findSchema(resource: 'operation' | 'definition', resourceId: string, role?: string) {
    return this.#plugin.querySymbol({
      artifact: 'zod',
      category: 'schema',
      resource,
      resourceId,
      ...(role !== undefined && { role }),
    });
  }
}

const handler: Routes['Handler'] = ({ plugin }) => {
  const builder = new RouteBuilder(plugin);
  plugin.forEach(
    'operation',
    ({ operation }) => {
      const symbol = plugin.symbol(`${operation.id}Route`, {
        meta: { category: 'route', resource: 'operation', resourceId: operation.id },
      });
      plugin.node($.const(symbol).export().assign(builder.buildRoute(operation)));
    },
    { order: 'declarations' },
  );
};

/**
 * Writes routes.gen.ts: one `createRoute` for each operation, with the generated schemas that the server validates with. Headers,
 * descriptions, examples and error responses, which every operation shares, stay in the bundled document.
 */
export const honoRoutesPlugin = definePluginConfig<Routes['Types']>({
  name: 'routes',
  dependencies: ['@hey-api/typescript', 'zod'],
  config: { includeInEntry: false },
  symbolMeta: () => ({ artifact: 'hono-routes' }),
  handler,
});
