import { expect, test } from 'vitest';
import { toStateCode } from '../../../../src/domain/connections/flights/connection-master-data.ts';

test('returns two-letter state codes in the five countries that have them', () => {
  const codes = [
    'US-NY',
    'CA-QC',
    'BR-SP',
    'AU-WA',
    'AU-NSW',
    'AU-VIC',
    'AU-QLD',
    'AU-TAS',
    'AU-ACT',
    'DE-BY',
    'GB-ENG',
    '',
    'US',
  ];
  expect(codes.map(toStateCode)).toEqual(['NY', 'QC', 'SP', 'WA', 'NS', 'VI', 'QL', 'TS', 'CT', '', '', '', '']);
});
