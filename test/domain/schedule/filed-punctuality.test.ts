import { expect, test } from 'vitest';
import { delaysIndicator, onTimeIndicator } from '../../../src/domain/schedule/filed-punctuality.ts';

const filed = (indicator: string, delaysAndCancellations = '') => ({ indicator, delaysAndCancellations });

test.each([
  ['01/8', { month: '01', value: '8' }],
  ['8', { month: '', value: '8' }],
  ['', undefined],
])('the on-time indicator %j is read', (text, read) => {
  expect(onTimeIndicator(filed(text))).toEqual(read);
});

test.each([
  ['01/10/5//1', { month: '01', min15: '10', min30: '5', min30Warning: '', cancel: '1' }],
  ['', undefined],
  ['0110051', undefined],
])('the delays indicator %j is read', (text, read) => {
  expect(delaysIndicator(filed('', text))).toEqual(read);
});
