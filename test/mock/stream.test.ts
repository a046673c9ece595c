import { expect, test } from 'vitest';
import { serveMock } from './serve-mock.ts';

const { get, waits } = serveMock();

const EVENTS = '/flight-info-alerts/events';
const account = { accountId: '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20' };
const streaming = { ...account, Accept: 'text/event-stream' };

/** Reads the first chunks of a stream and cancels it. */
const begin = async (response: Response, pieces: number): Promise<readonly string[]> => {
  const reader = response.body?.getReader();
  const texts: string[] = [];
  while (texts.length < pieces) texts.push(new TextDecoder().decode((await reader?.read())?.value));
  await reader?.cancel();
  return texts;
};

const idsIn = (text: string): readonly string[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id = '']) => id);

test('returns events as a stream that stays open', async () => {
  const response = await get(EVENTS, streaming);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const [first = '', ...later] = await begin(response, 3);
  expect(idsIn(first).length).toBeGreaterThan(1);
  expect(first).toMatch(/^event: FlightStatus\ndata: \{/m);
  expect(later).toEqual([':\n\n', ':\n\n']);
  expect(waits).toEqual([15_000, 15_000]);
});

test('resumes after Last-Event-ID', async () => {
  const read = async (more = {}) => (await begin(await get(EVENTS, { ...streaming, ...more }), 1)).join('');
  const ids = idsIn(await read());
  expect(await read({ 'Last-Event-ID': ids.at(-1) })).toMatch(/^:\n\n/);
  expect(idsIn(await read({ 'Last-Event-ID': ids[0] }))).toEqual(ids.slice(1));
});

test('pages of events lead from position to position, to the last one', async () => {
  const positions: unknown[] = [];
  let page = await (await get(EVENTS, account)).json();
  while (page.data.length > 0 && positions.length < 10) {
    positions.push(page.position);
    page = await (await get(`${EVENTS}?After=${page.position}`, account)).json();
  }
  expect(page).toMatchObject({ data: [], position: page.latest });
  expect(positions.length).toBeGreaterThan(0);
});
