import { expect, test } from 'vitest';
import { isSampled } from '../../src/telemetry/sampler.ts';
import { parseTracing } from '../../src/telemetry/tracing-options.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';

test('traces nothing without an endpoint or when turned off', () => {
  expect(parseTracing({ OTEL_SERVICE_NAME: 'flights' })).toBeUndefined();
  expect(parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
});

test('an endpoint turns tracing on', () => {
  expect(parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    serviceName: 'flightdata',
    resource: {},
    sampling: { name: 'always_on', byParent: true, ratio: 1 },
    timeoutMs: 10_000,
    delayMs: 5000,
  });
});

test('parses all variables', () => {
  expect(
    parseTracing({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/custom',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team=a=b',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
      OTEL_SERVICE_NAME: 'flights',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }),
  ).toEqual({
    url: 'https://collector/custom',
    headers: { authorization: 'Bearer abc', 'x-team': 'a=b' },
    serviceName: 'flights',
    resource: { 'deployment.environment.name': 'test' },
    sampling: { name: 'traceidratio', byParent: true, ratio: 0.25 },
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
  [{ OTEL_BSP_SCHEDULE_DELAY: 'soon' }, "OTEL_BSP_SCHEDULE_DELAY must be milliseconds from 1 to 999999, not 'soon'"],
])('%j is rejected by name', (env, message) => {
  expect(() => parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env })).toThrow(message);
});

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://secret@collector' },
  { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
  { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=secret%' },
])('%j is rejected without its value, which could be secret', (env) => {
  expect(() => parseTracing(env)).toThrow(/^OTEL_EXPORTER_OTLP_(ENDPOINT|HEADERS) must be (?!.*secret)/);
});

test('samples a share of traces consistently and follows the decision of the caller', () => {
  const ids = Array.from({ length: 4000 }, (_, index) =>
    `${'0'.repeat(18)}${((index * 0x9e_37_79_b9) % 2 ** 32).toString(16).padStart(8, '0')}000000`.slice(0, 32),
  );
  const sampling = { name: 'traceidratio', byParent: true, ratio: 0.25 } as const;
  const kept = ids.filter((id) => isSampled(sampling, id, undefined));
  expect(kept.length / ids.length).toBeCloseTo(0.25, 1);
  expect(kept.every((id) => isSampled({ ...sampling, ratio: 0.5 }, id, undefined))).toBe(true);
  expect(ids.filter((id) => isSampled({ ...sampling, ratio: 0 }, id, undefined))).toEqual([]);
  expect(ids.filter((id) => !isSampled({ ...sampling, ratio: 1 }, id, undefined))).toEqual([]);
  const decisions = (name: 'always_off' | 'always_on' | 'traceidratio', byParent: boolean, id: string) =>
    [false, true].map((parent) => isSampled({ name, byParent, ratio: 0.25 }, id, parent));
  expect(decisions('traceidratio', true, 'f'.repeat(32))).toEqual([false, true]);
  expect(decisions('traceidratio', true, '0'.repeat(32))).toEqual([false, true]);
  expect(decisions('always_off', false, 'f'.repeat(32))).toEqual([false, false]);
  expect(decisions('always_on', false, '0')).toEqual([true, true]);
});
