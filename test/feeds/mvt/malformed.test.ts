import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTelegrams } from '#feeds/mvt/read-telegrams.ts';
import { listEntries, toMillisecond, listMessages, readTelegramText } from './read-telegram-text.ts';

const flight = 'XX0101/01.GABCD.LHR';
const good = ['MVT', flight, 'AD1100/1115'];

type Case = readonly [lines: readonly string[], line: number, field: string, value: string, reason: string];

const cases: readonly Case[] = [
  [['XYZ', flight, 'AD1100'], 1, 'telegram', 'XYZ', 'no-identifier'],
  [['QU LHROWXX', '.LHRKLXX 011116', '', 'QU LHROWXX'], 1, 'telegram', 'QU LHROWXX', 'no-identifier'],
  [['MVT'], 1, 'flight line', '', 'cut-telegram'],
  [['MVT', flight], 2, 'elements', flight, 'cut-telegram'],
  [['MVT', 'AD1100/1115'], 2, 'flight line', 'AD1100/1115', 'bad-flight-line'],
  [['MVT', 'XX0101/01.GABCD', 'AD1100'], 2, 'flight line', 'XX0101/01.GABCD', 'bad-flight-line'],
  [['MVT', 'XX/01.GABCD.LHR', 'AD1100'], 2, 'flight', 'XX', 'bad-flight'],
  [['MVT', 'XX0000/01.GABCD.LHR', 'AD1100'], 2, 'flight', 'XX0000', 'bad-flight'],
  [['MVT', '120101/01.GABCD.LHR', 'AD1100'], 2, 'flight', '120101', 'bad-flight'],
  [['MVT', 'XX0101/32.GABCD.LHR', 'AD1100'], 2, 'flight date', '32', 'bad-flight-date'],
  [['MVT', 'XX0101/01XYZ.GABCD.LHR', 'AD1100'], 2, 'flight date', '01XYZ', 'bad-flight-date'],
  [['MVT', 'XX0101/30FEB.GABCD.LHR', 'AD1100'], 2, 'flight date', '30FEB', 'date-out-of-reach'],
  [['MVT', 'XX0101/01JUN.GABCD.LHR', 'AD1100'], 2, 'flight date', '01JUN', 'date-out-of-reach'],
  [['MVT', 'XX0101/01.G*BCD.LHR', 'AD1100'], 2, 'registration', 'G*BCD', 'bad-registration'],
  [['MVT', 'XX0101/01.GABCD.12', 'AD1100'], 2, 'airport', '12', 'bad-airport'],
  [['MVT', flight, 'AD'], 3, 'AD', '', 'bad-element'],
  [['MVT', flight, 'AD2500'], 3, 'AD', '2500', 'bad-time'],
  [['MVT', flight, 'AD1100/1115/1120'], 3, 'AD', '1100/1115/1120', 'bad-element'],
  [['MVT', flight, 'AD1100/'], 3, 'AD', '1100/', 'bad-element'],
  [['MVT', flight, 'AD1100/1O15'], 3, 'AD', '1100/1O15', 'bad-time'],
  [['MVT', flight, 'PX112', 'ED1060'], 4, 'ED', '1060', 'bad-time'],
  [['MVT', flight, 'ED1000/1010'], 3, 'ED', '1000/1010', 'bad-element'],
  [['MVT', flight, 'ED051000'], 3, 'ED', '051000', 'day-out-of-reach'],
  [['MVT', flight, 'EA1000 C'], 3, 'EA', '1000 C', 'bad-element'],
  [['MVT', flight, 'EA100 CDG'], 3, 'EA', '100 CDG', 'bad-time'],
  [['MVT', flight, 'AD1115/1110'], 3, 'AD', '1115/1110', 'times-out-of-order'],
  [['MVT', flight, 'AD011115 EA010915 CDG'], 3, 'EA', '010915 CDG', 'times-out-of-order'],
  [['MVT', flight, 'AD1100', 'AD1105'], 4, 'AD', '1105', 'repeated-element'],
  [['MVT', flight, 'AA1100', 'ED1300'], 2, 'elements', 'AA ED', 'mixed-movements'],
  [['DIV', flight, 'DR71', 'EB1200'], 2, 'EA', '', 'no-diversion-airport'],
  [['DIV', flight, 'EA1200 STN', 'CONT', 'TERM'], 5, 'TERM', '', 'contradiction'],
];

test.each(cases)('%j is quarantined', async (lines, line, field, value, reason) => {
  const outcomes = await readTelegramText(['', ...lines, '', ...good].join('\n'));
  const [entry, ...others] = listEntries(outcomes);
  expect(others).toEqual([]);
  const message: unknown = expect.stringMatching(/^[A-Z'0-9].*\.$/);
  expect(entry).toStrictEqual({ severity: 'quarantined', line: line + 1, field, value, reason, message });
  expect(listMessages(outcomes)).toHaveLength(1);
});

test('a block with more lines than a telegram can have is quarantined as one', async () => {
  const lines = ['MVT', flight, 'AD1100', ...Array.from({ length: 5000 }, () => 'PX1')];
  const message = 'The telegram has more than 100 lines, or one of more than 1000 characters.';
  const entry = { severity: 'quarantined', line: 1, field: 'telegram', value: 'MVT', reason: 'too-long', message };
  expect(await readTelegramText(lines.join('\n'))).toStrictEqual([{ line: 1, entry }]);
});

test('text that is not a telegram does not hide the next telegram without a blank line', async () => {
  const outcomes = await readTelegramText([...Array.from({ length: 300 }, () => 'REMARKS'), ...good].join('\n'));
  expect(outcomes).toMatchObject([{ line: 1, entry: { reason: 'too-long' } }, { line: 301 }]);
  expect(listMessages(outcomes)).toHaveLength(1);
});

test.each(['=', '= ', 'EA ', 'A/', '1111 ABC '])(
  'a file that is one line of %j is quarantined quickly',
  async (text) => {
    const outcomes = await readTelegramText(`MVT\n${flight}\nEA1200${text.repeat(20_000)}X`);
    expect(listEntries(outcomes)).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ line: 1, entry: { reason: 'too-long' } });
  },
);

test('the report shows the beginning of a long value', async () => {
  const [entry] = listEntries(await readTelegramText(`MVT\n${'X'.repeat(900)}\nAD1100`));
  expect(entry).toMatchObject({ reason: 'bad-flight-line', value: 'X'.repeat(80) });
});

test('only errors of the reader are quarantined: a stream error is not', async () => {
  const broken = async function* () {
    yield Buffer.from(`${good.join('\n')}\n\nMVT\n`);
    throw new Error('the line is gone');
  };
  const reader = readTelegrams(broken(), { receivedAt: toMillisecond('2027-03-01T18:00') });
  expect((await reader.next()).value).toMatchObject({ line: 1 });
  await expect(reader.next()).rejects.toThrow('the line is gone');
});

const addressed = 'QU LHROWXX|.LHRKLXX 011116|MVT|XX0101/01.G-ABCD.LHR|AD1100/1115 EA1220 CDG|DL72/0015|SI DEICING';
const corrected = 'COR MVT|ABC0101A/28FEB.GABCD.CDG|AA011215/011224|EB1220|FLD28|=';
const diverted = '\u0001QU CDGKLXX|.CDGKLXX 011200|\u0002DIV|XX0101/01.GABCD.CDG|EA1235 ORY|CONT CDG EO1400|DR71\u0003';
const toRamp = `MVT|${flight}|AD1115 RR1125|ED011300|NI011330|NNNN`;
const inAir = `MVT|${flight}|FR1200/1215|EA1205 EB1212|SI ENGINE|TERM`;
const whole = [addressed, corrected, diverted, toRamp, inAir].join('||').replaceAll('|', '\r\n');

test('reading any sequence of characters never fails', async () => {
  const change = fc.record({
    at: fc.nat(whole.length),
    removed: fc.integer({ min: 0, max: 12 }),
    inserted: fc.oneof(
      fc.string({ maxLength: 6, unit: 'binary-ascii' }),
      fc.constantFrom('\n', '\r\n\r\n', '=', '/', '.', 'MVT\n', 'SI ', ' EA', '9999', '\u0000', '\u0003', 'COR\n'),
    ),
  });
  const mutated = (changes: readonly { at: number; removed: number; inserted: string }[]): string => {
    let text = whole;
    for (const { at, removed, inserted } of changes) text = text.slice(0, at) + inserted + text.slice(at + removed);
    return text;
  };
  const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
    const outcomes = await readTelegramText(mutated(changes));
    expect(listEntries(outcomes).every(({ line = 0, value }) => line > 0 && value.length <= 80)).toBe(true);
    expect(listMessages(outcomes).every(({ id }) => /^mvt:[0-9a-f]{64}$/.test(id))).toBe(true);
  });
  await fc.assert(property, { numRuns: 400 });
});
