import { describe, expect, test } from 'vitest';
import {
  toSecond,
  buildFile,
  flownMessage,
  joinedCells,
  readFileText,
  officialCells,
  upperCaseCells,
  buildReference,
} from './bts-file.ts';

describe('a diverted flight', () => {
  /** Landed at CLE and reached ORD 3 hours late. */
  const viaCleveland = {
    Diverted: '1',
    ArrDelay: '',
    DivActualElapsedTime: '325',
    DivArrDelay: '180',
    DivAirports: 'CLE',
    DivWheelsOns: '0930',
    DivWheelsOffs: '1215',
    DivTailNums: 'N101XX',
    WheelsOn: '1220',
    ArrTime: '1230',
  };
  const nowhere = {
    WheelsOn: '',
    TaxiIn: '',
    ArrTime: '',
    DivActualElapsedTime: '',
    DivArrDelay: '',
    DivWheelsOffs: '',
    DivTailNums: '',
  };
  const departed = {
    actualOut: toSecond('2014-03-10T12:05Z'),
    actualOff: toSecond('2014-03-10T12:20Z'),
    registration: 'N101XX',
  };
  const arrived = { actualOn: toSecond('2014-03-10T17:20Z'), actualIn: toSecond('2014-03-10T17:30Z') };

  test.each(['N101XX', ''])('that the aircraft %j continues with reaches its destination itself', async (tail) => {
    expect(await readFileText(buildFile(joinedCells, { ...viaCleveland, DivTailNums: tail }))).toEqual({
      messages: [
        {
          ...flownMessage,
          observedAt: toSecond('2014-03-10T17:30Z') * 1000,
          facts: { ...departed, ...arrived },
          landings: [
            {
              id: '1',
              airport: 'CLE',
              actualOn: toSecond('2014-03-10T13:30Z'),
              actualOff: toSecond('2014-03-10T16:15Z'),
              continues: true,
            },
          ],
        },
      ],
      entries: [],
    });
  });

  test('is the same with the official columns', async () => {
    const official = {
      ...viaCleveland,
      Div1Airport: 'CLE',
      Div1WheelsOn: '0930',
      Div1WheelsOff: '1215',
      Div1TailNum: 'N101XX',
    };
    expect(await readFileText(buildFile(officialCells, official))).toEqual(
      await readFileText(buildFile(joinedCells, viaCleveland)),
    );
  });

  test('is recovered by another aircraft, as a separate flight', async () => {
    const { messages, entries } = await readFileText(
      buildFile(joinedCells, { ...viaCleveland, DivTailNums: 'N202XX' }),
    );
    expect(entries).toEqual([]);
    expect(messages).toEqual([
      {
        ...flownMessage,
        observedAt: toSecond('2014-03-10T13:30Z') * 1000,
        facts: departed,
        landings: [{ id: '1', airport: 'CLE', actualOn: toSecond('2014-03-10T13:30Z'), continues: false }],
      },
      {
        ...flownMessage,
        id: 'bts:2014-03-10:XX:12:JFK:ORD:0800:recovery',
        observedAt: toSecond('2014-03-10T17:30Z') * 1000,
        flight: buildReference({ suffix: 'R', from: 'CLE' }),
        facts: { actualOff: toSecond('2014-03-10T16:15Z'), ...arrived, registration: 'N202XX' },
        landings: [],
        plan: {
          ...flownMessage.plan,
          departureAirport: 'CLE',
          departsAt: toSecond('2014-03-10T16:15Z'),
          arrivesAt: toSecond('2014-03-10T17:30Z'),
          recovers: buildReference(),
        },
      },
    ]);
  });

  test('that returned is recovered the next day by a flight between the same airports', async () => {
    const back = {
      ...viaCleveland,
      DivAirports: 'JFK',
      DivWheelsOffs: '0815',
      DivTailNums: 'N202XX',
      WheelsOn: '0920',
      ArrTime: '0930',
      DivArrDelay: '1440',
      DivActualElapsedTime: '1585',
    };
    const { messages, entries } = await readFileText(buildFile(joinedCells, back));
    expect(entries).toEqual([]);
    expect(messages.map(({ flight, facts }) => [flight, facts.actualOff])).toEqual([
      [buildReference(), toSecond('2014-03-10T12:20Z')],
      [buildReference({ suffix: 'R', date: '2014-03-11' }), toSecond('2014-03-11T12:15Z')],
    ]);
  });

  test('whose recovery lands elsewhere again leaves that landing to the recovery', async () => {
    const twice = {
      ...viaCleveland,
      ...nowhere,
      DivAirports: 'CLE|STL',
      DivWheelsOns: '0930|1310',
      DivWheelsOffs: '1215',
      DivTailNums: 'N202XX',
    };
    const { messages, entries } = await readFileText(buildFile(joinedCells, twice));
    expect(entries).toEqual([]);
    expect(messages.map(({ landings, plan }) => [landings, plan?.arrivesAt])).toEqual([
      [
        [{ id: '1', airport: 'CLE', actualOn: toSecond('2014-03-10T13:30Z'), continues: false }],
        toSecond('2014-03-10T14:30Z'),
      ],
      [[{ id: '1', airport: 'STL', actualOn: toSecond('2014-03-10T18:10Z'), continues: false }], undefined],
    ]);
  });

  test('that never left the other airport ends there', async () => {
    const { messages, entries } = await readFileText(buildFile(joinedCells, { ...viaCleveland, ...nowhere }));
    expect(entries).toEqual([]);
    expect(messages.map(({ facts, landings }) => [facts, landings])).toEqual([
      [departed, [{ id: '1', airport: 'CLE', actualOn: toSecond('2014-03-10T13:30Z'), continues: false }]],
    ]);
  });

  test('that arrives days later spent them on the ground at its first airport', async () => {
    const days = {
      ...viaCleveland,
      DivAirports: 'CLE|STL',
      DivWheelsOns: '0930|1130',
      DivWheelsOffs: '1015|1145',
      DivTailNums: '|',
      DivArrDelay: String(180 + 3 * 1440),
      DivActualElapsedTime: String(325 + 3 * 1440),
    };
    const { messages, entries } = await readFileText(buildFile(joinedCells, days));
    expect(entries).toEqual([]);
    expect(messages.map(({ facts, landings }) => [facts.actualIn, landings])).toEqual([
      [
        toSecond('2014-03-13T17:30Z'),
        [
          {
            id: '1',
            airport: 'CLE',
            actualOn: toSecond('2014-03-10T13:30Z'),
            actualOff: toSecond('2014-03-13T14:15Z'),
            continues: true,
          },
          {
            id: '2',
            airport: 'STL',
            actualOn: toSecond('2014-03-13T16:30Z'),
            actualOff: toSecond('2014-03-13T16:45Z'),
            continues: true,
          },
        ],
      ],
    ]);
  });

  test.each([
    [
      'reached its destination',
      {},
      { actualOn: toSecond('2014-03-10T14:40Z'), actualIn: toSecond('2014-03-10T14:50Z') },
      true,
    ],
    ['did not', { WHEELS_ON: '', TAXI_IN: '', ARRIVAL_TIME: '' }, {}, false],
  ])('of a file without landings %s: the intermediate landing is unknown', async (_what, cells, facts, continues) => {
    const { messages, entries } = await readFileText(
      buildFile(upperCaseCells, { DIVERTED: '1', ARRIVAL_DELAY: '', ...cells }),
    );
    expect(entries).toEqual([]);
    expect(messages.map((message) => [message.facts, message.landings])).toEqual([
      [{ ...departed, ...facts }, [{ id: '1', continues }]],
    ]);
  });
});
