import { expect, test } from 'vitest';
import { acceptsJson } from '../../src/http/accept.ts';

test.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/*', true],
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['application/problem+json, application/json;q=0.1', true],
  ['text/html', false],
  ['application/problem+json', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0', false],
  ['*/*;q=0, application/json', true],
  ['application/*;q=0, */*;q=1', false],
  ['application/json;q=nonsense', true],
])('Accept: %s leaves room for JSON: %s', (accept, isAccepted) => {
  expect(acceptsJson(accept)).toBe(isAccepted);
});
