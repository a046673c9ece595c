import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePosition, encodePosition } from '../../../../src/products/connections/v1/cursor-position.ts';

test('decodes what it encoded', () => {
  const number = fc.nat({ max: 2 ** 31 - 1 });
  const connection = fc.record({ leg1: number, leg2: number, minutes: fc.nat({ max: 1440 }), rule: number });
  fc.assert(
    fc.property(fc.record({ setId: number, connection }), (position) => {
      expect(decodePosition(encodePosition(position))).toEqual(position);
    }),
  );
});
