import { describe, expect, test } from 'vitest';
import { formatDate } from '../../../src/domain/time/dates.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg } from './build-file.ts';

describe('flights of several legs', () => {
  test('legs in sequence make one itinerary', async () => {
    const { itineraries, remarks } = await readFileText(buildFile(buildSecondLeg(), buildLeg()));
    expect(
      itineraries.map(({ legs, complete }) => [
        legs.map(({ departure, arrival }) => departure.station + arrival.station),
        complete,
      ]),
    ).toEqual([[['LHRJFK', 'JFKLAX'], true]]);
    expect(remarks).toEqual([]);
  });

  const overnight = { 40: '2100', 44: '2100', 58: '0100', 62: '0100' };
  const nextDay = { 15: '02JUN26', 22: '01JUL26', 40: '0300', 44: '0300', 58: '0600', 62: '0600' };

  test('a later leg that departs the day after has a period of its own days, which the date variation explains', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(buildLeg({ ...overnight, 193: '01' }), buildSecondLeg({ ...nextDay, 193: '11' })),
    );
    expect(itineraries).toHaveLength(1);
    expect(
      itineraries[0]?.legs.map(({ period, departure }) => [formatDate(period.from), departure.dateVariation]),
    ).toEqual([
      ['2026-06-01', 0],
      ['2026-06-02', 1],
    ]);
    expect(remarks).toEqual([]);
  });

  test('a blank date variation of such a leg is inferred from the leg before', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(buildLeg({ ...overnight, 193: '  ' }), buildSecondLeg({ ...nextDay, 193: '  ' })),
    );
    expect(itineraries).toHaveLength(1);
    expect(
      itineraries[0]?.legs.map(({ departure, arrival }) => [departure.dateVariation, arrival.dateVariation]),
    ).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(remarks).toEqual(['corrected arrival-date-inferred 3', 'corrected departure-date-inferred 4']);
  });

  test('a blank departure day is also inferred when the arrival day is written', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(buildLeg({ ...overnight, 193: '01' }), buildSecondLeg({ ...nextDay, 193: ' 1' })),
    );
    expect(
      itineraries.map(({ legs, complete }) => [legs.length, legs.at(-1)?.departure.dateVariation, complete]),
    ).toEqual([[2, 1, true]]);
    expect(remarks).toEqual(['corrected departure-date-inferred 4']);
  });

  test('a period counted from the origin date is moved when the leg would otherwise depart before the leg before it lands', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(
        buildLeg({ ...overnight, 193: '  ' }),
        buildSecondLeg({ ...nextDay, 15: '01JUN26', 22: '30JUN26', 193: '  ' }),
      ),
    );
    expect(
      itineraries.map(({ legs, complete }) => [
        legs.map(({ period }) => formatDate(period.from)),
        legs.at(-1)?.departure.dateVariation,
        complete,
      ]),
    ).toEqual([[['2026-06-01', '2026-06-02'], 1, true]]);
    expect(remarks).toEqual(['corrected arrival-date-inferred 3', 'corrected period-of-origin 4']);
  });

  test('legs whose periods are written differently agree when their dates do', async () => {
    const monday = { 22: '30JUN26', 29: '1      ', ...overnight, 193: '01' };
    const tuesday = { ...nextDay, 15: '01JUN26', 22: '30JUN26', 29: ' 2     ', 193: '11' };
    const { itineraries, remarks } = await readFileText(buildFile(buildLeg(monday), buildSecondLeg(tuesday)));
    expect(itineraries.map(({ legs, complete }) => [legs.length, complete])).toEqual([[2, true]]);
    expect(remarks).toEqual([]);
  });

  test('a variation whose leg is split by period makes one itinerary for each period that lines up', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(
        buildLeg({ 22: '14JUN26' }),
        buildSecondLeg({ 22: '14JUN26' }),
        buildLeg({ 15: '15JUN26', 73: '77W' }),
        buildSecondLeg({ 15: '15JUN26' }),
      ),
    );
    expect(
      itineraries.map(({ legs, complete }) => [
        legs.map(({ equipment, period }) => `${equipment} ${formatDate(period.from)}`),
        complete,
      ]),
    ).toEqual([
      [['789 2026-06-01', '789 2026-06-01'], true],
      [['77W 2026-06-15', '789 2026-06-15'], true],
    ]);
    expect(remarks).toEqual([]);
  });

  test('legs whose dates are not aligned become separate flights, with a notice', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(buildLeg(), buildSecondLeg({ 22: '14JUN26' }), buildSecondLeg({ 15: '15JUN26' })),
    );
    expect(itineraries.map(({ legs, complete }) => [legs.map(({ sequence }) => sequence), complete])).toEqual([
      [[1], false],
      [[2], false],
      [[2], false],
    ]);
    expect(remarks).toEqual(['notice legs-not-aligned 3', 'notice legs-not-aligned 4', 'notice legs-not-aligned 5']);
  });

  test('legs that are not connected by station become separate flights', async () => {
    const { itineraries, remarks } = await readFileText(buildFile(buildLeg(), buildSecondLeg({ 37: 'EWR' })));
    expect(itineraries.map(({ legs, complete }) => [legs.length, complete])).toEqual([
      [1, false],
      [1, false],
    ]);
    expect(remarks).toEqual(['notice legs-not-aligned 3']);
  });

  test('the other legs of a flight with a quarantined leg are accepted, but the flight is not complete', async () => {
    const { itineraries, remarks } = await readFileText(buildFile(buildLeg(), buildSecondLeg({ 44: '1a30' })));
    expect(itineraries.map(({ legs, complete }) => [legs.length, complete])).toEqual([[1, false]]);
    expect(remarks).toEqual(['quarantined bad-time 4']);
  });

  test('a record without a readable flight makes only the flight before it incomplete', async () => {
    const { itineraries, remarks } = await readFileText(
      buildFile(buildLeg(), buildSecondLeg({ 6: '0?01' }), buildLeg({ 6: '0200' })),
    );
    expect(itineraries.map(({ legs: [first], complete }) => [first.flightNumber, complete])).toEqual([
      [101, false],
      [200, true],
    ]);
    expect(remarks).toEqual(['quarantined bad-flight-number 4']);
  });
});

test.each(['2', '5', '7'])(
  'a second leg whose record type was changed to %s makes its flight incomplete',
  async (type) => {
    const spoilt = buildSecondLeg({ 1: type, 193: '0J' });
    const { itineraries } = await readFileText(buildFile(buildLeg(), spoilt));
    expect(itineraries.map(({ legs, complete }) => [legs.length, complete])).toEqual([[1, false]]);
  },
);

test('a leg filed twice is accepted once', async () => {
  const { itineraries, remarks } = await readFileText(buildFile(buildLeg(), buildLeg()));
  expect(itineraries.map(({ legs, complete }) => [legs.map(({ line }) => line), complete])).toEqual([[[3], true]]);
  expect(remarks).toEqual(['corrected duplicate-leg 4']);
});

test('keeps and reports two departures of one designator on a common date', async () => {
  const { itineraries, remarks } = await readFileText(
    buildFile(
      buildLeg({ 22: '15JUN26' }),
      buildLeg({ 10: '02', 15: '15JUN26', 44: '1105' }),
      buildLeg({ 10: '03', 2: 'A' }),
    ),
  );
  expect(itineraries).toHaveLength(3);
  expect(remarks).toEqual(['notice double-departure 4']);
});

test('alternate weeks of one designator are no double departure', async () => {
  const week = { 29: '1      ', 36: '2' };
  const { remarks } = await readFileText(
    buildFile(buildLeg({ ...week }), buildLeg({ ...week, 10: '02', 15: '08JUN26' })),
  );
  expect(remarks).toEqual([]);
});
