import { z } from 'zod';
import {
  describeVariables,
  document,
  hideValue,
  integer,
  parsed,
  percentEncoded,
  readVariables,
  type Environment,
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

/** A text from a list. */
const oneOf = (values: readonly string[]) =>
  parsed((text) => values.find((value) => value === text), `${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`);

/** A list of pairs: the SDK leaves out malformed ones. The error does not contain the values, which may be secrets. */
const pairs = (pair: RegExp) =>
  percentEncoded
    .pipe(
      parsed(
        (text) => (text.split(',').every((one) => one.trim() === '' || pair.test(one.trim())) ? text : undefined),
        'pairs of the form name=value with commas between, percent-encoded',
        hideValue,
      ),
    )
    .describe('list of name=value')
    .optional();

// The SDK cuts a header at a semicolon, and drops all resource attributes when one has a second `=` or is longer.
const HEADER = /^[^=;]*[^=;\s]\s*=[^;]+$/;
const ATTRIBUTE = /^[^=]{0,254}[^=\s]\s*=[^=]{0,255}$/;

/** The error does not contain the value, which may hold a password. */
const endpoint = percentEncoded
  .pipe(
    parsed(
      (text) => (/^https?:\/\/[^/?#]+/.test(text) && URL.canParse(text) ? text : undefined),
      'an http or https address',
      hideValue,
    ),
  )
  .describe('URL');

const protocol = oneOf(['http/json']).default('http/json');
const milliseconds = integer(1, 999_999);

/** The variables of OpenTelemetry that are checked here. */
const variables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: document(endpoint.optional(), {
    description:
      'a collector that accepts OTLP over HTTP, e.g. `http://collector:4318`; a user and a password in it are sent as a header',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: document(endpoint.optional(), {
    description: 'the URL of traces, with its path',
    defaultText: '/v1/traces of OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: document(pairs(HEADER), {
    description: 'request headers, with commas between, values percent-encoded',
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: document(pairs(HEADER), {
    description: 'further request headers; they override those of the same name',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: document(protocol, { description: 'no other protocol is supported' }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: document(protocol, {
    description: 'no other protocol is supported',
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: document(milliseconds.default(10_000), {
    description: 'timeout of a batch, with its retries',
    unit: 'ms',
  }),
  OTEL_BSP_SCHEDULE_DELAY: document(milliseconds.default(5000), {
    description: 'how long spans are collected before they are sent',
    unit: 'ms',
  }),
  OTEL_SERVICE_NAME: document(z.string().optional(), {
    description: 'the resource attribute `service.name`',
    defaultText: 'flightdata',
  }),
  OTEL_RESOURCE_ATTRIBUTES: document(pairs(ATTRIBUTE), {
    description: 'further resource attributes, with commas between, percent-encoded, up to 255 characters each',
  }),
  OTEL_TRACES_SAMPLER: document(oneOf(samplers).default('parentbased_always_on'), {
    description: `which traces are sent: ${samplers.join(', ')}`,
  }),
  OTEL_TRACES_SAMPLER_ARG: document(z.string().describe('number').default('1'), {
    description: 'the share of traces that `traceidratio` sends, 0 to 1',
  }),
  OTEL_TRACES_EXPORTER: document(z.string().optional(), {
    description: '`none` turns traces off, whatever the endpoint',
  }),
  OTEL_SDK_DISABLED: document(
    z
      .string()
      .transform((text) => text === 'true')
      .describe('boolean')
      .default(false),
    {
      description: '`true` turns traces off, whatever the endpoint',
    },
  ),
});

/** The variables that turn traces on and off; the others are read only when traces are on. */
const switches = variables.pick({
  OTEL_EXPORTER_OTLP_ENDPOINT: true,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: true,
  OTEL_TRACES_EXPORTER: true,
  OTEL_SDK_DISABLED: true,
});

/** Descriptions of the variables of OpenTelemetry, in the order of the documentation. */
export const tracingVariables = describeVariables(variables);

/** Reads where traces are sent; undefined without an endpoint, and when the environment turns traces off. Throws a RangeError. */
export const parseTracing = (env: Environment): TracingOptions | undefined => {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: base,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own,
    ...given
  } = readVariables(switches, env);
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || given.OTEL_SDK_DISABLED || given.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const read = readVariables(variables, env);
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share } = read;
  const ratio = Number(share);
  // Not checked by its schema: other samplers ignore the value.
  if (sampler.endsWith('traceidratio') && !(ratio >= 0 && ratio <= 1))
    throw new RangeError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not '${share}'`);
  return {
    url,
    sampler,
    ratio,
    timeoutMs: read.OTEL_EXPORTER_OTLP_TIMEOUT,
    delayMs: read.OTEL_BSP_SCHEDULE_DELAY,
  };
};
