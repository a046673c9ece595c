import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { serveStatuses, xx101 } from '#test/products/flight-info/v2/status-service.ts';

const world = await serveStatuses();
afterAll(world.drop);

let messages = 0;

/** A status message about XX 101 as a line. */
const line = (facts: object, flight: object = xx101()): string => {
  messages += 1;
  const observedAt = new Date(Date.parse('2026-06-01T09:00:00Z') + messages * 1000).toISOString();
  return JSON.stringify({ messageId: `m${messages}`, observedAt, flight, ...facts });
};

type Sent = { readonly type?: string; readonly headers?: Readonly<Record<string, string>> };

const post = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  { type = 'application/x-ndjson', headers = {} }: Sent = {},
) => {
  const response = await world.send(`${path}?version=v1`, {
    method: 'POST',
    headers: { 'subscription-key': TEST_KEY, 'content-type': type, ...headers },
    body,
  });
  const content: unknown = await response.json();
  return { status: response.status, content };
};

const send = (body: string | Uint8Array<ArrayBuffer>, sent?: Sent) => post('/status-messages', body, sent);

const getStatus = async (): Promise<StatusDetails | undefined> => {
  const { statusDetails } = await world.getOnly(
    'DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101&Content=Status',
  );
  return statusDetails?.[0];
};

const getGate = async (): Promise<string | undefined> => (await getStatus())?.departure?.gate;

const none = { stored: 0, duplicates: 0, quarantined: 0, rejected: 0 };

test('stores the valid messages of a request, and reports every line', async () => {
  const [good, unknown] = [line({ departure: { gate: 'B1' } }), line({}, { ...xx101(), flightNumber: 999 })];
  const bad = line({ departure: { gate: 5 } });
  const { status, content } = await send(`${good}\n\n${good}\n${bad}\n${unknown}\n`);
  expect([status, content]).toEqual([
    200,
    {
      stored: 1,
      duplicates: 1,
      quarantined: 1,
      rejected: 1,
      results: [
        { line: 1, messageId: 'm1', result: 'stored' },
        { line: 3, messageId: 'm1', result: 'duplicate' },
        { line: 4, result: 'rejected' },
        { line: 5, messageId: 'm2', result: 'quarantined' },
      ],
      remarks: [
        {
          severity: 'quarantined',
          line: 4,
          field: 'departure.gate',
          value: '5',
          reason: 'bad-value',
          message: 'departure.gate must be a text, not 5.',
        },
        {
          severity: 'quarantined',
          line: 5,
          value: 'XX 999 of 2026-06-01, LHR-JFK',
          reason: 'no-such-flight',
          message:
            'no flight with this designator, date or scheduled time, and route; the message is stored and retried after every schedule load',
        },
      ],
    },
  ]);
  expect(await getGate()).toBe('B1');
});

test('a message of a whole flight with stops is quarantined with the advice to name a leg', async () => {
  const whole = { ...xx101(), flightNumber: 301, arrivalAirport: 'LAX' };
  const { content } = await send(line({ departure: { gate: 'B1' } }, whole));
  expect(content).toMatchObject({
    ...none,
    quarantined: 1,
    remarks: [
      {
        severity: 'quarantined',
        line: 1,
        value: 'XX 301 of 2026-06-01, LHR-LAX',
        reason: 'flight-with-stops',
        message:
          'the message names a whole flight with stops; name the airports of one leg; the message is stored and retried after every schedule load',
      },
    ],
  });
});

test('a page that is read after the response contains the change', async () => {
  for (const gate of ['C1', 'C2', 'C3']) {
    await send(line({ departure: { gate } }));
    expect(await getGate()).toBe(gate);
  }
});

test('accepts gzip, and rejects what is none and what is too large when it is decompressed', async () => {
  const headers = { 'content-encoding': 'gzip' };
  const compressed = await send(new Uint8Array(gzipSync(line({ departure: { gate: 'D1' } }))), { headers });
  expect([compressed.status, await getGate()]).toEqual([200, 'D1']);
  expect(await send('no gzip', { headers })).toMatchObject({
    status: 400,
    content: { detail: 'The body is not valid gzip.' },
  });
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(6 * 1024 * 1024, ' ')));
  expect(await send(bomb, { headers })).toMatchObject({
    status: 413,
    content: { detail: 'The limit of a body is 5242880 bytes.' },
  });
});

test.each([
  ['another media type', { type: 'text/csv' }, 415, "Send the body as application/x-ndjson, not as 'text/csv'."],
  [
    'another compression',
    { headers: { 'content-encoding': 'br' } },
    415,
    "Send the body with Content-Encoding gzip or without compression, not with 'br'.",
  ],
])('rejects %s', async (_, sent, status, detail) => {
  expect(await send('{}', sent)).toMatchObject({ status, content: { detail } });
});

test('rejects an empty body, one of more than 5 MiB and one of more than 5,000 messages, and stores nothing', async () => {
  for (const sent of [{}, { headers: { 'content-encoding': 'gzip' } }])
    expect(await send('', sent)).toMatchObject({
      status: 400,
      content: { detail: 'A body is required. Send it as application/x-ndjson.' },
    });
  expect(await send(' '.repeat(5 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
  const before = await getGate();
  const many = Array.from({ length: 5001 }, () => line({ departure: { gate: 'X' } })).join('\n');
  expect(await send(many)).toMatchObject({
    status: 413,
    content: { detail: 'The limit of a request is 5000 messages.' },
  });
  expect(await getGate()).toBe(before);
});

test('an Idempotency-Key returns the first report, and is rejected for another body', async () => {
  const body = line({ departure: { gate: 'E1' } });
  const headers = { 'idempotency-key': 'feed-1' };
  const first = await send(body, { headers });
  expect(first).toMatchObject({ status: 200, content: { stored: 1 } });
  expect(await send(body, { headers })).toEqual(first);
  expect(await send(body)).toMatchObject({ status: 200, content: { ...none, duplicates: 1 } });
  expect(await send(line({}), { headers })).toMatchObject({ status: 422 });
});

test('a message about a flight that another one of the request describes is stored with it', async () => {
  const flight = { carrier: 'XX', flightNumber: 9001, originDate: '2026-06-01', departureAirport: 'LHR' };
  const departs = { airport: 'LHR', at: '2026-06-01T15:00:00Z' };
  const plan = { flightType: 'Unscheduled', departs, arrives: { airport: 'JFK' } };
  const { content } = await send(`${line({ departure: { gate: 'F1' } }, flight)}\n${line({ plan }, flight)}`);
  expect(content).toMatchObject({ ...none, stored: 2 });
});

test('telegrams are stored; others are counted by type, and invalid ones rejected', async () => {
  const telegrams =
    'MVT\nXX0101/01.GXXAB.LHR\nAD1002/1015\n\nLDM\nXX0101/01.GXXAB\n\nMVT\nXX0101/32.GXXAB.LHR\nAD1002\n';
  expect(await post('/movement-telegrams', telegrams, { type: 'text/plain' })).toMatchObject({
    status: 200,
    content: {
      stored: 1,
      rejected: 1,
      leftOut: { LDM: 1 },
      results: [
        { line: 1, result: 'stored' },
        { line: 5, result: 'leftOut' },
        { line: 9, result: 'rejected' },
      ],
      remarks: [{ line: 9, field: 'flight date', reason: 'bad-flight-date' }],
    },
  });
});

const aidx = (
  gate: string,
): string => `<IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" Version="22.1" TimeStamp="2026-06-01T11:50:00Z">
<FlightLeg><LegIdentifier><Airline>XX</Airline><FlightNumber>101</FlightNumber><DepartureAirport>LHR</DepartureAirport><ArrivalAirport>JFK</ArrivalAirport>
<OriginDate>2026-06-01</OriginDate></LegIdentifier><LegData><ServiceType>J</ServiceType><AirportResources Usage="Actual">
<Resource DepartureOrArrival="Departure"><PassengerGate>${gate}</PassengerGate></Resource></AirportResources></LegData></FlightLeg></IATA_AIDX_FlightLegNotifRQ>`;

describe('AIDX', () => {
  const sendAidx = (body: string) => post('/aidx', body, { type: 'application/xml' });

  test('a leg is stored, and what is not taken is reported', async () => {
    expect(await sendAidx(aidx('G7'))).toMatchObject({
      status: 200,
      content: {
        stored: 1,
        results: [{ line: 2, messageId: expect.stringMatching(/^aidx:/), result: 'stored' }],
        remarks: [
          { severity: 'notice', line: 3, field: 'FlightLeg/LegData/ServiceType', value: 'J', reason: 'not-taken' },
        ],
      },
    });
    expect(await getGate()).toBe('G7');
  });

  test.each([
    ['text/xml; charset=utf-8', 'http://schemas.xmlsoap.org/soap/envelope/'],
    ['application/soap+xml; charset=utf-8; action="urn:legs"', 'http://www.w3.org/2003/05/soap-envelope'],
  ])('a leg in a SOAP envelope is stored: %s', async (type, namespace) => {
    const body = `<s:Envelope xmlns:s="${namespace}"><s:Body>${aidx('G6').replace('11:50', '11:49')}</s:Body></s:Envelope>`;
    expect(await post('/aidx', body, { type })).toMatchObject({
      status: 200,
      content: { results: [{ line: 2, messageId: expect.stringMatching(/^aidx:/) }] },
    });
  });

  test('a body of another media type is rejected with the ones of the operation', async () => {
    const detail = "Send the body as application/xml, text/xml or application/soap+xml, not as 'application/json'.";
    expect(await post('/aidx', aidx('G8'), { type: 'application/json' })).toMatchObject({
      status: 415,
      content: { detail },
    });
  });

  test.each([
    [
      'a document that is cut',
      aidx('G8').slice(0, -3),
      /^The body is no AIDX message: line 4, column \d+: unclosed tag/,
    ],
    [
      'an external entity',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${aidx('&x;')}`,
      /line 1, column 54: a document type/,
    ],
    ['another document', '<html/>', /line 1, the document must be IATA_AIDX_FlightLegNotifRQ/],
  ])('rejects %s, and stores nothing', async (_, body, detail) => {
    expect(await sendAidx(body)).toMatchObject({ status: 400, content: { detail: expect.stringMatching(detail) } });
    expect(await getGate()).toBe('G7');
  });
});

test('a key for reading is rejected here, and a key for sending everywhere else', async () => {
  const reading = await createKey(world.db, { name: 'reader', products: ['flight-info'] });
  const sending = await createKey(world.db, { name: 'sender', products: ['status-feed'] });
  expect(await send(line({}), { headers: { 'subscription-key': reading.key } })).toMatchObject({
    status: 403,
    content: {
      title: 'Subscription key not permitted',
      detail: 'The key is for reading. Status Feed requires a key for sending.',
    },
  });
  expect(await send(line({}), { headers: { 'subscription-key': sending.key } })).toMatchObject({ status: 200 });
  const response = await world.get('/flight-instances?version=v2&DepartureDateTime=2026-06-01', {
    'subscription-key': sending.key,
  });
  expect([response.status, await response.json()]).toMatchObject([
    403,
    { detail: 'The key is for sending. This product requires a key for reading.' },
  ]);
});

test('requests that are sent at the same time are all stored', async () => {
  const bodies = Array.from({ length: 12 }, (_, index) => line({ arrival: { gate: `H${index}` } }));
  const responses = await Promise.all(bodies.map((body) => send(body)));
  expect(responses.map(({ status, content }) => [status, content])).toEqual(
    bodies.map(() => [200, expect.objectContaining({ ...none, stored: 1 })]),
  );
  expect((await getStatus())?.arrival?.gate).toBe('H11');
});
