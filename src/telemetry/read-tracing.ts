import type { Sampling } from './sampler.ts';

/** Where traces are sent, and which. */
export type Tracing = {
  /** Of OTLP over HTTP, with its path. */
  readonly url: string;
  /** Sent along; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** What else is told of this service, e.g. `deployment.environment.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
  readonly timeoutMs: number;
  /** How long spans are gathered before they are sent. */
  readonly delayMs: number;
};

type Environment = Readonly<Record<string, string | undefined>>;

const samplers: Readonly<Record<string, Omit<Sampling, 'ratio'>>> = {
  always_on: { name: 'always_on', byParent: false },
  always_off: { name: 'always_off', byParent: false },
  traceidratio: { name: 'traceidratio', byParent: false },
  parentbased_always_on: { name: 'always_on', byParent: true },
  parentbased_always_off: { name: 'always_off', byParent: true },
  parentbased_traceidratio: { name: 'traceidratio', byParent: true },
};

const given = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/** `a=1,b=2`, values percent-encoded. They can be secrets: an error names the variable alone. */
const pairs = (env: Environment, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (given(env, name) ?? '')
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const [key = '', ...rest] = pair.split('=');
        try {
          if (key.trim() !== '' && rest.length > 0) return [key.trim(), decodeURIComponent(rest.join('=').trim())];
        } catch {
          // Told below.
        }
        throw new RangeError(`${name} must be pairs of the form name=value with commas between, percent-encoded`);
      }),
  );

const address = (env: Environment, name: string): string | undefined => {
  const text = given(env, name);
  if (text === undefined) return undefined;
  // The value is not told: it may hold a password.
  if (!/^https?:\/\/[^/?#]+/.test(text) || !URL.canParse(text))
    throw new RangeError(`${name} must be an http or https address`);
  return text;
};

const milliseconds = (env: Environment, name: string, or: number): number => {
  const text = given(env, name);
  if (text === undefined) return or;
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0)
    throw new RangeError(`${name} must be milliseconds from 1 to 999999, not '${text}'`);
  return Number(text);
};

const samplingOf = (env: Environment): Sampling => {
  const name = given(env, 'OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const sampler = Object.hasOwn(samplers, name) ? samplers[name] : undefined;
  if (!sampler)
    throw new RangeError(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(samplers).join(', ')}, not '${name}'`);
  const share = given(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = Number(share);
  if (sampler.name === 'traceidratio' && !(ratio >= 0 && ratio <= 1))
    throw new RangeError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not '${share}'`);
  return { ...sampler, ratio };
};

const refuseOtherProtocols = (env: Environment): void => {
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']) {
    const protocol = given(env, name) ?? 'http/json';
    if (protocol !== 'http/json') throw new RangeError(`${name} must be http/json, not '${protocol}'`);
  }
};

/** Reads the variables of OpenTelemetry that say where traces go; without an endpoint, or with OTEL_SDK_DISABLED, there are none. */
export const readTracing = (env: Environment): Tracing | undefined => {
  const own = address(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = address(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  const isOff = given(env, 'OTEL_SDK_DISABLED') === 'true' || given(env, 'OTEL_TRACES_EXPORTER') === 'none';
  if (url === undefined || isOff) return undefined;
  refuseOtherProtocols(env);
  const { 'service.name': told, ...resource } = pairs(env, 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    url,
    headers: { ...pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'), ...pairs(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS') },
    serviceName: given(env, 'OTEL_SERVICE_NAME') ?? told ?? 'flightdata',
    resource,
    sampling: samplingOf(env),
    timeoutMs: milliseconds(env, 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    delayMs: milliseconds(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
  };
};
