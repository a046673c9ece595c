import { expect, test } from 'vitest';
import { formatHeader, mct, formatMctFile, formatMctLine, formatPartnerLines } from '#test/support/mct-lines.ts';
import { formatRecord, side, formatTrailer } from '#test/support/mct-lines.ts';
import { readMctText } from './read-mct-lines.ts';

const standard = formatMctLine(mct());
const numbered = (records: readonly string[]): string =>
  `${records.map((text, index) => text + String(index + 1).padStart(6, '0')).join('\n')}\n`;
/** The trailer repeats the serial number before it. */
const endOf = (records: number): string => `${formatTrailer}${String(records).padStart(6, '0')}\n`;
const [second, third] = [formatMctLine(mct({ status: 'DD' })), formatMctLine(mct({ status: 'ID' }))];

test('a file counts its records', async () => {
  const exception = mct({ arrival: side({ carrier: 'XX' }), suppression: 'N' });
  const suppression = mct({ departure: side({ operator: 'XX' }), suppression: 'Y', minutes: undefined });
  const partners = formatPartnerLines({ carrier: 'XX', partners: ['YY'] });
  const records = [standard, formatMctLine(exception), formatMctLine(suppression), ...partners];
  const kinds = ['header', 'station standard', 'carrier exception', 'suppression', 'trailer', 'partner list'];
  const accepted = Object.fromEntries(kinds.map((kind) => [kind, 1]));
  const { report } = await readMctText(formatMctFile(...records));
  expect(report).toStrictEqual({ source: 'test', accepted, entries: [] });
});

test('a file may have CRLF line ends, blank lines and lines of zeros', async () => {
  const text = `${formatMctFile(standard).replaceAll('\n', '\r\n')}\r\n${'0'.repeat(200)}\r\n`;
  const { records, report } = await readMctText(text);
  expect(records).toStrictEqual([mct()]);
  expect(report.accepted['filler']).toBe(2);
});

test('a file may have no serial numbers and trailing blanks trimmed', async () => {
  const text = [formatHeader, standard, formatTrailer].map((line) => line.trimEnd()).join('\n');
  const { records, remarks } = await readMctText(text);
  expect(records).toStrictEqual([mct()]);
  expect(remarks).toEqual(['notice no-serial 1', 'notice trailer-reference 3']);
});

test('a file in the format before lists of partners ends with a record 3', async () => {
  const { records, partners, remarks } = await readMctText(formatMctFile(standard).replace(/^4/m, '3'));
  expect([records, partners, remarks]).toStrictEqual([[mct()], [], []]);
});

test.each([
  ['by a gap in the serial numbers', [standard, second, third], 'notice serial-gap 3'],
  ['by the trailer, for the last record', [standard, second], 'notice trailer-reference 3'],
])('a lost record is reported %s', async (_, records, remark) => {
  const lines = formatMctFile(...records).split('\n');
  expect((await readMctText(lines.toSpliced(2, 1).join('\n'))).remarks).toEqual([remark]);
});

const updates = formatHeader.slice(0, 77) + 'U' + formatHeader.slice(78);
const unclear = formatHeader.slice(0, 77) + 'X' + formatHeader.slice(78);
const schedule = formatRecord({ 1: '1AIRLINE STANDARD SCHEDULE DATA SET' });
const withoutEnd = numbered([formatHeader, standard]);
test.each([
  ['without content', '', 'empty-file', undefined],
  ['without a header', numbered([standard]), 'no-header', 1],
  ['that is a schedule', numbered([schedule]), 'no-header', 1],
  ['of updates', numbered([updates, standard]) + endOf(2), 'updates', 1],
  ['of unclear content', numbered([unclear, standard]) + endOf(2), 'bad-content', 1],
  ['without a trailer', withoutEnd, 'no-end-record', undefined],
  ['whose trailer has no end code', `${withoutEnd}${formatRecord({ 1: '4' })}000002\n`, 'no-end-record', undefined],
  ['cut within a record', withoutEnd.slice(0, -60), 'cut-record', 2],
  ['with a record after its trailer', formatMctFile(standard) + standard + '000004\n', 'record-after-end', 4],
  ['with no record that can be read', formatMctFile(standard.replace('II', 'XX')), 'no-records', undefined],
  ['without records', formatMctFile(), 'no-records', undefined],
])('a file %s is rejected as a whole', async (_, text, reason, line) => {
  await expect(readMctText(text)).rejects.toMatchObject({ name: 'FeedError', reason, line });
});

test.each([
  ['that is too long', standard + ' 0000031', 'bad-length'],
  ['that is too short', standard.slice(0, 150), 'bad-length'],
  ['with a byte beyond ASCII', standard.replace('LHR', 'LÜR') + '000003', 'not-ascii'],
  ['of an unknown type', `7${standard.slice(1)}000003`, 'bad-record-type'],
  ['that is a second header', `${formatHeader}000003`, 'bad-record-type'],
])('a line %s is quarantined', async (_, line, reason) => {
  const lines = formatMctFile(formatMctLine(mct({ status: 'DD' })), standard).split('\n');
  const { records, remarks } = await readMctText(lines.with(2, line).join('\n'));
  expect(records).toStrictEqual([mct({ status: 'DD' })]);
  expect(remarks).toEqual([`quarantined ${reason} 3`]);
});

const many = Array.from({ length: 200 }, (_, index) => `${String.fromCharCode(65 + (index % 26))}${index % 10}`);
const linesOf = (carrier: string, ...partners: readonly string[]) => formatPartnerLines({ carrier, partners });

test('lists of partners are read whole, over as many records as they take', async () => {
  const { partners, remarks } = await readMctText(formatMctFile(standard, ...linesOf('XX', ...many)));
  expect(partners).toStrictEqual([{ line: 3, carrier: 'XX', partners: [...new Set(many)] }]);
  expect(remarks).toEqual([]);
});

test('lists of partners may be the only records of a file', async () => {
  const { records, partners } = await readMctText(formatMctFile(...linesOf('XX', 'YY', '4Z')));
  expect([records, partners]).toStrictEqual([[], [{ line: 2, carrier: 'XX', partners: ['YY', '4Z'] }]]);
});

test('lists of partners may be empty, with a notice', async () => {
  const { partners, remarks } = await readMctText(formatMctFile(...linesOf('XX')));
  expect([partners, remarks]).toStrictEqual([[{ line: 2, carrier: 'XX', partners: [] }], ['notice no-partners 2']]);
});

test('lists of partners are quarantined completely when one of their records is invalid', async () => {
  const [first = '', second = ''] = linesOf('XX', ...many);
  const bad = second.slice(0, 4) + 'Y-' + second.slice(6);
  const file = formatMctFile(standard, first, bad, ...linesOf('YY', 'XX'));
  const { partners, report, remarks } = await readMctText(file);
  expect(partners).toStrictEqual([{ line: 5, carrier: 'YY', partners: ['XX'] }]);
  expect(remarks).toEqual(['quarantined bad-carrier 4', 'quarantined incomplete-list 3']);
  expect(report.entries[0]).toMatchObject({ bytes: [5, 6], field: 'partner', value: 'Y-' });
});

test.each([
  ['with a missing byte', (line: string) => line.replace('3XX Y', '3XX '), 'bad-length'],
  ['with a byte beyond ASCII', (line: string) => line.replace('3XX Y', '3XX Ü'), 'not-ascii'],
])('lists of partners are quarantined completely when one of their records is one %s', async (_, spoil, reason) => {
  const lines = formatMctFile(standard, ...linesOf('XX', ...many.toSorted())).split('\n');
  const last = lines[4] ?? '';
  const { partners, remarks } = await readMctText(lines.with(4, spoil(last)).join('\n'));
  expect(spoil(last)).not.toBe(last);
  expect(partners).toEqual([]);
  const incomplete = ['quarantined incomplete-list 3', 'quarantined incomplete-list 4'];
  expect(remarks).toEqual([`quarantined ${reason} 5`, ...incomplete]);
});

test.each([
  ['no carrier', '3   YY', [2, 4], '', 'bad-carrier'],
  ['a carrier of three letters', '3XXXYY', [2, 4], 'XXX', 'bad-carrier'],
  ['a partner that is shifted by one byte', '3XX  YY', [5, 6], ' Y', 'bad-carrier'],
])('lists of partners are quarantined with %s', async (_, start, bytes, value, reason) => {
  const { partners, report } = await readMctText(formatMctFile(standard, formatRecord({ 1: start })));
  expect(partners).toEqual([]);
  expect(report.entries).toMatchObject([{ severity: 'quarantined', line: 3, bytes, value, reason }]);
});
