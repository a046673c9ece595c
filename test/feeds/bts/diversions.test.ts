import { expect, test } from 'vitest';
import { at, buildFile, flownMessage, joinedCells, readFileText, officialCells, upperCaseCells } from './bts-file.ts';
import { buildReference, downloadCells, downloadDiversionCells } from './bts-file.ts';

const cleveland = { DivAirports: 'CLE', DivWheelsOns: '0930', DivWheelsOffs: '1215', DivTailNums: 'N101XX' };
const reached = { DivActualElapsedTime: '325', DivArrDelay: '180', WheelsOn: '1220', ArrTime: '1230' };
/** Landed at CLE and reached ORD 3 hours late. */
const viaCleveland = { Diverted: '1', ArrDelay: '', ...cleveland, ...reached };
const noArrival = { WheelsOn: '', TaxiIn: '', ArrTime: '', DivActualElapsedTime: '', DivArrDelay: '' };
const nowhere = { ...noArrival, DivWheelsOffs: '', DivTailNums: '' };
const ended = { id: '1', airport: 'CLE', actualOn: at('13:30'), continues: false };
const landed = { id: '1', airport: 'CLE', actualOn: at('13:30'), actualOff: at('16:15'), continues: true };
const departed = { actualOut: at('12:05'), actualOff: at('12:20'), registration: 'N101XX' };
const recovers = buildReference();
const arrived = { actualOn: at('17:20'), actualIn: at('17:30') };

test.each(['N101XX', ''])(
  'a diverted flight that the aircraft %j continues with reaches its destination itself',
  async (tail) => {
    expect(await readFileText(buildFile(joinedCells, { ...viaCleveland, DivTailNums: tail }))).toEqual({
      messages: [
        { ...flownMessage, observedAt: at('17:30') * 1000, facts: { ...departed, ...arrived }, landings: [landed] },
      ],
      entries: [],
    });
  },
);

test('a diverted flight gives the same messages with the official columns', async () => {
  const first = { Div1Airport: 'CLE', Div1WheelsOn: '0930', Div1WheelsOff: '1215', Div1TailNum: 'N101XX' };
  const official = await readFileText(buildFile(officialCells, { ...viaCleveland, ...first }));
  expect(official).toEqual(await readFileText(buildFile(joinedCells, viaCleveland)));
});

test('a diverted flight gives the same messages with the columns of the download form', async () => {
  const { Diverted, ArrTime, ArrDelay, DivArrDelay, WheelsOn } = { ...joinedCells, ...viaCleveland };
  const first = { DIV1_AIRPORT: 'CLE', DIV1_WHEELS_ON: '0930', DIV1_WHEELS_OFF: '1215', DIV1_TAIL_NUM: 'N101XX' };
  const times = {
    DIVERTED: Diverted,
    ARR_TIME: ArrTime,
    ARR_DELAY: ArrDelay,
    DIV_ARR_DELAY: DivArrDelay,
    WHEELS_ON: WheelsOn,
  };
  const layout = { ...downloadCells, ...downloadDiversionCells };
  const downloaded = await readFileText(buildFile(layout, { ...first, ...times }));
  expect(downloaded).toEqual(await readFileText(buildFile(joinedCells, viaCleveland)));
});

test('a diverted flight in a file without columns of landings has a landing at an unknown airport', async () => {
  const cells = { DIVERTED: '1.00', ARR_DELAY: '', ARR_TIME: '', WHEELS_ON: '', TAXI_IN: '' };
  const { messages, entries } = await readFileText(buildFile(downloadCells, cells));
  expect(entries).toEqual([]);
  expect(messages).toMatchObject([{ landings: [{ id: '1', continues: false }], facts: { actualOff: at('12:20') } }]);
});

test('a diverted flight is recovered by another aircraft, as a separate flight', async () => {
  const cells = { ...viaCleveland, DivTailNums: 'N202XX' };
  const { messages, entries } = await readFileText(buildFile(joinedCells, cells));
  expect(entries).toEqual([]);
  expect(messages).toEqual([
    { ...flownMessage, observedAt: at('13:30') * 1000, facts: departed, landings: [ended] },
    {
      ...flownMessage,
      id: 'bts:2014-03-10:XX:12:JFK:ORD:0800:recovery',
      observedAt: at('17:30') * 1000,
      flight: buildReference({ suffix: 'R', from: 'CLE' }),
      facts: { actualOff: at('16:15'), ...arrived, registration: 'N202XX' },
      landings: [],
      plan: {
        ...flownMessage.plan,
        departureAirport: 'CLE',
        departsAt: at('16:15'),
        arrivesAt: at('17:30'),
        recovers,
      },
    },
  ]);
});

test('a diverted flight that returned is recovered the next day by a flight between the same airports', async () => {
  const back = { DivAirports: 'JFK', DivWheelsOffs: '0815', DivTailNums: 'N202XX' };
  const nextDay = { WheelsOn: '0920', ArrTime: '0930', DivArrDelay: '1440', DivActualElapsedTime: '1585' };
  const { messages, entries } = await readFileText(buildFile(joinedCells, { ...viaCleveland, ...back, ...nextDay }));
  expect(entries).toEqual([]);
  expect(messages.map(({ flight, facts }) => [flight, facts.actualOff])).toEqual([
    [buildReference(), at('12:20')],
    [buildReference({ suffix: 'R', date: '2014-03-11' }), at('12:15', 11)],
  ]);
});

test('a diverted flight whose recovery lands elsewhere again leaves that landing to the recovery', async () => {
  const landings = { DivAirports: 'CLE|STL', DivWheelsOns: '0930|1310', DivTailNums: 'N202XX' };
  const cells = { ...viaCleveland, ...noArrival, ...landings };
  const { messages, entries } = await readFileText(buildFile(joinedCells, cells));
  expect(entries).toEqual([]);
  expect(messages.map(({ landings, plan }) => [landings, plan?.arrivesAt])).toEqual([
    [[ended], at('14:30')],
    [[{ id: '1', airport: 'STL', actualOn: at('18:10'), continues: false }], undefined],
  ]);
});

test('a diverted flight that never left the other airport ends there', async () => {
  const { messages, entries } = await readFileText(buildFile(joinedCells, { ...viaCleveland, ...nowhere }));
  expect(entries).toEqual([]);
  expect(messages.map(({ facts, landings }) => [facts, landings])).toEqual([[departed, [ended]]]);
});

test('a diverted flight that arrives days later spent them on the ground at its first airport', async () => {
  const twice = { DivAirports: 'CLE|STL', DivWheelsOns: '0930|1130', DivWheelsOffs: '1015|1145', DivTailNums: '|' };
  const second = { ...landed, id: '2', airport: 'STL', actualOn: at('16:30', 13), actualOff: at('16:45', 13) };
  const days = { DivArrDelay: String(180 + 3 * 1440), DivActualElapsedTime: String(325 + 3 * 1440) };
  const { messages, entries } = await readFileText(buildFile(joinedCells, { ...viaCleveland, ...twice, ...days }));
  expect(entries).toEqual([]);
  expect(messages.map(({ facts, landings }) => [facts.actualIn, landings])).toEqual([
    [at('17:30', 13), [{ ...landed, actualOff: at('14:15', 13) }, second]],
  ]);
});

test.each([
  ['reached its destination', {}, { actualOn: at('14:40'), actualIn: at('14:50') }, true],
  ['did not', { WHEELS_ON: '', TAXI_IN: '', ARRIVAL_TIME: '' }, {}, false],
])(
  'a diverted flight of a file without landings %s: the intermediate landing is unknown',
  async (_what, cells, facts, continues) => {
    const diverted = { DIVERTED: '1', ARRIVAL_DELAY: '', ...cells };
    const { messages, entries } = await readFileText(buildFile(upperCaseCells, diverted));
    expect(entries).toEqual([]);
    const found = messages.map((message) => [message.facts, message.landings]);
    expect(found).toEqual([[{ ...departed, ...facts }, [{ id: '1', continues }]]]);
  },
);
