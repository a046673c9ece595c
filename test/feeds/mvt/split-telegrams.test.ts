import { expect, test } from 'vitest';
import { listEntries, toMillisecond, listMessages, readOneTelegram, readTelegramText } from './read-telegram-text.ts';

const departure = ['MVT', 'XX0101/01.GABCD.LHR', 'AD1100/1115 EA1220 CDG'];
const arrival = ['MVT', 'XX0101/01.GABCD.CDG', 'AA1215/1224'];
const header = ['QU LHROWXX CDGKLXX', '.LHRKLXX 011116'];

/** Returns line, airport and time of each message, which distinguish the telegrams. */
const summary = async (text: string) => {
  const outcomes = await readTelegramText(text);
  expect(listEntries(outcomes)).toEqual([]);
  return outcomes.flatMap((outcome) => {
    if (!('message' in outcome)) return [];
    const { flight, observedAt } = outcome.message;
    return [[outcome.line, Object.values(flight).at(-2), new Date(observedAt).toISOString().slice(11, 16)]];
  });
};

test.each([
  ['blank lines', [...departure, '', '', ...arrival, '', '']],
  ['only the next identifier', [...departure, ...arrival]],
  ['an equals sign', [...departure.slice(0, 2), `${departure[2] ?? ''}=`, ...arrival, '=']],
  ['NNNN', [...departure, 'NNNN', 'ZCZC ABC123', ...arrival, 'NNNN']],
  ['end of text and start of heading', [...departure, '\u0003\u0001', ...arrival, '\u0003']],
])('telegrams are separated by %s', async (_, lines) => {
  const second = lines.lastIndexOf('MVT') + 1;
  const expected = [
    [1, 'LHR', '11:15'],
    [second, '', '12:24'],
  ];
  expect(await summary(lines.join('\n'))).toEqual(expected);
  expect(await summary(`${lines.join('\r\n')}\r\n`)).toEqual(expected);
});

test.each([
  ['addresses and origin', [...header, ...departure], 3],
  ['several lines of addresses', ['QU LHROWXX', 'CDGKLXX FRAKLXX', '.LHRKLXX 011116', ...departure], 4],
  ['a sign before the origin time', ['QU LHROWXX', '.LHRKLXX XX/011116 MAR27', ...departure], 3],
  ['control characters', ['\u0001QU LHROWXX', '.LHRKLXX 011116', `\u0002${departure.join('\n')}`, '\u0003'], 3],
  ['a blank line before the text', [...header, '', ...departure], 4],
  ['lines of an aircraft report', [...header, 'M11', 'FI XX0101/AN G-ABCD', '-', ...departure], 6],
])('reads a header: %s', async (_, lines, line) => {
  expect(await summary(lines.join('\r\n'))).toEqual([[line, 'LHR', '11:16']]);
});

test('each telegram has its own header, also without blank lines between them', async () => {
  const lines = [...header, ...departure, 'QU LHROWXX', '.CDGKLXX 011225', ...arrival, ...departure];
  expect((await summary(lines.join('\n'))).map(String)).toEqual(['3,LHR,11:16', '8,,12:25', '11,LHR,11:15']);
});

test('lower case, blanks at both ends and a byte order mark do not matter', async () => {
  const text = `\u00EF\u00BB\u00BF${departure.map((line) => `  ${line.toLowerCase()}  `).join('\n')}`;
  expect(await readTelegramText(text)).toEqual(await readTelegramText(departure.join('\n')));
});

test('an invalid origin time gives a notice and is ignored', async () => {
  const outcomes = await readTelegramText(['.LHRKLXX 991116', ...departure].join('\n'));
  expect(listMessages(outcomes)[0]?.observedAt).toBe(toMillisecond('2027-03-01T11:15'));
  const message = 'The origin time must be DDHHMM; it was ignored.';
  const entry = {
    severity: 'notice',
    line: 1,
    field: 'origin time',
    value: '991116',
    reason: 'bad-origin-time',
    message,
  };
  expect(listEntries(outcomes)).toStrictEqual([entry]);
});

test('a repeated telegram has the same ID, whatever the transport', async () => {
  const { id } = await readOneTelegram([...header, ...departure]);
  expect((await readOneTelegram(['QU FRAOWXX', '.LHRKLXX 011116', ...departure, '='], '2027-03-02T07:00')).id).toBe(id);
  expect((await readOneTelegram(['.LHRKLXX 011116', 'PDM MVT', ...departure.slice(1)])).id).toBe(id);
  expect((await readOneTelegram(['.LHRKLXX 011116', 'PDM', ...departure, 'PDM'])).id).toBe(id);
  expect(id).toBe('mvt:9d79a64422a8be5808d8e6c68c6a357369cc88bc63c38ff7a4a48238f9ea0a51');
});

test('another time of origin, date, content or a correction gives another ID', async () => {
  const variants = [
    [...header, ...departure],
    ['.LHRKLXX 011117', ...departure],
    departure,
    ['COR MVT', ...departure.slice(1)],
    ['MVT', 'XX0101/02.GABCD.LHR', 'AD1100/1115 EA1220 CDG'],
    [...departure, 'SI DEICING'],
  ];
  const ids = await Promise.all(variants.map(async (lines) => (await readOneTelegram(lines)).id));
  expect(new Set(ids).size).toBe(variants.length);
});

test('the same telegram of another month is another telegram', async () => {
  const [march, april] = [await readOneTelegram(departure), await readOneTelegram(departure, '2027-04-01T18:00')];
  expect(march.id).not.toBe(april.id);
});

test('a correction may be marked on a line of its own', async () => {
  const outcomes = await readTelegramText([...departure, 'COR', ...arrival].join('\n'));
  const observed = listMessages(outcomes).map(({ observedAt }) => observedAt);
  expect(observed).toEqual(['2027-03-01T11:15', '2027-03-01T18:00'].map(toMillisecond));
});

test('an empty file holds no telegram', async () => {
  expect(await readTelegramText('')).toEqual([]);
  expect(await readTelegramText('\r\n\r\nNNNN\r\n')).toEqual([]);
});
