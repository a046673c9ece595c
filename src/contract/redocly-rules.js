// Our lint rules for documents, as a Redocly plugin; redocly.yaml lists those that are on. Bundling uses the decorator.
// Each rule checks a whole document, so that it can follow references between files.

const methods = ['get', 'post', 'patch', 'put', 'delete'];
const isProblem = (status) => /^[45]/.test(status);
const isSuccess = (status) => /^2/.test(status);

/** Resolves references between files; returns the file of the value, so that its own references resolve from there. */
const follow = (context, node, file) => {
  if (!node?.$ref) return { node, file, pointer: undefined };
  const found = context.resolve(node, file);
  if (!found.location) return { node: undefined, file, pointer: undefined };
  const next = follow(context, found.node, found.location.source.absoluteRef);
  return {
    ...next,
    pointer: next.pointer ?? { file: found.location.source.absoluteRef, path: found.location.pointer },
  };
};

/** Yields every operation with its parameters, its responses, and a function that reports a problem. */
function* operationsOf(root, context) {
  const base = context.location.source.absoluteRef;
  for (const [path, entry] of Object.entries(root.paths ?? {})) {
    const item = follow(context, entry, base);
    for (const method of methods) {
      const operation = item.node?.[method];
      if (!operation) continue;
      const listed = [...(item.node.parameters ?? []), ...(operation.parameters ?? [])];
      yield {
        method,
        operation,
        name: `${method.toUpperCase()} ${path}`,
        isHealth: operation['x-health'] === true,
        isPublic: (operation.security ?? root.security)?.length === 0,
        file: item.file,
        parameters: listed.map((one) => {
          const { node, file } = follow(context, one, item.file);
          return { ...node, file };
        }),
        responses: Object.entries(operation.responses ?? {}).map(([status, one]) => {
          const { node, file } = follow(context, one, item.file);
          return { status, response: node ?? {}, file };
        }),
        complain: (message, ...under) =>
          context.report({ message, location: context.location.child(['paths', path, method, ...under]).key() }),
      };
    }
  }
}

const forEachOperation = (check) => () => ({
  Root: {
    leave(root, context) {
      for (const one of operationsOf(root, context)) check(one, context, root);
    },
  },
});

/** Returns the properties and required names of an object schema, including those of `allOf`. */
const shapeOf = (context, schema, at) => {
  const { node, file } = follow(context, schema, at);
  const shape = { properties: new Map(), required: new Set(node?.required) };
  for (const [name, value] of Object.entries(node?.properties ?? {})) shape.properties.set(name, { value, file });
  for (const part of node?.allOf ?? []) {
    const more = shapeOf(context, part, file);
    for (const [name, value] of more.properties) shape.properties.set(name, value);
    for (const name of more.required) shape.required.add(name);
  }
  return shape;
};

const isShared = (pointer, kind) =>
  pointer !== undefined && /[\\/]common[\\/]schemas\.yaml$/.test(pointer.file) && kind.test(pointer.path);

/** All lists have the same pagination, so that a client can iterate over every list. */
const pagedLists = forEachOperation(({ method, operation, name, parameters, responses, complain }, context) => {
  // `x-bare-list` marks a list that programs exist for which read it as a bare array, `x-event-stream` what has no end and no count.
  if (method !== 'get' || operation['x-bare-list'] === true || operation['x-event-stream'] === true) return;
  for (const { status, response, file } of responses) {
    const schema = response.content?.['application/json']?.schema;
    if (!isSuccess(status) || !schema) continue;
    if (follow(context, schema, file).node?.type === 'array') {
      complain(`${name} answers a bare array; a list is { data, paging }.`, 'responses', status);
      continue;
    }
    const { properties, required } = shapeOf(context, schema, file);
    const data = properties.get('data');
    const paging = properties.get('paging');
    const isList = paging !== undefined || (data && follow(context, data.value, data.file).node?.type === 'array');
    if (!isList) continue;
    const isWhole = data !== undefined && paging !== undefined && required.has('data') && required.has('paging');
    if (!isWhole || !isShared(follow(context, paging.value, paging.file).pointer, /^#\/Paging\w*$/))
      complain(
        `${name} must answer { data, paging }, both required, paging by a Paging schema of spec/common.`,
        'responses',
        status,
      );
    const query = parameters.filter((one) => one.in === 'query').map((one) => String(one.name).toLowerCase());
    if (!query.includes('limit')) complain(`${name} answers a list and needs the parameter Limit.`);
    if (!query.includes('after') && !query.includes('cursor'))
      complain(`${name} answers a list and needs a cursor parameter.`);
  }
});

/** Whether an answer need not be any version's: what looks nothing up by its address has no 404 but that of a version there is not. */
const isOfNoVersion = (name, status) => status === '404' && !name.includes('{');

/**
 * Every response of a deprecated version has the deprecation headers, except those of no specific version: the 404 of an unknown
 * version, and the 400 of a health check for two versions at once.
 */
const deprecatedHeaders = forEachOperation(({ name, operation, isHealth, responses, complain }, context, root) => {
  if (root['x-lifecycle']?.deprecatedOn === undefined) return;
  if (operation.deprecated !== true)
    complain(`${name} belongs to a version with a deprecatedOn and must be deprecated: true.`);
  for (const { status, response } of responses) {
    if (isOfNoVersion(name, status) || (isHealth && status === '400')) continue;
    for (const header of ['Deprecation', ...(root['x-lifecycle'].sunsetOn === undefined ? [] : ['Sunset'])])
      if (!response.headers?.[header])
        complain(`${name}: ${status} must declare the header ${header}.`, 'responses', status);
  }
});

/** Every response has the API version and the request ID; a 404 may lack the version, which may be what is unknown. */
const identityHeaders = forEachOperation(({ name, responses, complain }, context) => {
  for (const { status, response, file } of responses) {
    for (const header of [...(isOfNoVersion(name, status) ? [] : ['API-Version']), 'X-Request-Id'])
      if (!response.headers?.[header])
        complain(`${name}: ${status} must declare the header ${header}.`, 'responses', status);
    if (status === '404' && follow(context, response.headers?.['API-Version'], file).node?.required)
      complain(`${name}: API-Version is not required on a 404, for there may be no such version.`, 'responses', status);
  }
});

/** Errors are problem documents, except the 503 of a health check, which has the schema of its 200. */
const problemErrors = forEachOperation(({ name, isHealth, responses, complain }, context) => {
  for (const { status, response, file } of responses) {
    if (!isProblem(status) || (isHealth && status === '503')) continue;
    const types = Object.keys(response.content ?? {});
    const schema = response.content?.['application/problem+json']?.schema;
    if (types.length !== 1 || !isShared(follow(context, schema, file).pointer, /^#\/Problem$/))
      complain(
        `${name}: ${status} must be application/problem+json by the shared Problem schema, and nothing else.`,
        'responses',
        status,
      );
  }
});

/**
 * Examples have names: the mock selects them by name, and the portal shows them. Examples of a success have the request that they
 * respond to, `x-request`, so that objects in them can be requested too.
 */
const namedExamples = forEachOperation(({ name, operation, responses, complain }, context) => {
  const hasExamples = (media) => Object.keys(media.examples ?? {}).length > 0;
  for (const { status, response, file } of responses)
    for (const [type, media] of Object.entries(response.content ?? {})) {
      if (!hasExamples(media)) complain(`${name}: ${status} ${type} needs named examples.`, 'responses', status);
      if (!isSuccess(status)) continue;
      for (const [example, value] of Object.entries(media.examples ?? {}))
        if (!/^\/[^?]*(\?.+)?$/.test(follow(context, value, file).node?.['x-request']))
          complain(
            `${name}: example ${example} needs the request it answers, as x-request: /path?query.`,
            'responses',
            status,
          );
    }
  const body = follow(context, operation.requestBody, context.location.source.absoluteRef).node;
  for (const [type, media] of Object.entries(body?.content ?? {}))
    if (!hasExamples(media)) complain(`${name}: its ${type} body needs named examples.`, 'requestBody');
});

/** Every named element has a description, at the reference or at its target. */
const described = () => {
  const isDescribed = (context, value) =>
    Boolean(value?.description ?? follow(context, value, context.location.source.absoluteRef).node?.description);
  return {
    Schema(schema, context) {
      for (const [name, value] of Object.entries(schema.properties ?? {}))
        if (!isDescribed(context, value))
          context.report({
            message: `Property ${name} needs a description.`,
            location: context.location.child(['properties', name]).key(),
          });
    },
    Parameter(parameter, context) {
      if (!parameter.description)
        context.report({ message: `Parameter ${parameter.name} needs a description.`, location: context.location });
    },
    Header(header, context) {
      if (!header.description)
        context.report({ message: `Header ${context.key} needs a description.`, location: context.location });
    },
    Response(response, context) {
      if (!response.description)
        context.report({ message: `Answer ${context.key} needs a description.`, location: context.location });
    },
  };
};

/** Every operation has the optional query parameter `version`. */
const versionParameter = forEachOperation(({ name, parameters, complain }, context, root) => {
  const version = parameters.find((one) => one.in === 'query' && one.name === 'version');
  const schema = follow(context, version?.schema, context.location.source.absoluteRef).node;
  const values = schema?.enum ?? (schema?.const === undefined ? [] : [schema.const]);
  if (!values.includes(root.info?.version))
    complain(`${name} needs the query parameter version, with ${root.info?.version} among its values.`);
  if (version?.required) complain(`${name}: version can be left out; it then means the current one.`);
});

/** Every operation declares the common errors. A health check has no key and no parameter but the version. */
const declaredResponses = forEachOperation(({ name, isHealth, isPublic, operation, responses, complain }) => {
  const wanted = [
    '404',
    '406',
    '503',
    ...(isHealth ? [] : ['400', '500']),
    ...(isPublic ? [] : ['401', '403', '429']),
    ...(operation.requestBody ? ['413', '415'] : []),
  ];
  const declared = responses.map(({ status }) => status);
  for (const status of wanted.toSorted())
    if (!declared.includes(status)) complain(`${name} must declare ${status}.`, 'responses');
  if (!declared.some(isSuccess)) complain(`${name} must declare a success.`, 'responses');
});

/** Health checks are public: probes have no key, and must not need the database to check one. */
const publicHealth = forEachOperation(({ name, isHealth, operation, complain }) => {
  if (!isHealth && !name.endsWith('/health')) return;
  if (!isHealth) complain(`${name} must have x-health: true.`);
  if (!Array.isArray(operation.security) || operation.security.length > 0)
    complain(`${name} must have security: [], because probes have no key.`);
});

/**
 * Responses to a known key have rate limit headers, and a 429 also `Retry-After`. Responses without a known key, and server errors, have
 * none. Other errors may come before or after the key is checked.
 */
const limitHeaders = forEachOperation(({ name, isPublic, responses, complain }) => {
  for (const { status, response } of responses) {
    const hasNoSubscription = isPublic || ['401', '403'].includes(status) || status.startsWith('5');
    const hasLimits = !hasNoSubscription && (isSuccess(status) || ['304', '429'].includes(status));
    for (const header of [
      ...(hasLimits ? ['RateLimit-Policy', 'RateLimit'] : []),
      ...(status === '429' ? ['Retry-After'] : []),
    ])
      if (!response.headers?.[header])
        complain(`${name}: ${status} must declare the header ${header}.`, 'responses', status);
    if (hasNoSubscription && response.headers?.['RateLimit'])
      complain(`${name}: ${status} declares no RateLimit.`, 'responses', status);
  }
});

/**
 * What every product sends: successes name the ignored parameters, pages that replicas and caches can serve how old they are, a 201 what it
 * created, and a 503 when to retry.
 */
const serviceHeaders = forEachOperation(
  ({ method, operation, name, isPublic, responses, complain }, _context, root) => {
    // A deprecated version gets no further headers.
    const isCurrent = root['x-lifecycle']?.deprecatedOn === undefined;
    const isPage = isCurrent && method === 'get' && !isPublic && operation['x-event-stream'] !== true;
    for (const { status, response } of responses) {
      const hasContent = isSuccess(status) || status === '304';
      for (const header of [
        ...(hasContent ? ['Ignored-Parameters'] : []),
        ...(hasContent && isPage ? ['Age', 'Data-As-Of'] : []),
        ...(status === '201' ? ['Location'] : []),
        ...(status === '503' ? ['Retry-After'] : []),
      ])
        if (!response.headers?.[header])
          complain(`${name}: ${status} must declare the header ${header}.`, 'responses', status);
    }
  },
);

/**
 * Conditional requests are declared completely: the request header, the response headers and the 304. Last-Modified is optional, but
 * requires ETag.
 */
const conditionalRequests = forEachOperation(({ method, name, parameters, responses, complain }) => {
  if (method !== 'get') return;
  const headersOf = (wanted) => responses.find(({ status }) => status === wanted)?.response.headers ?? {};
  const sent = parameters.filter((one) => one.in === 'header').map((one) => one.name);
  const partsOf = (parameter, header) => [
    [`the parameter ${parameter}`, sent.includes(parameter)],
    ...['200', '304'].map((status) => [`the header ${header} on ${status}`, header in headersOf(status)]),
  ];
  const byTag = [...partsOf('If-None-Match', 'ETag'), ['304', responses.some(({ status }) => status === '304')]];
  const byTime = partsOf('If-Modified-Since', 'Last-Modified');
  const isAny = (parts) => parts.some(([, isThere]) => isThere);
  const wanted = [...(isAny(byTag) || isAny(byTime) ? byTag : []), ...(isAny(byTime) ? byTime : [])];
  for (const [part, isThere] of wanted)
    if (!isThere) complain(`${name} answers conditional requests and must declare ${part}.`, 'responses');
});

/** If-Match comes with 412, and Idempotency-Key with 422. */
const guardedUpdates = forEachOperation(({ method, name, parameters, responses, complain }) => {
  const sent = parameters.filter((one) => one.in === 'header').map((one) => one.name);
  const declared = responses.map(({ status }) => status);
  for (const [header, status] of [
    ['If-Match', '412'],
    ['Idempotency-Key', '422'],
  ])
    if (sent.includes(header) !== declared.includes(status))
      complain(`${name}: the parameter ${header} and the answer ${status} come together.`, 'responses');
  if (sent.includes('Idempotency-Key') && method !== 'post')
    complain(`${name} can be sent again as it is and needs no Idempotency-Key.`);
});

/** Whether a pattern limits the length: it is anchored, without alternatives outside of groups, and repeats nothing without a limit. */
const limitsLength = (pattern) => {
  const plain = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  let outer = plain;
  while (/\([^()]*\)/.test(outer)) outer = outer.replaceAll(/\([^()]*\)/g, 'x');
  return /^\^.*\$$/.test(plain) && !/[*+]|\{\d+,\}/.test(plain) && !outer.includes('|');
};

/** Returns the bounds that a schema of a request lacks. Enumerated values, and dates by their format, are bounded. */
const missingBounds = (schema) => {
  const types = [schema.type].flat();
  if (schema.enum || schema.const !== undefined) return [];
  const bounds = [];
  if (types.includes('string') && schema.format !== 'date' && !limitsLength(schema.pattern ?? ''))
    bounds.push('maxLength');
  if (types.includes('array')) bounds.push('maxItems');
  if (types.includes('integer') || types.includes('number')) bounds.push('minimum', 'maximum');
  return bounds.filter((bound) => schema[bound] === undefined);
};

/** Every string, array and number that a request can contain has bounds: validators enforce them, and clients know them. */
const boundedRequests = forEachOperation(({ name, operation, file: base, parameters, complain }, context) => {
  const checkSchema = (schema, at, { place, seen = [] }) => {
    const { node, file } = follow(context, schema, at);
    if (!node || seen.includes(node)) return;
    for (const bound of missingBounds(node)) complain(`${name}: ${place} needs ${bound}.`);
    const check = (part, more = '') => checkSchema(part, file, { place: place + more, seen: [...seen, node] });
    for (const [key, value] of Object.entries(node.properties ?? {})) check(value, `.${key}`);
    for (const part of [...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])]) check(part);
    if (node.items) check(node.items, '[]');
    if (typeof node.additionalProperties === 'object') check(node.additionalProperties, '.*');
  };
  for (const { name: place, schema, file } of parameters) checkSchema(schema, file, { place });
  const body = follow(context, operation.requestBody, base);
  for (const media of Object.values(body.node?.content ?? {})) checkSchema(media.schema, body.file, { place: 'body' });
});

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** Webhooks are documented completely: body, signature headers and the meaning of responses. */
const signedWebhooks = () => ({
  Root: {
    leave(root, context) {
      const base = context.location.source.absoluteRef;
      for (const [name, entry] of Object.entries(root.webhooks ?? {})) {
        const item = follow(context, entry, base);
        const complain = (message) =>
          context.report({
            message: `Webhook ${name} ${message}`,
            location: context.location.child(['webhooks', name]).key(),
          });
        const posted = item.node?.post;
        if (!posted || methods.some((method) => method !== 'post' && item.node[method])) {
          complain('must be a POST and nothing else.');
          continue;
        }
        const parameters = (posted.parameters ?? []).map((one) => follow(context, one, item.file).node ?? {});
        for (const header of signedHeaders)
          if (!parameters.some((one) => one.in === 'header' && one.name === header && one.required))
            complain(`must have the required header ${header}.`);
        const body = follow(context, posted.requestBody, item.file).node;
        const media = body?.content?.['application/json'];
        if (!body?.required || !media?.schema || Object.keys(media.examples ?? {}).length === 0)
          complain('needs a required body in JSON, with a schema and named examples.');
        if (posted.security?.length !== 0) complain('carries no subscription key: security: [].');
        for (const status of ['2XX', '410', '503'])
          if (!posted.responses?.[status]) complain(`must say what the answer ${status} means.`);
      }
    },
  },
});

/** int64 is not allowed: generated code uses BigInt, which JSON cannot serialize. */
const plainIntegers = () => ({
  Schema(schema, context) {
    if (schema.format === 'int64')
      context.report({
        message: 'Format int64 is not allowed: leave the format out and give a maximum.',
        location: context.location.child('format'),
      });
  },
});

/** A nullable enum lists null: JSON Schema rejects it otherwise, and code generators differ. */
const nullableEnums = () => ({
  Schema(schema, context) {
    if (Array.isArray(schema.enum) && [schema.type].flat().includes('null') && !schema.enum.includes(null))
      context.report({
        message: 'The type allows null, the enum does not: list null in the enum or drop it from the type.',
        location: context.location.child('enum'),
      });
  },
});

/** The schema dialect is set: with another one, some tools silently validate nothing. */
const dialect = () => ({
  Root(root, context) {
    if (root.jsonSchemaDialect !== 'https://json-schema.org/draft/2020-12/schema')
      context.report({
        message: 'jsonSchemaDialect must be https://json-schema.org/draft/2020-12/schema.',
        location: context.location.child('jsonSchemaDialect').key(),
      });
  },
});

/**
 * Writes the schema of a list parameter in place of a reference. Some generators look for the type in the parameter only, and then ignore
 * `explode: false`. References within the schema stay; they are the same objects that the bundle rewrites.
 */
const inlineListParameters = () => ({
  Parameter: {
    leave(parameter, context) {
      const { node } = follow(context, parameter.schema);
      if (parameter.schema?.$ref && node?.type === 'array') parameter.schema = { ...node };
    },
  },
});

export default () => ({
  id: 'contract',
  decorators: { oas3: { 'inline-list-parameters': inlineListParameters } },
  rules: {
    oas3: {
      'paged-lists': pagedLists,
      'deprecated-headers': deprecatedHeaders,
      'identity-headers': identityHeaders,
      'problem-errors': problemErrors,
      'named-examples': namedExamples,
      described,
      'version-parameter': versionParameter,
      'declared-responses': declaredResponses,
      'conditional-requests': conditionalRequests,
      'public-health': publicHealth,
      'limit-headers': limitHeaders,
      'service-headers': serviceHeaders,
      'guarded-updates': guardedUpdates,
      'signed-webhooks': signedWebhooks,
      'bounded-requests': boundedRequests,
      'plain-integers': plainIntegers,
      'nullable-enums': nullableEnums,
      dialect,
    },
  },
});
