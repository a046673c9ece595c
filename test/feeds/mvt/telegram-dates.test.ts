import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import { formatInstant } from '#domain/status/instants.ts';
import type { FlightReference } from '#domain/status/message.ts';
import { listMessages, readOneTelegram, readTelegramText } from './read-telegram-text.ts';

const dateOf = (flight: FlightReference) =>
  flight.by === 'designator' ? formatDate(flight.originDate ?? localDate('1970-01-01')) : flight.key;

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
  ['01', '011130', 'NI', '2027-03-09T12:00', '2027-03-01 @01T11:30'],
  ['01', '312355', 'NI', '2027-01-01T00:01', '2027-01-01 @31T23:55'],
  ['01', '010005', 'NI', '2026-12-31T23:58', '2027-01-01 @01T00:05'],
  ['01', '281130', 'NI', '2027-03-20T12:00', '2027-03-01 @28T11:30'],
  // An actual time is the last one before the origin time, an estimate the first one after it.
  ['01', '020010', 'AD2350/0005', '2027-03-02T00:11', '2027-03-01 @02T00:10, Out 01T23:50, Off 02T00:05'],
  ['01', '020010', 'AA0005', '2027-03-02T00:11', '2027-03-01 @02T00:10, On 02T00:05'],
  ['01', '020010', 'AA0030', '2027-03-02T00:11', '2027-03-01 @02T00:10, On 02T00:30'],
  ['01', '020010', 'EA1900', '2027-03-02T00:11', '2027-03-01 @02T00:10, estimatedOn 02T19:00'],
  ['01', '020010', 'EA2330', '2027-03-02T00:11', '2027-03-01 @02T00:10, estimatedOn 01T23:30'],
  // Far in the east, a time may be on the UTC date before the date of the flight.
  ['01', '282010', 'AD2000', '2027-02-28T20:11', '2027-03-01 @28T20:10, Out 28T20:00'],
  // Without an origin time, the last actual time counts, but not after the receipt; times are near noon of the flight date.
  ['01', '', 'AD1100/1115', '2027-03-01T18:00', '2027-03-01 @01T11:15, Out 01T11:00, Off 01T11:15'],
  ['01', '', 'AD1100/1115', '2027-03-01T11:10', '2027-03-01 @01T11:10, Out 01T11:00, Off 01T11:15'],
  ['01', '', 'AD0010', '2027-03-02T09:00', '2027-03-01 @01T00:10, Out 01T00:10'],
  ['31', '', 'AD2345/0002', '2027-01-01T06:00', '2026-12-31 @01T00:02, Out 31T23:45, Off 01T00:02'],
  ['31', '', 'AD2345 EA0710 JFK', '2027-01-01T06:00', '2026-12-31 @31T23:45, Out 31T23:45, estimatedOn 01T07:10'],
  ['31', '', 'AA2345 EB0025', '2027-01-01T06:00', '2026-12-31 @31T23:45, estimatedIn 01T00:25, On 31T23:45'],
  // A correction can come half a day later, and can have an earlier time.
  ['01', '021200', 'COR AD2150/2200', '2027-03-02T12:00', '2027-03-01 @02T12:00, Out 01T21:50, Off 01T22:00'],
  ['01', '', 'COR AD1050/1105', '2027-03-01T18:00', '2027-03-01 @01T18:00, Out 01T10:50, Off 01T11:05'],
  // A written day is accepted from the day before the flight to the second day after it.
  ['01', '', 'ED282330', '2027-03-02T09:00', '2027-03-01 @02T09:00, estimatedOut 28T23:30'],
  ['01', '', 'ED010000', '2027-03-02T09:00', '2027-03-01 @02T09:00, estimatedOut 01T00:00'],
  ['01', '', 'ED032359', '2027-03-02T09:00', '2027-03-01 @02T09:00, estimatedOut 03T23:59'],
])(
  'the times of a flight on day %s with the origin time %j: %s, received at %s',
  async (day, origin, text, at, expected) => {
    const header = origin === '' ? [] : [`.LHROWXX ${origin}`];
    const [, correction = '', elements = ''] = /^(COR )?(.*)/.exec(text) ?? [];
    const lines = [...header, `${correction}MVT`, `XX0101/${day}.GABCD.LHR`, elements];
    const { flight, facts, observedAt } = await readOneTelegram(lines, at);
    const times = Object.entries(facts).map(([name, value]) =>
      typeof value === 'number' ? `, ${name.replace('actual', '')} ${formatInstant(value, 0).slice(8, 16)}` : '',
    );
    expect(`${dateOf(flight)} @${new Date(observedAt).toISOString().slice(8, 16)}${times.join('')}`).toBe(expected);
  },
);

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
