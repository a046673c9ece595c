import {
  assertPercentEncoded,
  defineVariable,
  type Environment,
  type VariableDescription,
} from '../lib/environment-variable.ts';
import type { Sampling } from './sampler.ts';

/** Where traces are sent, and which. */
export type TracingOptions = {
  /** The URL of OTLP over HTTP, with its path. */
  readonly url: string;
  /** Headers of requests to the collector; may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Further resource attributes, e.g. `deployment.environment.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
  readonly timeoutMs: number;
  /** How long spans are collected before they are sent. */
  readonly delayMs: number;
};

const samplers: Readonly<Record<string, Omit<Sampling, 'ratio'>>> = {
  always_on: { name: 'always_on', byParent: false },
  always_off: { name: 'always_off', byParent: false },
  traceidratio: { name: 'traceidratio', byParent: false },
  parentbased_always_on: { name: 'always_on', byParent: true },
  parentbased_always_off: { name: 'always_off', byParent: true },
  parentbased_traceidratio: { name: 'traceidratio', byParent: true },
};

const parseText = (text: string): string => text;

/** Parses `a=1,b=2` with percent-encoded values. The error names only the variable: values may be secrets. */
const parsePairs = (text: string, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const [key = '', ...rest] = pair.split('=');
        try {
          if (key.trim() !== '' && rest.length > 0) return [key.trim(), decodeURIComponent(rest.join('=').trim())];
        } catch {
          // Malformed percent-encoding: the same error as below.
        }
        throw new RangeError(`${name} must be pairs of the form name=value with commas between, percent-encoded`);
      }),
  );

/** The error does not contain the value, which may hold a password. */
const parseUrl = (text: string, name: string): string => {
  if (!/^https?:\/\/[^/?#]+/.test(text) || !URL.canParse(text))
    throw new RangeError(`${name} must be an http or https address`);
  assertPercentEncoded(text, name);
  return text;
};

const parseMilliseconds = (text: string, name: string): number => {
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0)
    throw new RangeError(`${name} must be milliseconds from 1 to 999999, not '${text}'`);
  return Number(text);
};

const parseProtocol = (text: string, name: string): string => {
  if (text !== 'http/json') throw new RangeError(`${name} must be http/json, not '${text}'`);
  return text;
};

const parseSampler = (text: string, name: string): string => {
  if (!Object.hasOwn(samplers, text))
    throw new RangeError(`${name} must be one of ${Object.keys(samplers).join(', ')}, not '${text}'`);
  return text;
};

/** The variables of OpenTelemetry that the service reads; rows of the table in src/config.ts. */
const variables = {
  endpoint: defineVariable<string | undefined>({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: 'URL',
    description:
      'a collector that accepts OTLP over HTTP, e.g. `http://collector:4318`; a user and a password in it are sent as a header',
    default: undefined,
    parse: parseUrl,
  }),
  tracesEndpoint: defineVariable<string | undefined>({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    type: 'URL',
    description: 'the URL of traces, with its path',
    default: undefined,
    defaultText: '/v1/traces of OTEL_EXPORTER_OTLP_ENDPOINT',
    parse: parseUrl,
  }),
  headers: defineVariable<Readonly<Record<string, string>>>({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    type: 'list of name=value',
    description: 'request headers, with commas between, values percent-encoded',
    default: {},
    parse: parsePairs,
  }),
  tracesHeaders: defineVariable<Readonly<Record<string, string>>>({
    name: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    type: 'list of name=value',
    description: 'further request headers; they override those of the same name',
    default: {},
    parse: parsePairs,
  }),
  protocol: defineVariable({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    type: 'text',
    description: 'no other protocol is supported',
    default: 'http/json',
    defaultText: 'http/json',
    parse: parseProtocol,
  }),
  tracesProtocol: defineVariable({
    name: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    type: 'text',
    description: 'no other protocol is supported',
    default: 'http/json',
    defaultText: 'http/json',
    parse: parseProtocol,
  }),
  timeoutMs: defineVariable({
    name: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    type: 'integer',
    unit: 'ms',
    description: 'timeout of a request to the collector',
    default: 10_000,
    defaultText: '10000',
    parse: parseMilliseconds,
  }),
  delayMs: defineVariable({
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    type: 'integer',
    unit: 'ms',
    description: 'how long spans are collected before they are sent',
    default: 5000,
    defaultText: '5000',
    parse: parseMilliseconds,
  }),
  serviceName: defineVariable<string | undefined>({
    name: 'OTEL_SERVICE_NAME',
    type: 'text',
    description: 'the resource attribute `service.name`',
    default: undefined,
    defaultText: 'flightdata',
    parse: parseText,
  }),
  resource: defineVariable<Readonly<Record<string, string>>>({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    type: 'list of name=value',
    description: 'further resource attributes, with commas between, values percent-encoded',
    default: {},
    parse: parsePairs,
  }),
  sampler: defineVariable({
    name: 'OTEL_TRACES_SAMPLER',
    type: 'text',
    description: `which traces are sent: ${Object.keys(samplers).join(', ')}`,
    default: 'parentbased_always_on',
    defaultText: 'parentbased_always_on',
    parse: parseSampler,
  }),
  samplerRatio: defineVariable({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    type: 'number',
    description: 'the share of traces that `traceidratio` sends, 0 to 1',
    default: '1',
    defaultText: '1',
    parse: parseText,
  }),
  exporter: defineVariable<string | undefined>({
    name: 'OTEL_TRACES_EXPORTER',
    type: 'text',
    description: '`none` turns traces off, whatever the endpoint',
    default: undefined,
    parse: parseText,
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

const readSampling = (env: Environment): Sampling => {
  const { name = 'always_on', byParent = true } = samplers[variables.sampler.read(env)] ?? {};
  const share = variables.samplerRatio.read(env);
  const ratio = Number(share);
  // Not checked by its parser: other samplers ignore the value.
  if (name === 'traceidratio' && !(ratio >= 0 && ratio <= 1))
    throw new RangeError(`${variables.samplerRatio.name} must be a number from 0 to 1, not '${share}'`);
  return { name, byParent, ratio };
};

/** Reads where traces are sent; undefined without an endpoint, and when the environment turns traces off. */
export const parseTracing = (env: Environment): TracingOptions | undefined => {
  const tracesEndpoint = variables.tracesEndpoint.read(env);
  const endpoint = variables.endpoint.read(env);
  const url = tracesEndpoint ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`);
  const isOff = variables.isDisabled.read(env) || variables.exporter.read(env) === 'none';
  if (url === undefined || isOff) return undefined;
  variables.protocol.read(env);
  variables.tracesProtocol.read(env);
  const { 'service.name': resourceName, ...resource } = variables.resource.read(env);
  return {
    url,
    headers: { ...variables.headers.read(env), ...variables.tracesHeaders.read(env) },
    serviceName: variables.serviceName.read(env) ?? resourceName ?? 'flightdata',
    resource,
    sampling: readSampling(env),
    timeoutMs: variables.timeoutMs.read(env),
    delayMs: variables.delayMs.read(env),
  };
};
