import { expect, test } from 'vitest';
import { parseDelaysIndicator, parseOnTimeIndicator } from '#domain/schedule/punctuality-indicators.ts';

const filed = (indicator: string, delaysAndCancellations = '') => ({ indicator, delaysAndCancellations });

test.each([
  ['01/8', { month: '01', value: '8' }],
  ['8', { month: '', value: '8' }],
  ['', undefined],
])('parses the on-time indicator %j', (text, read) => {
  expect(parseOnTimeIndicator(filed(text))).toEqual(read);
});

test.each([
  ['01/10/5//1', { month: '01', min15: '10', min30: '5', min30Warning: '', cancel: '1' }],
  ['', undefined],
  ['0110051', undefined],
])('parses the delays indicator %j', (text, read) => {
  expect(parseDelaysIndicator(filed('', text))).toEqual(read);
});
