import { expect, test } from 'vitest';
import { readSwedavia } from '#feeds/live/swedavia.ts';
import type { LiveRequest } from '#feeds/live/live-row.ts';

const request: LiveRequest = {
  place: 'ARN,GOT',
  zone: 'Europe/Stockholm',
  receivedAt: new Date('2026-09-28T19:00:00Z'),
  parameters: {},
};

const arrival = {
  flightId: 'BA778B',
  airlineOperator: { iata: 'BA', icao: 'BAW', name: 'British Airways' },
  arrivalTime: { scheduledUtc: '2026-09-28T20:25:00Z', estimatedUtc: '2026-09-28T20:31:00Z' },
  locationAndStatus: { terminal: 'T2', flightLegStatus: 'ACT' },
  baggage: { baggageClaimUnit: '4' },
  codeShareData: ['AY5778', 'IB 7334'],
  flightLegIdentifier: { departureAirportIata: 'LHR', arrivalAirportIata: 'ARN' },
  viaDestinations: [],
};

const read = (flights: readonly object[], more: object = {}) =>
  readSwedavia(Buffer.from(JSON.stringify({ flights, ...more })), request);

test('an arrival has the leg, times in UTC, signs and codeshares, and the answer has the cursor', async () => {
  expect(await read([{ arrival }], { continuationtoken: 'dG9rZW4' })).toEqual({
    observedAt: '2026-09-28T19:00:00.000Z',
    airport: 'ARN,GOT',
    rejected: [],
    remarks: [],
    cursor: 'dG9rZW4',
    rows: [
      {
        carrier: 'BA',
        flightNumber: 778,
        suffix: 'B',
        direction: 'arrival',
        airport: 'ARN',
        stations: ['LHR'],
        scheduled: '2026-09-28T20:25:00Z',
        date: '2026-09-28',
        codeshares: [
          { carrier: 'AY', flightNumber: 5778, suffix: '' },
          { carrier: 'IB', flightNumber: 7334, suffix: '' },
        ],
        serviceType: '',
        isOperating: true,
        facts: { estimatedIn: '2026-09-28T20:31:00Z', terminal: '2', baggage: '4' },
      },
    ],
  });
});

test('a deleted flight is not canceled: it is counted', async () => {
  const deleted = { ...arrival, locationAndStatus: { flightLegStatus: 'DEL' } };
  const canceled = { ...arrival, locationAndStatus: { flightLegStatus: 'CAN' } };
  const { rows, remarks } = await read([
    { arrival: deleted },
    { arrival: canceled },
    { arrival: { ...arrival, locationAndStatus: { flightLegStatus: 'XYZ' } } },
  ]);
  expect(rows.map(({ facts: { cancelled } }) => cancelled)).toEqual([undefined, 'true', undefined]);
  expect(remarks).toEqual([
    { reason: 'unknown-status', value: 'DEL' },
    { reason: 'unknown-status', value: 'XYZ' },
  ]);
});

test('a departure has a check-in desk and an actual time', async () => {
  const departure = {
    ...arrival,
    departureTime: { scheduledUtc: '2026-09-28T20:25:00Z', actualUtc: '2026-09-28T20:29:10Z' },
    checkIn: { checkInDeskFrom: 11, checkInDeskTo: 14 },
    flightLegIdentifier: { departureAirportIata: 'GOT', arrivalAirportIata: 'LHR' },
  };
  expect((await read([{ departure }])).rows).toMatchObject([
    {
      direction: 'departure',
      airport: 'GOT',
      stations: ['LHR'],
      facts: { actualOut: '2026-09-28T20:29:10Z', checkInCounter: '11-14' },
    },
  ]);
});

test('a flight that cannot be read is rejected, and the others are read', async () => {
  const { rows, rejected } = await read([
    { arrival: { ...arrival, flightId: 'XX1' } },
    { arrival: { ...arrival, arrivalTime: {} } },
    { arrival: { ...arrival, flightLegIdentifier: { departureAirportIata: 'LHR', arrivalAirportIata: 'OSL' } } },
    { arrival: {} },
    { arrival },
  ]);
  expect(rows).toHaveLength(1);
  expect(rejected.map(({ reason }) => reason)).toEqual(['bad-flight-id', 'bad-time', 'other-airport', 'bad-row']);
});

test('an answer without a list of flights is rejected as a whole', async () => {
  await expect(readSwedavia(Buffer.from('{"statusCode": 401}'), request)).rejects.toThrow('no list of flights');
});
