import { expect, test } from 'vitest';
import { readAvinor } from '#feeds/live/avinor.ts';
import { avinorArrival, avinorDeparture, avinorRequest, writeAvinor, type AvinorRow } from './live-inputs.ts';

const read = (rows: readonly AvinorRow[], airport = 'BVG', hoursBack?: number) =>
  readAvinor(writeAvinor(airport, rows), avinorRequest(airport, hoursBack));

const readOne = async (row: AvinorRow) => {
  const answer = await read([{ ...avinorDeparture, ...row }]);
  return answer.rows[0] ?? answer.rejected[0];
};

test('a departure is the leg to the first station after the airport', async () => {
  expect(
    await read([{ ...avinorDeparture, gate: 'F34', check_in: '4-7', status: 'code="E" time="2026-10-07T12:09:30Z"' }]),
  ).toEqual({
    observedAt: '2026-10-07T12:00:00.123Z',
    cursor: '2026-10-07T11:59:50Z',
    airport: 'BVG',
    rejected: [],
    remarks: [],
    rows: [
      {
        carrier: 'WF',
        flightNumber: 955,
        suffix: '',
        direction: 'departure',
        airport: 'BVG',
        stations: ['VDS', 'KKN'],
        scheduled: '2026-10-07T12:05:00Z',
        date: '2026-10-07',
        legId: '1119646495',
        departureDates: ['2026-10-07'],
        codeshares: [],
        serviceType: '',
        isOperating: true,
        facts: { estimatedOut: '2026-10-07T12:09:30Z', gate: 'F34', checkInCounter: '4-7' },
      },
    ],
  });
});

test('an arrival is the leg from the last station before the airport, and its ID confirms the date of the departure', async () => {
  const { rows, remarks } = await read([
    { ...avinorArrival, belt: '2', status: 'code="A" time="2026-10-07T11:47:00Z"' },
  ]);
  expect(remarks).toEqual([]);
  expect(rows).toMatchObject([
    {
      direction: 'arrival',
      stations: ['VAW', 'BJF'],
      legId: '1119646122',
      departureDates: ['2026-10-07'],
      facts: { actualOn: '2026-10-07T11:47:00Z', baggage: '2' },
    },
  ]);
});

test.each([
  ['WF', 'WF030', { carrier: 'WF', flightNumber: 30, suffix: '' }],
  ['W4', 'W46245', { carrier: 'W4', flightNumber: 6245, suffix: '' }],
  ['D8', 'D83234', { carrier: 'D8', flightNumber: 3234, suffix: '' }],
  ['WGH', 'WGH110', { carrier: 'WGH', flightNumber: 110, suffix: '' }],
  ['BA', 'BA778B', { carrier: 'BA', flightNumber: 778, suffix: 'B' }],
])('the carrier %s is cut off %s before the number', async (airline, flightId, designator) => {
  expect(await readOne({ airline, flight_id: flightId })).toMatchObject(designator);
});

test.each([
  ['code="D" time="2026-10-07T12:06:00Z"', { actualOut: '2026-10-07T12:06:00Z' }, true],
  ['code="C"', { cancelled: 'true' }, false],
  ['code="E"', {}, true],
  ['code="N"', {}, false],
])('a departure with the status %s', async (status, facts, isOperating) => {
  expect(await readOne({ status })).toMatchObject({ facts, isOperating });
});

test('codes without a meaning at this end are counted with their text', async () => {
  const rows = ['code="O" time="2026-10-07T12:06:00Z"', 'code="X9"', 'code="A" time="2026-10-07T12:06:00Z"'];
  const { remarks } = await read(rows.map((status) => ({ ...avinorDeparture, status })));
  expect(remarks).toEqual([
    { reason: 'unknown-status', value: 'O of a departure' },
    { reason: 'unknown-status', value: 'X9 of a departure' },
    { reason: 'unknown-status', value: 'A of a departure' },
  ]);
});

test('codeshares are lists of equal length; an invalid one is counted', async () => {
  const { rows, remarks } = await read([
    {
      ...avinorDeparture,
      codeshareAirlineDesignators: 'A3;WY;NH',
      codeshareAirlineNames: ';;',
      codeshareFlightNumbers: '1414;5271;',
      codeshareOperationalSuffixs: ';P;',
    },
  ]);
  expect(rows[0]?.codeshares).toEqual([
    { carrier: 'A3', flightNumber: 1414, suffix: '' },
    { carrier: 'WY', flightNumber: 5271, suffix: 'P' },
  ]);
  expect(remarks).toEqual([{ reason: 'bad-codeshare', value: 'NH' }]);
});

test('a circular flight has a leg to its first station', async () => {
  const row = { ...avinorDeparture, flight_id: 'WF141', airport: 'OSL', via_airport: 'SOG,SDN' };
  expect((await read([row], 'OSL')).rows).toMatchObject([{ airport: 'OSL', stations: ['SOG', 'SDN', 'OSL'] }]);
  expect((await read([{ ...row, via_airport: '' }], 'OSL')).rejected).toEqual([
    { reason: 'leg-to-itself', value: 'WF141 OSL' },
  ]);
});

test('a row from before the window without a status in it is rejected', async () => {
  const old = { ...avinorDeparture, schedule_time: '2026-10-04T12:05:00Z' };
  const answer = await read(
    [old, { ...old, status: 'code="E" time="2026-10-07T17:00:00Z"' }, { ...old, status: 'code="C"' }],
    'BVG',
    12,
  );
  expect(answer.rejected).toEqual([
    { reason: 'outside-window', value: 'WF955 2026-10-04T12:05Z' },
    { reason: 'outside-window', value: 'WF955 2026-10-04T12:05Z' },
  ]);
  expect(answer.rows).toMatchObject([{ facts: { estimatedOut: '2026-10-07T17:00:00Z' } }]);
});

test.each([
  [{ flight_id: 'DY1' }, { reason: 'bad-flight-id', value: 'WF DY1' }],
  [{ flight_id: 'WF' }, { reason: 'bad-flight-id', value: 'WF WF' }],
  [{ arr_dep: 'X' }, { reason: 'bad-direction', value: 'X' }],
  [{ schedule_time: '7 October' }, { reason: 'bad-time', value: '7 October' }],
  [{ airport: 'Oslo' }, { reason: 'bad-station', value: 'Oslo' }],
])('a row with %j is rejected, and the others are read', async (row, rejection) => {
  const { rows, rejected } = await read([{ ...avinorDeparture, ...row }, avinorDeparture]);
  expect({ rows: rows.length, rejected }).toEqual({ rows: 1, rejected: [rejection] });
});

test.each(['ISO-8859-1', 'windows-1252', 'utf-8'])('an answer in %s is read by its declaration', async (encoding) => {
  const text = writeAvinor('BVG', [{ ...avinorDeparture, gate: 'ÅØ' }], { encoding }).toString('latin1');
  const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'latin1');
  expect((await readAvinor(bytes, avinorRequest('BVG'))).rows[0]?.facts).toEqual({ gate: 'ÅØ' });
});

test.each([
  ['<!doctype html><html><body>Service unavailable</body></html>', 'column 9: incorrect syntax'],
  ['<html><body>Service unavailable</body></html>', 'The root must be airport, not html.'],
  ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><airport name="BVG"/>', 'document type declaration'],
  ['<airport name="BVG"><flights lastUpdate="2026-10-07T12:00:00Z"><flight><airline>WF</air', 'column'],
  [
    '<airport name="OSL"><flights lastUpdate="2026-10-07T12:00:00Z"/></airport>',
    "The answer is for 'OSL', not for BVG.",
  ],
  ['<airport name="BVG"><flights lastUpdate="today"/></airport>', "lastUpdate must be a time, not 'today'."],
  ['<airport name="BVG"/>', 'The answer has no element flights.'],
  ['', ''],
])('the answer %j is rejected as a whole', async (text, error) => {
  await expect(readAvinor(Buffer.from(text), avinorRequest('BVG'))).rejects.toThrow(error);
});
