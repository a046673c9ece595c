import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMark, writeMark } from '../../../../src/products/connections/v1/cursor-position.ts';

test('what a cursor says is read as it was written', () => {
  const number = fc.nat({ max: 2 ** 31 - 1 });
  const place = fc.record({ leg1: number, leg2: number, minutes: fc.nat({ max: 1440 }), rule: number });
  fc.assert(
    fc.property(fc.record({ setId: number, place }), (mark) => {
      expect(readMark(writeMark(mark))).toEqual(mark);
    }),
  );
});
