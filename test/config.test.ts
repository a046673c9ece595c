import { expect, test } from 'vitest';
import { readConfig, serviceVariables } from '#config.ts';

test('DATABASE_URL is the primary, followed by its replicas after commas or spaces', () => {
  const parseUrls = (text: string) => {
    const { databaseUrl, replicaUrls } = readConfig({ DATABASE_URL: text });
    return [databaseUrl, ...replicaUrls];
  };
  expect(parseUrls('postgres://u:p@a/d')).toEqual(['postgres://u:p@a/d']);
  expect(parseUrls(' postgres://a/d,postgresql://b/d , postgres://c/d ')).toEqual([
    'postgres://a/d',
    'postgresql://b/d',
    'postgres://c/d',
  ]);
  expect(parseUrls('postgres://a/d\npostgres://b/d')).toEqual(['postgres://a/d', 'postgres://b/d']);
  // Several hosts of one cluster, of which the driver uses the first available one, and a password with a comma.
  expect(parseUrls('postgres://u:p,w@a:1,b:2/d,postgres://c/d')).toEqual([
    'postgres://u:p,w@a:1,b:2/d',
    'postgres://c/d',
  ]);
  expect(parseUrls('  ')).toEqual([undefined]);
});

test.each([
  ['DATABASE_URL', 'postgres://u:100%zz@a/d'],
  ['DATABASE_URL', 'postgres://u:p@a/d%'],
  ['DATABASE_URL', 'postgres://a/d,postgres://u:%C3%28@b/d'],
  ['NATS_URL', 'nats://u:100%zz@a:4222'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://u:100%zz@a:4318'],
])('%s with an invalid percent-encoding is named without its value: %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(
    new RangeError(
      `${name} contains a % that does not start a percent-encoded UTF-8 character; write a percent sign as %25`,
    ),
  );
});

test('applies defaults', () => {
  const { metrics, drainSeconds, limits, workers, replicaUrls } = readConfig({});
  expect({ metrics, drainSeconds, limits, workers, replicaUrls }).toEqual({
    metrics: undefined,
    drainSeconds: 0,
    limits: {
      perMinute: 60_000,
      perMonth: 100_000_000,
      atOnce: 200,
      wrongKeysPerMinute: 100,
      streams: 100,
      processStreams: undefined,
      accounts: 100,
      alerts: 10_000,
      endpoints: 100,
      fanOut: 1000,
    },
    workers: 1,
    replicaUrls: [],
  });
});

test('reads the variables, including 0 for no limit and auto', () => {
  const { metrics, drainSeconds, limits, workers } = readConfig({
    METRICS_PORT: '0',
    METRICS_HOST: '::1',
    DRAIN_SECONDS: '15',
    WORKERS: 'auto',
    LIMIT_PER_MINUTE: '600',
    LIMIT_PER_MONTH: '0',
    LIMIT_AT_ONCE: '0',
    LIMIT_WRONG_KEYS: '7',
    LIMIT_STREAMS: '8',
    LIMIT_PROCESS_STREAMS: '9',
    LIMIT_ACCOUNTS: '5',
    LIMIT_ALERTS: '0',
    LIMIT_ENDPOINTS: '7',
    LIMIT_FAN_OUT: '3',
  });
  expect({ metrics, drainSeconds, limits, workers }).toEqual({
    metrics: { port: 0, host: '::1' },
    drainSeconds: 15,
    limits: {
      perMinute: 600,
      perMonth: 0,
      atOnce: 0,
      wrongKeysPerMinute: 7,
      streams: 8,
      processStreams: 9,
      accounts: 5,
      alerts: 0,
      endpoints: 7,
      fanOut: 3,
    },
    workers: 'auto',
  });
});

test.each([
  ['METRICS_PORT', '65536', 'METRICS_PORT must be a whole number from 0 to 65535'],
  ['DRAIN_SECONDS', '601', 'DRAIN_SECONDS must be a whole number from 0 to 600'],
  ['DRAIN_SECONDS', '1.5', 'DRAIN_SECONDS must be a whole number from 0 to 600'],
  ['LIMIT_PER_MINUTE', '-1', 'LIMIT_PER_MINUTE must be a whole number from 0 to 1000000000'],
  ['LIMIT_PER_MONTH', 'none', 'LIMIT_PER_MONTH must be a whole number from 0 to 1000000000000'],
  ['LIMIT_AT_ONCE', '1e3', 'LIMIT_AT_ONCE must be a whole number from 0 to 1000000'],
  ['WORKERS', '257', 'WORKERS must be auto or a whole number from 1 to 256'],
])('rejects %s=%s and names the variable', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RangeError(`${message}, not '${value}'`));
});

test.each(['https://user:hunter2@flights.example', 'https://hunter2@flights.example/api', 'https://a b:hunter2@c'])(
  'rejects the password in a public URL, which is in every link, and does not show it: %s',
  (url) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(
      new RangeError('PUBLIC_URL must be an http or https address without a user and a query'),
    );
  },
);

test('no error about a URL shows a password in its value', () => {
  const shown = serviceVariables.filter(({ name, type }) => {
    if (!type.includes('URL')) return false;
    try {
      readConfig({ [name]: 'https://user:hunter2@host/?password=hunter2' });
      return false;
    } catch (error) {
      return String(error).includes('hunter2');
    }
  });
  expect(shown).toEqual([]);
});
