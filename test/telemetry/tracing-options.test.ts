import { expect, test } from 'vitest';
import { parseTracing } from '#telemetry/tracing-options.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';

test('traces nothing without an endpoint or when turned off', () => {
  expect(parseTracing({ OTEL_SERVICE_NAME: 'flights' })).toBeUndefined();
  expect(parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
});

test('an endpoint turns tracing on', () => {
  expect(parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({
    url: 'http://collector:4318/v1/traces',
    sampler: 'parentbased_always_on',
    ratio: 1,
    timeoutMs: 10_000,
    delayMs: 5000,
  });
});

test('parses all variables', () => {
  expect(
    parseTracing({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/custom',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team=a=b,',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other, deployment.environment.name = test,empty=',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }),
  ).toEqual({
    url: 'https://collector/custom',
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
    timeoutMs: 2000,
    delayMs: 100,
  });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not 'grpc'"],
  [{ OTEL_TRACES_SAMPLER: 'toString' }, "not 'toString'"],
  [
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not '2'",
  ],
  [{ OTEL_BSP_SCHEDULE_DELAY: 'soon' }, "OTEL_BSP_SCHEDULE_DELAY must be a whole number from 1 to 999999, not 'soon'"],
])('%j is rejected by name', (env, message) => {
  expect(() => parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env })).toThrow(message);
});

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://secret@collector' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:secret%@collector' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
  { OTEL_EXPORTER_OTLP_HEADERS: '=secret' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'a=secret%' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'a=secret;cut' },
  { OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=secret,b=' },
  { OTEL_RESOURCE_ATTRIBUTES: 'a=secret=1' },
  { OTEL_RESOURCE_ATTRIBUTES: `a=secret,b=${'x'.repeat(256)}` },
])('%j is rejected without its value, which could be secret', (env) => {
  expect(() => parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env })).toThrow(
    new RegExp(`^${Object.keys(env).join()} (must be|contains a %) (?!.*secret)`),
  );
});
