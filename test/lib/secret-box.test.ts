import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox, plainSecretBox, SecretsKeyError } from '#lib/secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 1));

test.each(['whsec_abc', 'Bearer ü', 'x'.repeat(4096)])(
  'a sealed secret is opened again, and not readable: %.12s',
  (secret) => {
    const stored = box.seal('push_key 1', secret);
    expect(box.open('push_key 1', stored)).toBe(secret);
    expect(stored).not.toContain(secret);
    expect(box.seal('push_key 1', secret)).not.toBe(stored);
  },
);

test('a sealed secret opens for its place and its key only, and not when a bit is changed', () => {
  const stored = box.seal('push_key 1', 'whsec_abc');
  const last = stored.length - 8;
  const changed = `${stored.slice(0, last)}${stored[last] === 'A' ? 'B' : 'A'}${stored.slice(last + 1)}`;
  const message = 'cannot be decrypted: it was changed, moved, or encrypted with another key';
  expect(() => box.open('push_key 2', stored)).toThrow(new SecretsKeyError(`push_key 2 ${message}`));
  expect(() => box.open('push_key 1', changed)).toThrow(new SecretsKeyError(`push_key 1 ${message}`));
  expect(() => box.open('push_key 1', stored.slice(0, 20))).toThrow(SecretsKeyError);
  expect(() => createSecretBox(randomBytes(32)).open('push_key 1', stored)).toThrow(SecretsKeyError);
});

test('secrets that were stored before there was a key are opened as they are', () => {
  expect(box.open('push_key 1', 'whsec_abc')).toBe('whsec_abc');
});

test('without a key secrets are stored as they are, and encrypted ones are an error', () => {
  expect(plainSecretBox.open('push_key 1', plainSecretBox.seal('push_key 1', 'whsec_abc'))).toBe('whsec_abc');
  expect(() => plainSecretBox.open('push_key 1', box.seal('push_key 1', 'whsec_abc'))).toThrow(
    new SecretsKeyError('push_key 1 is encrypted, and this process has no key for secrets'),
  );
});
