import { expect, onTestFinished, test, vi } from 'vitest';
import { readBodyText } from '#http/request/body-text.ts';

const post = (body: ReadableStream<Uint8Array> | string): Request =>
  new Request('http://service.test/', { method: 'POST', body, ...(typeof body !== 'string' && { duplex: 'half' }) });

/** A body of chunks of this size without end, and the number of chunks that were read. */
const endless = (bytes: number) => {
  const state = { read: 0 };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    state.read += 1;
    controller.enqueue(new Uint8Array(bytes));
  };
  return { state, body: new ReadableStream({ pull }) };
};

/** A body that starts and then neither continues nor ends. */
const stuck = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) });

test('reads the whole body, without byte order mark', async () => {
  expect(await readBodyText(post('\ufeff{"a":"é"}'))).toBe('{"a":"é"}');
});

test('rejects a body that does not arrive in time', async () => {
  await expect(readBodyText(post(stuck()), 10)).rejects.toMatchObject({
    kind: 'request-timeout',
    message: 'The body did not arrive in time.',
  });
});

test('rejects a body of too many chunks: a million of one byte would take 700 MB', async () => {
  const { state, body } = endless(1);
  await expect(readBodyText(post(body))).rejects.toMatchObject({
    kind: 'body-too-large',
    message: 'The body arrived in too many pieces. Send larger chunks.',
  });
  expect(state.read).toBeLessThan(5_000);
});

test('rejects a body by its Content-Length before it arrives', async () => {
  const request = new Request(post(stuck()), { headers: { 'Content-Length': String(2 ** 20 + 1) } });
  await expect(readBodyText(request, 10)).rejects.toMatchObject({ kind: 'body-too-large' });
});

test('stops reading a body at 1 MiB', async () => {
  const { state, body } = endless(65_536);
  await expect(readBodyText(post(body))).rejects.toMatchObject({ kind: 'body-too-large' });
  expect(state.read).toBeLessThan(24);
});

test('leaves no timer when the body was read, or was rejected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await readBodyText(post('{}'));
  await expect(readBodyText(post(endless(65_536).body))).rejects.toThrow('The limit of a body');
  expect(vi.getTimerCount()).toBe(0);
});
