import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDate, localDate, type LocalDate } from '../../../src/domain/time/dates.ts';
import { formatInstant } from '../../../src/domain/status/instants.ts';
import type { FlightReference } from '../../../src/domain/status/message.ts';
import { toMillisecond, listMessages, readOneTelegram, readTelegramText } from './read-telegram-text.ts';

const dateOf = (flight: FlightReference) => (flight.by === 'designator' ? formatDate(flight.originDate) : flight.key);

const timesOf = async (lines: readonly string[], receivedAt: string): Promise<Record<string, string>> => {
  const { flight, facts } = await readOneTelegram(lines, receivedAt);
  const times = Object.entries(facts).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, formatInstant(value, 0).slice(0, 16)]] : [],
  );
  return { date: dateOf(flight), ...Object.fromEntries(times) };
};

test.each([
  ['01', '2027-03-01T18:00', '2027-03-01'],
  ['04', '2027-03-01T00:00', '2027-03-04'],
  ['05', '2027-03-01T23:59', '2027-02-05'],
  ['28', '2027-03-01T00:10', '2027-02-28'],
  ['31', '2027-03-01T00:10', '2027-01-31'],
  ['31', '2027-07-27T12:00', '2027-05-31'],
  ['30', '2028-03-26T12:00', '2028-01-30'],
  ['29', '2028-03-01T12:00', '2028-02-29'],
  ['31', '2027-01-01T00:30', '2026-12-31'],
  ['01', '2026-12-31T23:30', '2027-01-01'],
  ['31DEC', '2027-01-01T00:30', '2026-12-31'],
  ['01JAN', '2026-12-31T23:30', '2027-01-01'],
])(
  'the date of a flight is the last one of its day that is not more than three days ahead: day %s, read at %s, is %s',
  async (day, receivedAt, date) => {
    const { flight } = await readOneTelegram(['MVT', `XX0101/${day}.GABCD.LHR`, 'NI'], receivedAt);
    expect(dateOf(flight)).toBe(date);
  },
);

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
test.each(months)('the date of a flight may name the month %s', async (month) => {
  const date = `2027-${String(months.indexOf(month) + 1).padStart(2, '0')}-15`;
  const { flight } = await readOneTelegram(['MVT', `XX0101/15${month}.GABCD.LHR`, 'NI'], `${date}T12:00`);
  expect(dateOf(flight)).toBe(date);
});

test.each([
  ['011130', '2027-03-09T12:00', '2027-03-01T11:30', '2027-03-01'],
  ['312355', '2027-01-01T00:01', '2026-12-31T23:55', '2027-01-01'],
  ['010005', '2026-12-31T23:58', '2027-01-01T00:05', '2027-01-01'],
  ['281130', '2027-03-20T12:00', '2027-02-28T11:30', '2027-03-01'],
])(
  'the origin time of a telegram in the header overrides the time of reading: %s, read at %s, is %s',
  async (origin, receivedAt, observedAt, date) => {
    const message = await readOneTelegram([`.LHROWXX ${origin}`, 'MVT', 'XX0101/01.GABCD.LHR', 'AD2350'], receivedAt);
    expect(message.observedAt).toBe(toMillisecond(observedAt));
    expect(dateOf(message.flight)).toBe(date);
  },
);

const flight = 'XX0101/01.GABCD.LHR';
test.each([
  ['AD2350/0005', { date: '2027-03-01', actualOut: '2027-03-01T23:50', actualOff: '2027-03-02T00:05' }],
  ['AA0005', { date: '2027-03-01', actualOn: '2027-03-02T00:05' }],
  ['AA0030', { date: '2027-03-01', actualOn: '2027-03-02T00:30' }],
  ['EA1900', { date: '2027-03-01', estimatedOn: '2027-03-02T19:00' }],
  ['EA2330', { date: '2027-03-01', estimatedOn: '2027-03-01T23:30' }],
])(
  'the origin time of a telegram in the header overrides the time of reading: an actual time is the last one before it, an estimate the first one after it: %s',
  async (element, times) => {
    expect(await timesOf(['.LHROWXX 020010', 'MVT', flight, element], '2027-03-02T00:11')).toEqual(times);
  },
);

test('the origin time of a telegram in the header overrides the time of reading: a correction sent half a day later still finds the day', async () => {
  const lines = ['.LHROWXX 021200', 'COR MVT', flight, 'AD2150/2200'];
  expect(await timesOf(lines, '2027-03-02T12:00')).toMatchObject({ actualOut: '2027-03-01T21:50' });
});

test('times without a day are near noon of the flight date without an origin time in the header', async () => {
  const lines = ['MVT', 'XX0101/01.GABCD.LHR', 'AD0010'];
  expect(await timesOf(lines, '2027-03-02T09:00')).toMatchObject({ actualOut: '2027-03-01T00:10' });
});

test('times without a day follow one another across midnight, the month and the year', async () => {
  const lines = ['MVT', 'XX0101/31.GABCD.LHR', 'AD2345/0002 EA0710 JFK', 'EB0725'];
  expect(await timesOf(lines, '2027-01-01T06:00')).toEqual({
    date: '2026-12-31',
    actualOut: '2026-12-31T23:45',
    actualOff: '2027-01-01T00:02',
    estimatedOn: '2027-01-01T07:10',
    estimatedIn: '2027-01-01T07:25',
  });
});

test('times without a day may lie on the UTC date before the date of the flight, far in the east', async () => {
  const lines = ['.AKLKLXX 282010', 'MVT', 'XX0101/01.ZKABC.AKL', 'AD2000'];
  expect(await timesOf(lines, '2027-02-28T20:11')).toEqual({ date: '2027-03-01', actualOut: '2027-02-28T20:00' });
});

test('a written day is accepted from the day before the flight to the second day after it', async () => {
  const at = async (element: string) =>
    timesOf(['MVT', 'XX0101/01.GABCD.LHR', element], '2027-03-02T09:00').then(({ estimatedOut }) => estimatedOut);
  const found = await Promise.all(['ED282330', 'ED010000', 'ED032359'].map(at));
  expect(found).toEqual(['2027-02-28T23:30', '2027-03-01T00:00', '2027-03-03T23:59']);
});

test('a telegram without an origin time is observed at its last actual time, but not after its receipt', async () => {
  const lines = ['MVT', 'XX0101/01.GABCD.LHR', 'AD1100/1115'];
  expect((await readOneTelegram(lines, '2027-03-01T18:00')).observedAt).toBe(toMillisecond('2027-03-01T11:15'));
  expect((await readOneTelegram(lines, '2027-03-01T11:10')).observedAt).toBe(toMillisecond('2027-03-01T11:10'));
});

test('a telegram without an origin time is observed at its receipt when it is a correction, which may have an earlier time', async () => {
  const lines = ['COR MVT', 'XX0101/01.GABCD.LHR', 'AD1050/1105'];
  expect((await readOneTelegram(lines, '2027-03-01T18:00')).observedAt).toBe(toMillisecond('2027-03-01T18:00'));
});

const pad = (value: number): string => String(value).padStart(2, '0');
const clock = fc.integer({ min: 0, max: 1439 }).map((minute) => `${pad(Math.floor(minute / 60))}${pad(minute % 60)}`);
const elementTexts = fc.oneof(
  fc.tuple(clock, clock, clock).map(([out, off, on]) => `AD${out}/${off} EA${on} CDG`),
  fc.tuple(clock, clock, clock).map(([out, ramp, next]) => `AD${out} RR${ramp} ED${next}`),
  fc.tuple(clock, clock).map(([on, gate]) => `AA${on}/${gate}`),
  fc.tuple(clock, clock).map(([on, gate]) => `EA${on} EB${gate}`),
  fc.tuple(clock, clock).map(([next, off]) => `ED${next} EO${off}`),
);
const moments = fc.integer({ min: localDate('2024-01-01') * 1440, max: localDate('2031-01-01') * 1440 });

test('no time is more than 48 hours from the flight date, and later stages are never earlier', async () => {
  const property = fc.asyncProperty(
    fc.record({
      at: moments,
      ahead: fc.integer({ min: -20, max: 3 }),
      elements: elementTexts,
      hasOrigin: fc.boolean(),
    }),
    async ({ at, ahead, elements, hasOrigin }) => {
      const receivedAt = new Date(at * 60_000).toISOString().slice(0, 16);
      const flightDate = formatDate((Math.floor(at / 1440) + ahead) as LocalDate);
      const origin = `${receivedAt.slice(8, 10)}${receivedAt.slice(11, 13)}${receivedAt.slice(14)}`;
      const lines = ['MVT', `XX0101/${flightDate.slice(8)}.GABCD.LHR`, elements];
      const header = hasOrigin ? [`.LHROWXX ${origin}`] : [];
      const outcomes = await readTelegramText([...header, ...lines].join('\n'), receivedAt);
      expect(outcomes).toHaveLength(1);
      for (const { flight, facts } of listMessages(outcomes)) {
        expect(dateOf(flight)).toBe(flightDate);
        const { actualOut, actualOff, actualOn, actualIn, estimatedOut, estimatedOff, estimatedOn, estimatedIn } =
          facts;
        for (const chain of [
          [actualOut, actualOff, estimatedOn, estimatedIn],
          [actualOn, actualIn],
          [estimatedOut, estimatedOff],
        ]) {
          const seconds = chain.filter((value) => typeof value === 'number');
          expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
          for (const second of seconds) {
            expect(second).toBeGreaterThanOrEqual((localDate(flightDate) - 2) * 86_400);
            expect(second).toBeLessThan((localDate(flightDate) + 3) * 86_400);
          }
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
