import { expect, test } from 'vitest';
import { readHkia } from '#feeds/live/hkia.ts';
import { hkiaDeparture, hkiaRequest, writeHkia } from './live-inputs.ts';

const DATE = '2026-08-16';

const readStatus = async (status: string, arrival = false) => {
  const { destination, ...rest } = hkiaDeparture;
  const row = {
    ...(arrival ? { ...rest, origin: destination } : hkiaDeparture),
    status,
    gate: '',
    aisle: '',
    terminal: '',
  };
  const answer = await readHkia(writeHkia({ [DATE]: [row] }, { arrival }), hkiaRequest(DATE, { arrival }));
  return { facts: answer.rows[0]?.facts, remarks: answer.remarks };
};

test('a departure has the date of its day, the ICAO code of the carrier, codeshares and signs', async () => {
  expect(await readHkia(writeHkia({ [DATE]: [hkiaDeparture] }), hkiaRequest(DATE))).toEqual({
    observedAt: '2026-08-16T01:00:00.000Z',
    airport: 'HKG',
    rejected: [],
    remarks: [],
    rows: [
      {
        carrier: 'CPA',
        flightNumber: 880,
        suffix: '',
        direction: 'departure',
        airport: 'HKG',
        stations: ['LAX'],
        scheduled: '2026-08-15T16:05:00Z',
        date: DATE,
        codeshares: [{ carrier: 'LAN', flightNumber: 6094, suffix: '' }],
        serviceType: '',
        isOperating: false,
        facts: { terminal: '1', gate: '63', checkInCounter: 'C' },
      },
    ],
  });
});

test.each([
  ['Dep 00:20', false, { actualOut: '2026-08-15T16:20:00Z' }],
  // Without a suffix it is the day of the row, however late.
  ['Dep 22:50', false, { actualOut: '2026-08-16T14:50:00Z' }],
  ['Dep 23:55 (15/08/2026)', false, { actualOut: '2026-08-15T15:55:00Z' }],
  ['Est at 13:15 (17/08/2026)', false, { estimatedOut: '2026-08-17T05:15:00Z' }],
  ['Est at 00:45', true, { estimatedIn: '2026-08-15T16:45:00Z' }],
  ['At gate 21:14', true, { actualIn: '2026-08-16T13:14:00Z' }],
  ['Landed 21:04', true, { actualOn: '2026-08-16T13:04:00Z' }],
  ['Cancelled', false, { cancelled: 'true' }],
  ['Cancelled', true, { cancelled: 'true' }],
  ['Boarding', false, { boarding: 'Boarding' }],
  ['Final Call', false, { boarding: 'FinalCall' }],
  ['Gate Closed', false, { boarding: 'GateClosed' }],
  ['Boarding Soon', false, {}],
  ['Delayed', true, {}],
  ['', false, {}],
])('the status "%s" (arrival: %s)', async (status, arrival, facts) => {
  expect(await readStatus(status, arrival)).toEqual({ facts, remarks: [] });
});

test('a date is day first', async () => {
  const row = { ...hkiaDeparture, status: 'Dep 00:10 (03/12/2026)' };
  const { rows } = await readHkia(writeHkia({ '2026-12-02': [row] }), hkiaRequest('2026-12-02'));
  expect(rows[0]?.facts.actualOut).toBe('2026-12-02T16:10:00Z');
});

test.each([
  ['Diverted To Macao', { reason: 'unknown-status', value: 'Diverted To Macao' }],
  ['Gate Changed 12:30', { reason: 'unknown-status', value: 'Gate Changed ##:##' }],
  ['At gate 12:30', { reason: 'unknown-status', value: 'At gate ##:##' }],
  ['Dep 12:30 (31/02/2026)', { reason: 'bad-status-time', value: 'Dep 12:30 (31/02/2026)' }],
  ['Dep 12:30 (16/09/2026)', { reason: 'bad-status-time', value: 'Dep 12:30 (16/09/2026)' }],
  ['Dep 25:30', { reason: 'bad-status-time', value: 'Dep 25:30' }],
])('the status "%s" of a departure is counted, and gives no fact', async (status, remark) => {
  expect(await readStatus(status)).toEqual({ facts: {}, remarks: [remark] });
});

test('a row of an earlier day has the date of that day, and stops give the leg', async () => {
  const late = {
    ...hkiaDeparture,
    time: '21:45',
    destination: ['ANC', 'LAX'],
    flight: [{ no: 'UA 821D', airline: 'UAL' }],
  };
  const { rows } = await readHkia(
    writeHkia({ '2026-08-15': [late], [DATE]: [] }, { cargo: true }),
    hkiaRequest(DATE, { cargo: true }),
  );
  expect(rows).toMatchObject([
    {
      flightNumber: 821,
      suffix: 'D',
      date: '2026-08-15',
      scheduled: '2026-08-15T13:45:00Z',
      stations: ['ANC', 'LAX'],
      serviceType: 'F',
    },
  ]);
});

test('members without a value are absent, and a carrier without an ICAO code has its IATA code', async () => {
  const row = { ...hkiaDeparture, status: null, gate: null, terminal: null, aisle: null, flight: [{ no: 'CX 880' }] };
  const { rows, rejected } = await readHkia(writeHkia({ [DATE]: [row] }), hkiaRequest(DATE));
  expect(rejected).toEqual([]);
  expect(rows).toMatchObject([{ carrier: 'CX', flightNumber: 880, codeshares: [], facts: {} }]);
});

test('a row that cannot be read is rejected, and the others are read', async () => {
  const rows = [
    { ...hkiaDeparture, time: '24:05' },
    { ...hkiaDeparture, flight: [{ no: 'CX', airline: 'CPA' }] },
    { ...hkiaDeparture, destination: [] },
    { ...hkiaDeparture, destination: ['HKG'] },
    hkiaDeparture,
    { ...hkiaDeparture, time: '00:06', colour: 'red' },
  ];
  const answer = await readHkia(writeHkia({ [DATE]: rows }), hkiaRequest(DATE));
  expect(answer.rows).toHaveLength(2);
  expect(answer.rejected.map(({ reason }) => reason)).toEqual([
    'bad-row',
    'bad-flight-id',
    'bad-station',
    'leg-to-itself',
  ]);
  expect(answer.remarks).toEqual([{ reason: 'unknown-member', value: 'colour' }]);
});

test.each([
  ['<html>403</html>', 'not JSON'],
  ['{"problemNo":"400","message":"date"}', 'not a list of days'],
  [
    writeHkia({ [DATE]: [hkiaDeparture] })
      .toString()
      .slice(0, 90),
    'not JSON',
  ],
  [writeHkia({ '2026-08-14': [hkiaDeparture] }).toString(), `no day ${DATE}`],
  [writeHkia({ [DATE]: [hkiaDeparture] }, { arrival: true }).toString(), 'arrival=true'],
])('the answer %j is rejected as a whole', async (text, error) => {
  await expect(readHkia(Buffer.from(text), hkiaRequest(DATE))).rejects.toThrow(error);
});
