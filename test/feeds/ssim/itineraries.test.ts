import { expect, test } from 'vitest';
import type { Itinerary } from '#domain/schedule/schedule.ts';
import { listWeekdays } from '#domain/time/period.ts';
import { formatDate } from '#domain/time/dates.ts';
import { buildFile, buildLeg, buildSecondLeg, readFileText, times, type RecordBytes } from './build-file.ts';

/** Formats each leg as flight number, sequence, stations, equipment, first date and date variations, and whether the flight is complete. */
const formatItinerary = ({ legs, complete }: Itinerary): string =>
  [
    ...legs.map(
      ({ flightNumber, sequence, departure, arrival, equipment, period }) =>
        `${flightNumber}/${sequence} ${departure.station}-${arrival.station} ${equipment} ${formatDate(period.from)} ` +
        `${departure.dateVariation}${arrival.dateVariation}`,
    ),
    complete ? 'complete' : 'incomplete',
  ].join(', ');

const read = async (...records: readonly string[]) => {
  const { itineraries, remarks } = await readFileText(buildFile(...records));
  return { itineraries: itineraries.map(formatItinerary), remarks };
};

const first = '101/1 LHR-JFK 789 2026-06-01 00';
const second = '101/2 JFK-LAX 789 2026-06-01 00';
const overnight = times('2100', '0100');
const nextDay = { ...times('0300', '0600'), 15: '02JUN26', 22: '01JUL26' };
const fromOrigin = { 15: '01JUN26', 22: '30JUN26', 193: '  ' };
const inferred = (line: number, end = 'departure') => `corrected ${end}-date-inferred ${line}`;
const throughMidnight = '101/1 LHR-JFK 789 2026-06-01 01, 101/2 JFK-LAX 789 2026-06-02 11, complete';

test('flights of several legs: legs in sequence make one itinerary', async () => {
  const itineraries = [`${first}, ${second}, complete`];
  expect(await read(buildSecondLeg(), buildLeg())).toEqual({ itineraries, remarks: [] });
});

test.each<readonly [string, RecordBytes, RecordBytes, readonly string[]]>([
  ['has a period of its own days, which the date variation explains', { 193: '01' }, { 193: '11' }, []],
  [
    'has a blank date variation, which is inferred',
    { 193: '  ' },
    { 193: '  ' },
    [inferred(3, 'arrival'), inferred(4)],
  ],
  ['has a blank departure day, which is inferred', { 193: '01' }, { 193: ' 1' }, [inferred(4)]],
  [
    'has a period counted from the origin',
    { 193: '  ' },
    fromOrigin,
    [inferred(3, 'arrival'), 'corrected period-of-origin 4'],
  ],
  [
    'has a date variation and a period counted from the origin',
    { 193: '01' },
    { ...fromOrigin, 193: '11' },
    ['corrected period-of-origin 4'],
  ],
])('flights of several legs: a later leg that departs the day after %s', async (_, leg, secondLeg, remarks) => {
  const records = [buildLeg({ ...overnight, ...leg }), buildSecondLeg({ ...nextDay, ...secondLeg })];
  expect(await read(...records)).toEqual({ itineraries: [throughMidnight], remarks });
});

test('flights of several legs: legs whose periods are written differently agree when their dates do', async () => {
  const monday = { 22: '30JUN26', 29: '1      ', ...overnight, 193: '01' };
  const tuesday = { ...nextDay, 15: '01JUN26', 22: '30JUN26', 29: ' 2     ', 193: '11' };
  const itineraries = [throughMidnight.replace('06-02', '06-01')];
  expect(await read(buildLeg(monday), buildSecondLeg(tuesday))).toEqual({ itineraries, remarks: [] });
});

test('flights of several legs: a variation whose leg is split by period makes one itinerary for each period that lines up', async () => {
  const [early, late] = [{ 22: '14JUN26' }, { 15: '15JUN26' }];
  const legs = [buildLeg(early), buildSecondLeg(early), buildLeg({ ...late, 73: '77W' }), buildSecondLeg(late)];
  const second77w = '101/1 LHR-JFK 77W 2026-06-15 00, 101/2 JFK-LAX 789 2026-06-15 00, complete';
  expect(await read(...legs)).toEqual({ itineraries: [`${first}, ${second}, complete`, second77w], remarks: [] });
});

test('flights of several legs: legs whose dates are not aligned become separate flights, with a notice', async () => {
  expect(await read(buildLeg(), buildSecondLeg({ 22: '14JUN26' }), buildSecondLeg({ 15: '15JUN26' }))).toEqual({
    itineraries: [`${first}, incomplete`, `${second}, incomplete`, '101/2 JFK-LAX 789 2026-06-15 00, incomplete'],
    remarks: ['notice legs-not-aligned 3', 'notice legs-not-aligned 4', 'notice legs-not-aligned 5'],
  });
});

test('flights of several legs: periods with a date variation that fit in no reading are those of the own departures', async () => {
  const records = [buildLeg({ ...overnight, 193: '01' }), buildSecondLeg({ ...nextDay, 22: '20JUN26', 193: '11' })];
  expect(await read(...records)).toEqual({
    itineraries: ['101/1 LHR-JFK 789 2026-06-01 01, incomplete', '101/2 JFK-LAX 789 2026-06-02 11, incomplete'],
    remarks: ['notice legs-not-aligned 3', 'notice legs-not-aligned 4'],
  });
});

test('flights of several legs: the remark on a period of origin dates says how it was read', async () => {
  const leg = buildSecondLeg({ ...nextDay, ...fromOrigin, 29: '1      ', 193: '11' });
  const { report, itineraries } = await readFileText(
    buildFile(buildLeg({ ...overnight, 29: '1      ', 193: '01' }), leg),
  );
  expect(report.entries.map(({ message }) => message)).toEqual([
    'With a departure date variation of 1, the period fits the previous leg only as origin dates; it was read as these and moved by 1 day(s) ' +
      "to the dates of the leg's own departure.",
  ]);
  expect(itineraries.flatMap(({ legs }) => legs.map(({ period }) => listWeekdays(period.days)))).toEqual([[1], [2]]);
});

test('flights of several legs: legs that are not connected by station become separate flights', async () => {
  expect(await read(buildLeg(), buildSecondLeg({ 37: 'EWR' }))).toEqual({
    itineraries: [`${first}, incomplete`, '101/2 EWR-LAX 789 2026-06-01 00, incomplete'],
    remarks: ['notice legs-not-aligned 3'],
  });
});

test('flights of several legs: the other legs of a flight with a quarantined leg are accepted, but the flight is not complete', async () => {
  const { itineraries, remarks } = await read(buildLeg(), buildSecondLeg({ 44: '1a30' }));
  expect([itineraries, remarks]).toEqual([[`${first}, incomplete`], ['quarantined bad-time 4']]);
});

test('flights of several legs: a record without a readable flight makes only the flight before it incomplete', async () => {
  expect(await read(buildLeg(), buildSecondLeg({ 6: '0?01' }), buildLeg({ 6: '0200' }))).toEqual({
    itineraries: [`${first}, incomplete`, `${first.replace('101', '200')}, complete`],
    remarks: ['quarantined bad-flight-number 4'],
  });
});

test.each(['2', '5', '7'])(
  'flights of several legs: a second leg whose record type was changed to %s makes it incomplete',
  async (type) => {
    const { itineraries } = await read(buildLeg(), buildSecondLeg({ 1: type, 193: '0J' }));
    expect(itineraries).toEqual([`${first}, incomplete`]);
  },
);

test('a leg filed twice is accepted once', async () => {
  const { itineraries, remarks } = await readFileText(buildFile(buildLeg(), buildLeg()));
  expect(itineraries.map(({ legs, complete }) => [legs.map(({ line }) => line), complete])).toEqual([[[3], true]]);
  expect(remarks).toEqual(['corrected duplicate-leg 4']);
});

test('keeps and reports two departures of one designator on a common date', async () => {
  const others = [buildLeg({ 10: '02', 15: '15JUN26', 44: '1105' }), buildLeg({ 10: '03', 2: 'A' })];
  const { itineraries, remarks } = await read(buildLeg({ 22: '15JUN26' }), ...others);
  expect(itineraries).toHaveLength(3);
  expect(remarks).toEqual(['notice double-departure 4']);
});

test('alternate weeks of one designator are no double departure', async () => {
  const week = { 29: '1      ', 36: '2' };
  expect((await read(buildLeg(week), buildLeg({ ...week, 10: '02', 15: '08JUN26' }))).remarks).toEqual([]);
});
