import { afterEach, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { buildFile, buildLeg, times } from '#test/feeds/ssim/build-file.ts';
import { publishText, TEST_KEY } from '#test/support/tiny-world.ts';
import { listQuarantine } from './messages.ts';
import { db, searchPage, useStatusWorld, world } from './status-world.ts';

useStatusWorld('');
afterEach(async () => {
  await db`truncate flight_codeshare`;
});

type Line = { readonly messageId: string; readonly [name: string]: unknown };

const send = async (...lines: readonly Line[]) => {
  const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/x-ndjson' };
  const body = lines.map((line) => JSON.stringify({ observedAt: '2026-06-01T06:00:00Z', ...line })).join('\n');
  const response = await world.send('/status-messages?version=v1', { method: 'POST', headers, body });
  const report: { stored: number; quarantined: number; rejected: number; remarks: readonly object[] } =
    await response.json();
  return report;
};
const search = async (query: string): Promise<readonly FlightInstance[]> =>
  (await searchPage(`DepartureDateTime=2026-05-31/2026-06-02&${query}&Content=Status`)).data;

const designator = { carrier: 'XX', flightNumber: 61 };
/** XX 61 OPO-LIS, as the airport of departure publishes it: 10:00 local time. */
const departing = (messageId = 'dep', time = '09:00', members: object = {}): Line => ({
  messageId,
  flight: {
    ...designator,
    scheduledDeparture: `2026-06-01T${time}:00Z`,
    departureAirport: 'OPO',
    arrivalAirport: 'LIS',
  },
  plan: {
    flightType: 'Scheduled',
    departs: { airport: 'OPO', at: `2026-06-01T${time}:00Z` },
    arrives: { airport: 'LIS' },
  },
  ...members,
});
/** The same flight, as the airport of arrival publishes it. */
const arriving = (messageId = 'arr', time = '09:55', members: object = {}): Line => ({
  messageId,
  flight: { ...designator, scheduledArrival: `2026-06-01T${time}:00Z`, departureAirport: 'OPO', arrivalAirport: 'LIS' },
  plan: {
    flightType: 'Scheduled',
    departs: { airport: 'OPO' },
    arrives: { airport: 'LIS', at: `2026-06-01T${time}:00Z` },
  },
  ...members,
});

const end = ({ time, isEstimated }: FlightInstance['departure']): string => `${time.utc}${isEstimated ? '?' : ''}`;
const format = ({ carrier, flightNumber, departure, arrival, elapsedTime, flightType }: FlightInstance): string =>
  `${carrier.iata} ${flightNumber} ${flightType} ${departure.airport.iata} ${end(departure)}-${arrival.airport.iata} ${end(arrival)} ${elapsedTime}`;
const list = async (query: string): Promise<readonly string[]> => (await search(query)).map(format);

test('a flight that the airport of departure publishes is scheduled, with an estimated arrival', async () => {
  expect(await send(departing('dep', '09:00', { departure: { gate: '12' } }))).toMatchObject({
    stored: 1,
    remarks: [],
  });
  expect(await list('FlightType=Scheduled')).toEqual(['XX 61 Scheduled OPO 09:00-LIS 09:51? 0']);
  expect(await list('FlightType=Unscheduled,GA')).toEqual([]);
  const [flight] = await search('FlightNumber=61');
  expect(flight?.statusDetails?.[0]).toMatchObject({ state: 'Scheduled', departure: { gate: '12' } });
  expect(flight?.arrival.isEstimated).toBe(true);
});

test('a flight that the airport of arrival publishes has an estimated departure, without punctuality there', async () => {
  await send(
    arriving('arr', '09:55', {
      departure: { estimated: { out: '2026-06-01T09:20:00Z' } },
      arrival: { estimated: { in: '2026-06-01T10:05:00Z' } },
    }),
  );
  expect(await list('FlightNumber=61')).toEqual(['XX 61 Scheduled OPO 09:04?-LIS 09:55 0']);
  const [flight] = await search('FlightNumber=61');
  const [status] = flight?.statusDetails ?? [];
  expect(status?.departure?.estimatedTime).toEqual({
    outGate: { local: '2026-06-01T10:20:00+01:00', utc: '2026-06-01T09:20:00+00:00' },
  });
  expect(status?.arrival?.estimatedTime).toMatchObject({ inGateTimeliness: 'Delayed', inGateVariation: '00:10:00' });
});

const merged = ['XX 61 Scheduled OPO 09:00-LIS 09:55 55'];
const keysOf = async (): Promise<readonly string[]> =>
  (await search('FlightNumber=61')).map(({ statusKey }) => statusKey);
test.each([
  ['departure first', [departing(), arriving()]],
  ['arrival first', [arriving(), departing()]],
])('two airports that each publish their end describe one flight, %s, and its key stays', async (_, [one, two]) => {
  if (!one || !two) throw new Error('two lines');
  await send(one);
  const keys = await keysOf();
  expect(keys).toHaveLength(1);
  expect(await send(two)).toMatchObject({ stored: 1, remarks: [] });
  expect(await list('FlightNumber=61')).toEqual(merged);
  expect(await keysOf()).toEqual(keys);
  // Each airport goes on with its own end.
  const again = { ...one, messageId: 'again', observedAt: '2026-06-01T07:00:00Z' };
  await send(again, { ...two, messageId: 'again2', observedAt: '2026-06-01T07:01:00Z' });
  expect(await list('FlightNumber=61')).toEqual(merged);
});

test('both ends in one request are one flight', async () => {
  expect(await send(arriving(), departing())).toMatchObject({ stored: 2, quarantined: 0 });
  expect(await list('FlightNumber=61')).toEqual(merged);
});

test('messages without a plan find the flight by the published time of either end', async () => {
  await send(departing());
  const { plan: _, ...landed } = arriving('landed', '09:55', { arrival: { actual: { on: '2026-06-01T09:50:00Z' } } });
  expect(await send(landed)).toMatchObject({ stored: 1, quarantined: 0, remarks: [] });
});

test('two departures of a number on one day are two flights, whatever ends are published', async () => {
  await send(departing('dep1', '09:00'), departing('dep2', '17:00'));
  expect(await send(arriving('arr2', '17:50'), arriving('arr1', '09:50'))).toMatchObject({ stored: 2, remarks: [] });
  expect(await list('FlightNumber=61')).toEqual([
    'XX 61 Scheduled OPO 09:00-LIS 09:50 50',
    'XX 61 Scheduled OPO 17:00-LIS 17:50 50',
  ]);
  expect(new Set(await keysOf()).size).toBe(2);
});

test('two departures of a number within an hour: an arrival that fits both is ambiguous', async () => {
  await send(departing('dep1', '09:00'), departing('dep2', '09:40'));
  expect(await send(arriving('arr', '10:20'))).toMatchObject({ stored: 0, quarantined: 1 });
  expect(await listQuarantine(db)).toEqual(['arr: ambiguous-flight']);
  expect(await list('FlightNumber=61')).toEqual([
    'XX 61 Scheduled OPO 09:00-LIS 09:51? 0',
    'XX 61 Scheduled OPO 09:40-LIS 10:31? 0',
  ]);
});

test('an airport that publishes another time for the flight that the message names retimes it', async () => {
  await send(departing());
  const { flight } = departing();
  const { plan } = departing('', '09:30');
  await send({ messageId: 'retimed', observedAt: '2026-06-01T07:00:00Z', flight, plan });
  expect(await list('FlightNumber=61')).toEqual(['XX 61 Scheduled OPO 09:30-LIS 10:21? 0']);
});

/** XX 62 SIN-LHR takes 11 to 20 hours. */
const fromSin = (messageId: string, time: string, members: object = {}, flightMembers: object = {}): Line => ({
  messageId,
  flight: {
    carrier: 'XX',
    flightNumber: 62,
    scheduledArrival: time,
    departureAirport: 'SIN',
    arrivalAirport: 'LHR',
    ...flightMembers,
  },
  plan: { flightType: 'Scheduled', departs: { airport: 'SIN' }, arrives: { airport: 'LHR', at: time } },
  ...members,
});
const sinDeparture = (messageId: string, time: string): Line => ({
  messageId,
  flight: { carrier: 'XX', flightNumber: 62, scheduledDeparture: time, departureAirport: 'SIN', arrivalAirport: 'LHR' },
  plan: { flightType: 'Scheduled', departs: { airport: 'SIN', at: time }, arrives: { airport: 'LHR' } },
});

test('an arrival whose flight can have left on two dates is held until its departure is published', async () => {
  expect(await send(fromSin('arr', '2026-06-01T05:00:00Z', { arrival: { gate: '7' } }))).toMatchObject({
    stored: 0,
    quarantined: 1,
    remarks: [{ reason: 'uncertain-date', value: '2026-05-31 or 2026-06-01 at SIN' }],
  });
  expect(await list('FlightNumber=62')).toEqual([]);
  expect(await send(sinDeparture('dep', '2026-05-31T15:30:00Z'))).toMatchObject({ stored: 1 });
  expect(await list('FlightNumber=62')).toEqual(['XX 62 Scheduled SIN 15:30-LHR 05:00 810']);
  expect((await search('FlightNumber=62'))[0]?.statusDetails?.[0]?.arrival?.gate).toBe('7');
  expect(await listQuarantine(db)).toEqual([]);
});

test('an arrival whose flight can have left on two dates, and its departure, in one request', async () => {
  const lines = [fromSin('arr', '2026-06-01T05:00:00Z'), sinDeparture('dep', '2026-05-31T16:30:00Z')];
  expect(await send(...lines)).toMatchObject({ stored: 1, quarantined: 1 });
  expect(await listQuarantine(db)).toEqual([]);
  expect(await list('FlightNumber=62')).toEqual(['XX 62 Scheduled SIN 16:30-LHR 05:00 750']);
});

test.each([
  ['2026-05-31', 'XX 62 Scheduled SIN 14:54?-LHR 05:00 0'],
  ['2026-06-01', 'XX 62 Scheduled SIN 16:00?-LHR 05:00 0'],
])('with the origin date %s the flight leaves on that date', async (originDate, expected) => {
  await send(fromSin('arr', '2026-06-01T05:00:00Z', {}, { originDate }));
  expect(await list('FlightNumber=62')).toEqual([expected]);
});

test('an origin date on which the flight cannot have left is refused', async () => {
  const line = fromSin('arr', '2026-06-01T05:00:00Z', {}, { originDate: '2026-05-29' });
  expect(await send(line)).toMatchObject({ quarantined: 1, remarks: [{ reason: 'plan-of-another-day' }] });
});

const codeshares = [
  { carrier: 'YY', flightNumber: 5061 },
  { carrier: 'WW', flightNumber: 700, suffix: 'A' },
];
const sharing = (line: Line): Line => ({ ...line, plan: { ...Object(line.plan), codeshares } });

test('the marketing flights of a planned flight are found by their own designators, and by messages', async () => {
  await send(sharing(departing('dep', '09:00', { departure: { gate: '12' } })));
  const [operating] = await search('FlightNumber=61');
  expect(operating).toMatchObject({
    isOperating: true,
    codeshare: {
      marketingFlights: [
        { code: 'YY', serviceNumber: '5061', suffix: '' },
        { code: 'WW', serviceNumber: '700', suffix: 'A' },
      ],
    },
  });
  const [marketing] = await search('CarrierCode=YY&FlightNumber=5061');
  expect(marketing).toMatchObject({
    carrier: { iata: 'YY', icao: 'YYB' },
    flightNumber: 5061,
    isOperating: false,
    statusKey: operating?.statusKey,
    codeshare: { marketingFlights: [], operatingFlight: { code: 'XX', serviceNumber: '61', suffix: '' } },
    statusDetails: [{ departure: { gate: '12' } }],
  });
  expect(await list('CarrierCode=WW')).toEqual(['WW 700 Scheduled OPO 09:00-LIS 09:51? 0']);
  const response = await world.get(`/flight-instances/2026-06-01/${marketing?.scheduleInstanceKey}`);
  expect(response.status).toBe(200);
  const byMarketing = {
    messageId: 'm',
    flight: { ...codeshares[0], scheduledDeparture: '2026-06-01T09:00:00Z', departureAirport: 'OPO' },
    departure: { gate: '13' },
    observedAt: '2026-06-01T06:10:00Z',
  };
  expect(await send(byMarketing)).toMatchObject({ stored: 1, quarantined: 0 });
  expect((await search('FlightNumber=61'))[0]?.statusDetails?.[0]?.departure?.gate).toBe('13');
});

test('the marketing flights of both airports count, also after the flight is retimed', async () => {
  await send(sharing(departing()), arriving());
  expect(await list('CarrierCode=YY')).toEqual(['YY 5061 Scheduled OPO 09:00-LIS 09:55 55']);
  const { flight } = departing();
  await send({ messageId: 'retimed', observedAt: '2026-06-01T07:00:00Z', flight, plan: departing('', '09:10').plan });
  expect((await list('CarrierCode=YY,WW')).toSorted()).toEqual([
    'WW 700 Scheduled OPO 09:10-LIS 09:55 45',
    'YY 5061 Scheduled OPO 09:10-LIS 09:55 45',
  ]);
  const positions = await db`select departs_at::text from flight_codeshare`;
  expect(positions).toEqual([{ departs_at: '2026-06-01 10:10:00' }, { departs_at: '2026-06-01 10:10:00' }]);
});

test('a marketing flight of an unknown carrier is left out with a remark', async () => {
  const line = departing();
  const report = await send({
    ...line,
    plan: { ...Object(line.plan), codeshares: [{ carrier: 'QQ', flightNumber: 1 }, ...codeshares] },
  });
  expect(report).toMatchObject({
    stored: 1,
    remarks: [{ field: 'plan.codeshares', value: 'QQ', reason: 'carrier-unknown', severity: 'notice' }],
  });
  expect((await search('FlightNumber=61'))[0]?.codeshare.marketingFlights).toHaveLength(2);
});

test('a plan by a marketing designator adds facts to the flight, and describes none', async () => {
  await send(sharing(departing()));
  const line = departing('yy', '09:00', { departure: { gate: '14' }, observedAt: '2026-06-01T06:10:00Z' });
  expect(await send({ ...line, flight: { ...Object(line.flight), ...codeshares[0] } })).toMatchObject({ stored: 1 });
  expect(await list('FlightNumber=61')).toHaveLength(1);
  expect((await search('FlightNumber=61'))[0]?.statusDetails?.[0]?.departure?.gate).toBe('14');
});

const ssim = buildFile(
  buildLeg({ 6: '0061', 22: '01JUN26', 37: 'OPO', 55: 'LIS', 66: '+0100' }, times('1005', '1055')),
);
test('when a schedule contains the flight it takes over, with the times of the schedule and all facts', async () => {
  await send(sharing(departing('dep', '09:00', { departure: { gate: '12' } })), arriving());
  await publishText(db, ssim);
  const [flight, other] = await search('FlightNumber=61');
  expect(other).toBeUndefined();
  expect(flight && format(flight)).toBe('XX 61 Scheduled OPO 09:05-LIS 09:55 50');
  expect(flight?.scheduleInstanceKey).toMatch(/^[0-9a-f]{64}$/);
  expect(flight?.statusDetails?.[0]?.departure?.gate).toBe('12');
  expect(await list('CarrierCode=YY')).toEqual([]);
  expect(await db`select from flight_codeshare`).toHaveLength(0);
  // The airport still publishes it five minutes earlier.
  const later = departing('later', '09:00', { departure: { gate: '15' }, observedAt: '2026-06-01T08:00:00Z' });
  expect(await send(later)).toMatchObject({ stored: 1, remarks: [{ reason: 'scheduled-time-differs' }] });
  expect((await search('FlightNumber=61'))[0]?.statusDetails?.[0]?.departure?.gate).toBe('15');
});

test.each([
  ['without a suffix first', ['', 'D']],
  ['with a suffix first', ['D', '']],
])('one number with and without a suffix, at one time, are two flights: %s', async (_, suffixes) => {
  const withSuffix = (suffix: string): Line => {
    const line = departing(`dep${suffix}`);
    const flight = {
      ...designator,
      ...(suffix !== '' && { suffix }),
      scheduledDeparture: '2026-06-01T09:00:00Z',
      departureAirport: 'OPO',
      arrivalAirport: 'LIS',
    };
    return { ...line, flight, departure: { gate: `1${suffix}` } };
  };
  for (const suffix of suffixes) await send(withSuffix(suffix));
  const flights = await search('FlightNumber=61');
  const read = flights.map(({ serviceSuffix, statusDetails }) => [serviceSuffix, statusDetails?.[0]?.departure?.gate]);
  expect(read).toHaveLength(2);
  expect(read).toEqual(
    expect.arrayContaining([
      ['', '1'],
      ['D', '1D'],
    ]),
  );
});
