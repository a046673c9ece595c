import { expect, test } from 'vitest';
import { answerText, KEPT_BYTES } from '../../../src/delivery/webhook/response-text.ts';

test('control characters, line breaks and text direction become single spaces', () => {
  expect(
    answerText(Buffer.from('a\r\n\tb\u0000c\u001b[1m\u202ed\u0085e\u2028f\u00a0g'), { secrets: [], isWhole: true }),
  ).toBe('a b c [1m d e f g');
});

test('bytes that are no text are left out', () => {
  expect(answerText(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3]), { secrets: [], isWhole: true })).toBe('a b');
});

test('512 characters are kept, none of them cut in two', () => {
  expect(answerText(Buffer.from('✈'.repeat(600)), { secrets: [], isWhole: true })).toBe('✈'.repeat(512));
  expect(answerText(Buffer.from('😀'.repeat(600)), { secrets: [], isWhole: true })).toBe('😀'.repeat(512));
});

test('wherever the end of what was read cuts a secret, no part of it is told', () => {
  const secret = `<${'s'.repeat(1020)}>`;
  const told = Array.from({ length: 1100 }, (_, pad) => {
    const echo = `${'.'.repeat(pad)}${secret.repeat(4)}`;
    return answerText(Buffer.from(echo).subarray(0, KEPT_BYTES), { secrets: [secret], isWhole: false });
  });
  expect(told.filter((text) => /[<s>]/.test(text))).toEqual([]);
});

test('an answer that broke off tells no part of a secret, one that is whole is told to its end', () => {
  const secrets = ['k-12345678'];
  const told = (isWhole: boolean) => answerText(Buffer.from('you sent k-12345678, and k-1234'), { secrets, isWhole });
  expect([told(false), told(true)]).toEqual(['you sent ***, a', 'you sent ***, and k-1234']);
});
