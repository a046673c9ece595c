import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failureReasons } from '#delivery/webhook/delivery-result.ts';
import { MAX_URL_LENGTH } from '#delivery/webhook/target-guard.ts';
import { createKeyPair, createSecret, createSignedHeaders } from '#delivery/webhook/signatures.ts';
import { defaultTimeouts } from '#delivery/webhook/deliverer.ts';
import { JITTER, retryDelaysMs } from '#delivery/webhook/retry-schedule.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const page = readFileSync(new URL('../../../docs/how-to/receive-webhooks.md', import.meta.url), 'utf8');
const { write } = createTemporaryFolder();

type Verify = (
  request: { readonly headers: object; readonly body: string | Buffer },
  secrets: readonly string[],
  nowMs: number,
) => unknown;

const documented = async (): Promise<Verify> => {
  const file = write('receiver.mjs', /```js\n(.*?)```/s.exec(page)?.[1] ?? '');
  const { verifyEvent } = await import(pathToFileURL(file).href);
  return verifyEvent;
};

test('the documented receiver accepts only correctly signed events', async () => {
  const verifyEvent = await documented();
  const [held, older, other] = [createSecret(), createSecret(), createSecret()];
  const at = new Date('2026-06-01T12:00:00Z');
  const body = '{"airport":"Zürich"}';
  const headers = createSignedHeaders({ id: 'e-1', body }, [held, older, createKeyPair().privateKey], at);
  const minutes = (count: number): number => at.getTime() + count * 60_000;
  const event = { airport: 'Zürich' };
  expect([
    verifyEvent({ headers, body }, [held], minutes(0)),
    verifyEvent({ headers, body: Buffer.from(body) }, [older], minutes(5)),
    verifyEvent({ headers, body }, [other, older], minutes(-5)),
    verifyEvent({ headers, body }, [other], minutes(0)),
    verifyEvent({ headers, body }, [held], minutes(6)),
    verifyEvent({ headers, body }, [held], minutes(-6)),
    verifyEvent({ headers, body: body.replace('Z', 'z') }, [held], minutes(0)),
    verifyEvent({ headers: { ...headers, 'webhook-id': 'e-2' }, body }, [held], minutes(0)),
    verifyEvent({ headers: { ...headers, 'webhook-timestamp': 'now' }, body }, [held], minutes(0)),
    verifyEvent({ headers: {}, body }, [held], minutes(0)),
  ]).toEqual([event, event, event, ...Array.from({ length: 7 }, () => undefined)]);
});

/** An ed25519 public key, as Standard Webhooks writes it. */
const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(text.slice('whpk_'.length), 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  });

test('the example signatures of the contract are valid', async () => {
  const verifyEvent = await documented();
  const contract = readFileSync(new URL('../../../spec/flight-info-alerts/v1/openapi.yaml', import.meta.url), 'utf8');
  const [, id = '', at = '', body = ''] =
    /the ID `(.+?)`, the time `(\d+)` and the body\s+`(.+?)`/.exec(contract) ?? [];
  const [, secret = '', hmac = ''] = /\| `(whsec_.+?)` \| `(v1,.+?)` \|/.exec(contract) ?? [];
  const [, publicKey = '', signature = ''] = /\| `(whpk_.+?)` \| `v1a,(.+?)` \|/.exec(contract) ?? [];
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1a,${signature} ${hmac}` };
  expect([
    verifyEvent({ headers, body }, [secret], Number(at) * 1000),
    verify(null, Buffer.from(`${id}.${at}.${body}`), publicKeyOf(publicKey), Buffer.from(signature, 'base64')),
  ]).toEqual([{ documentType: 'FlightStatus' }, true]);
});

test('the page documents the retry schedule and the limits', () => {
  const units = { s: 1000, min: 60_000, h: 3_600_000 } as const;
  const schedule = /## Retries(.*?)\n## /s.exec(page)?.[1] ?? '';
  const documented = [...schedule.matchAll(/^\| (\d+)(?: to (\d+))? \| (\d+) (s|min|h)(?: each)? \|$/gm)].flatMap(
    ([, first, last, count, unit]) =>
      Array.from(
        { length: Number(last ?? first) - Number(first) + 1 },
        () => Number(count) * units[unit === 's' || unit === 'min' ? unit : 'h'],
      ),
  );
  const limits = [...page.matchAll(/^\| [^|]+ \| (\d+) s \|$/gm)]
    .map(([, seconds]) => Number(seconds) * 1000)
    .slice(0, 3);
  expect(documented).toEqual(retryDelaysMs);
  expect(limits).toEqual(Object.values(defaultTimeouts));
  expect(JITTER).toBe(0.1);
  for (const text of [`${retryDelaysMs.length + 1} attempts`, `${MAX_URL_LENGTH} `]) expect(page).toContain(text);
});

test('the page documents every failure reason', () => {
  const section = /## Failure reasons(.*?)\n## /s.exec(page)?.[1] ?? '';
  const documented = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(documented.toSorted()).toEqual([...failureReasons].toSorted());
});
