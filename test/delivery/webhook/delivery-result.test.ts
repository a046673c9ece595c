import { expect, test } from 'vitest';
import { MAX_TEXT_BYTES, toResponseText } from '../../../src/delivery/webhook/delivery-result.ts';

test('control characters, line breaks and text direction become single spaces', () => {
  const text = Buffer.from('a\r\n\tb\u0000c\u001b[1m\u202ed\u0085e\u2028f\u00a0g');
  expect(toResponseText(text, { secrets: [], isComplete: true })).toBe('a b c [1m d e f g');
});

test('drops bytes that are not UTF-8', () => {
  expect(toResponseText(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3]), { secrets: [], isComplete: true })).toBe('a b');
});

test('keeps 512 characters without splitting one', () => {
  expect(toResponseText(Buffer.from('✈'.repeat(600)), { secrets: [], isComplete: true })).toBe('✈'.repeat(512));
  expect(toResponseText(Buffer.from('😀'.repeat(600)), { secrets: [], isComplete: true })).toBe('😀'.repeat(512));
});

test('drops a secret that is cut off at the end', () => {
  const secret = `<${'s'.repeat(1020)}>`;
  const texts = Array.from({ length: 1100 }, (_, pad) => {
    const echo = `${'.'.repeat(pad)}${secret.repeat(4)}`;
    return toResponseText(Buffer.from(echo).subarray(0, MAX_TEXT_BYTES), { secrets: [secret], isComplete: false });
  });
  expect(texts.filter((text) => /[<s>]/.test(text))).toEqual([]);
});

test('drops a possible part of a secret only in a truncated response', () => {
  const secrets = ['k-12345678'];
  const textOf = (isComplete: boolean) =>
    toResponseText(Buffer.from('you sent k-12345678, and k-1234'), { secrets, isComplete });
  expect([textOf(false), textOf(true)]).toEqual(['you sent ***, a', 'you sent ***, and k-1234']);
});
