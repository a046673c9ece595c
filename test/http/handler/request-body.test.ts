import { expect, test } from 'vitest';
import { readBodyText } from '../../../src/http/handler/request-body.ts';

const post = (body: ReadableStream<Uint8Array> | string): Request =>
  new Request('http://service.test/', { method: 'POST', body, ...(typeof body !== 'string' && { duplex: 'half' }) });

/** A body that begins and then neither goes on nor ends. */
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
  let read = 0;
  const crumbs = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      read += 1;
      controller.enqueue(new Uint8Array(1));
    },
  });
  await expect(readBodyText(post(crumbs))).rejects.toMatchObject({
    kind: 'body-too-large',
    message: 'The body came in too many pieces: send larger chunks.',
  });
  expect(read).toBeLessThan(5_000);
});

test('rejects a body by its Content-Length before it arrives', async () => {
  const request = new Request(post(stuck()), { headers: { 'Content-Length': String(2 ** 20 + 1) } });
  await expect(readBodyText(request, 10)).rejects.toMatchObject({ kind: 'body-too-large' });
});

test('stops reading a body at 1 MiB', async () => {
  let read = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      read += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  await expect(readBodyText(post(endless))).rejects.toMatchObject({ kind: 'body-too-large' });
  expect(read).toBeLessThan(1.5 * 1024 * 1024);
});
