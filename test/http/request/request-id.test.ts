import { expect, test } from 'vitest';
import { getRequestId } from '#http/request/request-id.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

test.each([[`00-${trace}-${parent}-01`], [`00-${trace}-${parent}-00`], [`01-${trace}-${parent}-01-more`]])(
  'the request ID is the trace id of %s',
  (header) => {
    expect(getRequestId(header)).toBe(trace);
  },
);

test.each([
  [null],
  [''],
  [trace],
  [`00-${trace.toUpperCase()}-${parent}-01`],
  [`00-${'0'.repeat(32)}-${parent}-01`],
  [`00-${trace}-${'0'.repeat(16)}-01`],
  [`ff-${trace}-${parent}-01`],
  [`00-${trace}-${parent}-01-more`],
  [`00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
  [`00-${trace}\n-${parent}-01`],
])('the request ID is new for %o', (header) => {
  const [one, other] = [getRequestId(header), getRequestId(header)];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(one).not.toBe(trace);
  expect(one).not.toBe(other);
});
