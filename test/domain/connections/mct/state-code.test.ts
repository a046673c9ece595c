import { expect, test } from 'vitest';
import { stateCodeOf } from '../../../../src/domain/connections/mct/state-code.ts';

test('states are told by two letters in the five countries that have them in minimum connecting times', () => {
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
  expect(codes.map(stateCodeOf)).toEqual(['NY', 'QC', 'SP', 'WA', 'NS', 'VI', 'QL', 'TS', 'CT', '', '', '', '']);
});
