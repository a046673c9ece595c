import { expect, test } from 'vitest';

import { countAccepted, countReasons, formatLoadReport, createLoadReport } from '../../src/feeds/load-report.ts';

test('a report without remarks has three lines', () => {
  const report = createLoadReport('summer.ssim');
  countAccepted(report, 'leg', 12);
  countAccepted(report, 'leg');
  countAccepted(report, 'trailer');
  const lines = ['summer.ssim', '  accepted: 13 leg, 1 trailer', '  remarks: 0 quarantined, 0 corrected, 0 notice'];
  expect(formatLoadReport(report)).toBe(`${lines.join('\n')}\n`);
});

test('a report counts each reason, shows the first three, and all quarantined records, each once', () => {
  const report = createLoadReport('airports.csv');
  const badDate = { bytes: [15, 21], value: '31FEB26', reason: 'bad-date', message: 'Not a date.' } as const;
  for (const line of [2, 3, 4, 5]) report.entries.push({ severity: 'quarantined', line, ...badDate });
  const unknownZone = { field: 'zone', value: 'Mars', reason: 'unknown-zone', message: 'No such zone.' };
  report.entries.push({ severity: 'notice', ...unknownZone });
  report.entries.push({ severity: 'corrected', value: '', reason: 'blank', message: 'Left out.' });
  expect(countReasons(report)).toEqual({ 'bad-date': 4, 'unknown-zone': 1, blank: 1 });
  expect(countReasons(report, 'notice')).toEqual({ 'unknown-zone': 1 });
  expect(formatLoadReport(report).split('\n')).toEqual([
    'airports.csv',
    '  accepted: nothing',
    '  remarks: 4 quarantined, 1 corrected, 1 notice',
    'quarantined',
    '  bad-date: 4',
    '    line 2, bytes 15-21: Not a date. [31FEB26]',
    '    line 3, bytes 15-21: Not a date. [31FEB26]',
    '    line 4, bytes 15-21: Not a date. [31FEB26]',
    '    line 5, bytes 15-21: Not a date. [31FEB26]',
    'corrected',
    '  blank: 1',
    '    whole source: Left out. []',
    'notice',
    '  unknown-zone: 1',
    '    zone: No such zone. [Mars]',
    '',
  ]);
});

test('a report with more remarks than it shows refers to the others', () => {
  const report = createLoadReport('airports.csv');
  for (const value of ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'])
    report.entries.push({ severity: 'notice', field: 'iata', value, reason: 'code-of-two-places', message: 'Two.' });
  expect(formatLoadReport(report).split('\n').slice(3)).toEqual([
    'notice',
    '  code-of-two-places: 5',
    '    iata: Two. [AAA]',
    '    iata: Two. [BBB]',
    '    iata: Two. [CCC]',
    '    and 2 more; --json tells all',
    '',
  ]);
});
