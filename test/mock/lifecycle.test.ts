import { expect, test } from 'vitest';
import { serveMock } from './serve-mock.ts';

const { get } = serveMock();

const V1 = '/flight-instances?version=v1';

const lifeOf = ({ status, headers }: Response): Readonly<Record<string, unknown>> => ({
  status,
  version: headers.get('api-version'),
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
});

const on = async (day: string): Promise<Readonly<Record<string, unknown>>> =>
  lifeOf(await get(V1, { Prefer: `today=${day}` }));

test('`today` applies to one request only', async () => {
  const current = { status: 200, version: 'v1', deprecation: null, sunset: null };
  const deprecated = { ...current, deprecation: 'true', sunset: 'Mon, 14 Apr 2025 00:00:00 GMT' };
  const removed = { ...current, status: 404 };
  expect(await on('2024-04-14')).toEqual(current);
  expect(await on('2024-06-01')).toEqual(deprecated);
  expect(await on('2025-04-13')).toEqual(deprecated);
  expect(await on('2025-04-14')).toEqual(removed);
  expect(lifeOf(await get(V1))).toEqual(removed);
});

test('an invalid day is reported, also by a removed version', async () => {
  const response = await get(V1, { Prefer: 'today=2024-13-01' });
  const { errors } = await response.json();
  expect([response.status, errors]).toEqual([
    400,
    { Prefer: ["has a today that must be a date of the form YYYY-MM-DD, not '2024-13-01'"] },
  ]);
});

test('concurrent requests keep their own days', async () => {
  const days = ['2024-06-01', '2026-06-01', '2024-06-02', '2025-04-14'];
  const responses = await Promise.all(days.map(on));
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 200, 404]);
});

test('the default version depends on the day', async () => {
  const early = await get('/flight-instances', { Prefer: 'today=2024-01-01' });
  expect(early.headers.get('api-version')).toBe('v1');
  expect((await get('/flight-instances')).headers.get('api-version')).toBe('v2');
});
