import { expect, test } from 'vitest';
import { toDesignatorKey, parseFlightReferences } from '#domain/schedule/designators.ts';

const flight = (carrier: string, flightNumber: number, suffix = '') => ({ carrier, flightNumber, suffix });

test.each([
  ['XX 0101 ', [flight('XX', 101)]],
  ['XX 0101 /', [flight('XX', 101)]],
  ['U2 0101 /', [flight('U2', 101)]],
  ['BA 0117 /IB 4217 ', [flight('BA', 117), flight('IB', 4217)]],
  ['BA  117/IB 4217Z', [flight('BA', 117), flight('IB', 4217, 'Z')]],
  ['ABC0007A/9W 9999 /', [flight('ABC', 7, 'A'), flight('9W', 9999)]],
])('"%s" lists flights', (text, expected) => expect(parseFlightReferences(text)).toEqual(expected));

const malformed = ',/,XX,XX101,XX 0000 ,12 0101 ,XX 01O1 ,XX 0101 9,XX 0101 //YY 0001 ,XX 0101  X';
test.each(malformed.split(','))('"%s" lists no flights', (text) => expect(parseFlightReferences(text)).toBeUndefined());

test('a designator has one key', () => expect(toDesignatorKey(flight('XX', 101, 'A'))).toBe('XX/101A'));
