import {
  assertPercentEncoded,
  defineInteger,
  defineText,
  defineVariable,
  type Environment,
  type VariableDescription,
} from '../lib/environment-variable.ts';

/** Where traces are sent, and which. The OpenTelemetry SDK itself reads headers and resource attributes from the environment. */
export type TracingOptions = {
  /** The URL of OTLP over HTTP, with its path; may contain a user and a password. */
  readonly url: string;
  /** One of `samplers`. */
  readonly sampler: string;
  /** The share of traces that `traceidratio` keeps, 0 to 1. */
  readonly ratio: number;
  readonly timeoutMs: number;
  /** How long spans are collected before they are sent. */
  readonly delayMs: number;
};

const roots = ['always_on', 'always_off', 'traceidratio'];
const samplers = [...roots, ...roots.map((root) => `parentbased_${root}`)];

/** Returns a check of one text from a list. */
const parseOneOf =
  (values: readonly string[]) =>
  (text: string, name: string): string => {
    if (values.includes(text)) return text;
    throw new RangeError(`${name} must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not '${text}'`);
  };

/** Returns a check of pairs: the SDK leaves out malformed ones. The error names only the variable, because values may be secrets. */
const parsePairs =
  (pair: RegExp) =>
  (text: string, name: string): string => {
    if (text.split(',').some((one) => one.trim() !== '' && !pair.test(one.trim())))
      throw new RangeError(`${name} must be pairs of the form name=value with commas between, percent-encoded`);
    assertPercentEncoded(text, name);
    return text;
  };

// The SDK cuts a header at a semicolon, and drops all resource attributes when one has a second `=` or is longer.
const parseHeaders = parsePairs(/^[^=;]*[^=;\s]\s*=[^;]+$/);
const parseAttributes = parsePairs(/^[^=]{0,254}[^=\s]\s*=[^=]{0,255}$/);

/** The error does not contain the value, which may hold a password. */
const parseUrl = (text: string, name: string): string => {
  if (!/^https?:\/\/[^/?#]+/.test(text) || !URL.canParse(text))
    throw new RangeError(`${name} must be an http or https address`);
  assertPercentEncoded(text, name);
  return text;
};

const defineProtocol = (name: string) =>
  defineVariable({
    name,
    type: 'text',
    description: 'no other protocol is supported',
    default: 'http/json',
    defaultText: 'http/json',
    parse: parseOneOf(['http/json']),
  });

const defineEndpoint = (row: Omit<VariableDescription, 'type'>) =>
  defineVariable<string | undefined>({ ...row, type: 'URL', default: undefined, parse: parseUrl });

const definePairs = (row: Omit<VariableDescription, 'type'>, parse: ReturnType<typeof parsePairs>) =>
  defineVariable({ ...row, type: 'list of name=value', default: '', parse });

const defineMilliseconds = (row: Omit<VariableDescription, 'type' | 'unit'> & { readonly default: number }) =>
  defineInteger({ ...row, unit: 'ms', min: 1, max: 999_999 });

/** The variables of OpenTelemetry that are checked here; rows of the table in src/config.ts. */
const variables = {
  endpoint: defineEndpoint({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'a collector that accepts OTLP over HTTP, e.g. `http://collector:4318`; a user and a password in it are sent as a header',
  }),
  tracesEndpoint: defineEndpoint({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    description: 'the URL of traces, with its path',
    defaultText: '/v1/traces of OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  headers: definePairs(
    {
      name: 'OTEL_EXPORTER_OTLP_HEADERS',
      description: 'request headers, with commas between, values percent-encoded',
    },
    parseHeaders,
  ),
  tracesHeaders: definePairs(
    {
      name: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
      description: 'further request headers; they override those of the same name',
    },
    parseHeaders,
  ),
  protocol: defineProtocol('OTEL_EXPORTER_OTLP_PROTOCOL'),
  tracesProtocol: defineProtocol('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'),
  timeoutMs: defineMilliseconds({
    name: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    description: 'timeout of a batch, with its retries',
    default: 10_000,
  }),
  delayMs: defineMilliseconds({
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    description: 'how long spans are collected before they are sent',
    default: 5000,
  }),
  serviceName: defineText({
    name: 'OTEL_SERVICE_NAME',
    description: 'the resource attribute `service.name`',
    defaultText: 'flightdata',
  }),
  resource: definePairs(
    {
      name: 'OTEL_RESOURCE_ATTRIBUTES',
      description: 'further resource attributes, with commas between, percent-encoded, up to 255 characters each',
    },
    parseAttributes,
  ),
  sampler: defineVariable({
    name: 'OTEL_TRACES_SAMPLER',
    type: 'text',
    description: `which traces are sent: ${samplers.join(', ')}`,
    default: 'parentbased_always_on',
    defaultText: 'parentbased_always_on',
    parse: parseOneOf(samplers),
  }),
  ratio: defineVariable({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    type: 'number',
    description: 'the share of traces that `traceidratio` sends, 0 to 1',
    default: '1',
    defaultText: '1',
    parse: (text) => text,
  }),
  exporter: defineText({
    name: 'OTEL_TRACES_EXPORTER',
    description: '`none` turns traces off, whatever the endpoint',
  }),
  isDisabled: defineVariable({
    name: 'OTEL_SDK_DISABLED',
    type: 'boolean',
    description: '`true` turns traces off, whatever the endpoint',
    default: false,
    defaultText: 'false',
    parse: (text) => text === 'true',
  }),
} satisfies Readonly<Record<string, VariableDescription>>;

/** Descriptions of the variables of OpenTelemetry, in the order of the documentation. */
export const tracingVariables: readonly VariableDescription[] = Object.values(variables);

/** Reads where traces are sent; undefined without an endpoint, and when the environment turns traces off. Throws a RangeError. */
export const parseTracing = (env: Environment): TracingOptions | undefined => {
  const endpoint = variables.endpoint.read(env);
  const url = variables.tracesEndpoint.read(env) ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || variables.isDisabled.read(env) || variables.exporter.read(env) === 'none') return undefined;
  const { headers, tracesHeaders, protocol, tracesProtocol, resource } = variables;
  for (const { read } of [headers, tracesHeaders, protocol, tracesProtocol, resource]) read(env);
  const sampler = variables.sampler.read(env);
  const share = variables.ratio.read(env);
  const ratio = Number(share);
  // Not checked by its parser: other samplers ignore the value.
  if (sampler.endsWith('traceidratio') && !(ratio >= 0 && ratio <= 1))
    throw new RangeError(`${variables.ratio.name} must be a number from 0 to 1, not '${share}'`);
  return { url, sampler, ratio, timeoutMs: variables.timeoutMs.read(env), delayMs: variables.delayMs.read(env) };
};
