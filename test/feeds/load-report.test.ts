import { expect, test } from 'vitest';
import { countAccepted, countReasons, formatLoadReport, createLoadReport } from '#feeds/load-report.ts';

test('a report without remarks has three lines', () => {
  const report = createLoadReport('summer.ssim');
  countAccepted(report, 'leg', 12);
  countAccepted(report, 'leg');
  countAccepted(report, 'trailer');
  const lines = ['summer.ssim', '  accepted: 13 leg, 1 trailer', '  remarks: 0 quarantined, 0 corrected, 0 notice'];
  expect(formatLoadReport(report)).toBe(`${lines.join('\n')}\n`);
});

test('a report counts each reason, and lists the first three and all quarantined records once', () => {
  const report = createLoadReport('airports.csv');
  const badDate = { bytes: [15, 21], value: '31FEB26', reason: 'bad-date', message: 'Not a date.' } as const;
  for (const line of [2, 3, 4, 5]) report.entries.push({ severity: 'quarantined', line, ...badDate });
  const unknownZone = { field: 'zone', reason: 'unknown-zone', message: 'No such zone.' };
  for (const value of ['Mars', 'Moon', 'Venus', 'Pluto', 'Vesta'])
    report.entries.push({ severity: 'notice', ...unknownZone, value });
  report.entries.push({ severity: 'corrected', value: '', reason: 'blank', message: 'Left out.' });
  expect(countReasons(report)).toEqual({ 'bad-date': 4, 'unknown-zone': 5, blank: 1 });
  expect(countReasons(report, 'notice')).toEqual({ 'unknown-zone': 5 });
  expect(formatLoadReport(report).split('\n')).toEqual([
    'airports.csv',
    '  accepted: nothing',
    '  remarks: 4 quarantined, 1 corrected, 5 notice',
    'quarantined',
    '  bad-date: 4',
    '    line 2, bytes 15-21: Not a date. [31FEB26]',
    '    line 3, bytes 15-21: Not a date. [31FEB26]',
    '    line 4, bytes 15-21: Not a date. [31FEB26]',
    '    line 5, bytes 15-21: Not a date. [31FEB26]',
    'corrected',
    '  blank: 1',
    '    entire source: Left out. []',
    'notice',
    '  unknown-zone: 5',
    '    zone: No such zone. [Mars]',
    '    zone: No such zone. [Moon]',
    '    zone: No such zone. [Venus]',
    '    and 2 more; --json prints all',
    '',
  ]);
});
