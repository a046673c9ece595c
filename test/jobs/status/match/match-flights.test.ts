import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { buildCarrierFile, buildFile, buildLeg, buildSecondLeg } from '#test/feeds/ssim/build-file.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText } from '#test/support/tiny-world.ts';
import {
  flight,
  formatOutcomes,
  ingest,
  listQuarantine,
  listStoredMessages,
  message,
  plan,
  second,
} from '../messages.ts';
import { db, searchFlights, searchPage, useStatusWorld } from '../status-world.ts';

useStatusWorld();

const departed = { actualOut: second('2026-06-01T10:04Z') };
const xx101 = 'XX101 LHR-JFK 06-01 11:00';
const [xx301, xx502] = ['XX301 JFK-LAX 06-01 13:00', 'XX502 LHR-CDG 06-01 11:00'];
const yy5101 = { carrier: 'YY', flightNumber: 5101 };
const toAny = { arrivalAirport: undefined };
const toHonolulu = { departureAirport: 'AKL', arrivalAirport: 'HNL' };

test.each([
  ['by designator, origin date and both airports', {}, xx101],
  ['by ICAO code of the carrier', { carrier: 'XXA' }, xx101],
  ['by ICAO and FAA codes of the airports', { departureAirport: 'EGLL', arrivalAirport: 'KJFK' }, xx101],
  ['without its arrival airport', toAny, xx101],
  ['without its arrival airport, by ICAO codes', { carrier: 'XXA', departureAirport: 'EGLL', ...toAny }, xx101],
  ['with its suffix', { flightNumber: 502, suffix: 'A', arrivalAirport: 'CDG' }, xx502],
  ['with its suffix and without its arrival airport', { flightNumber: 502, suffix: 'A', ...toAny }, xx502],
  ['as a leg, not as the whole flight', { flightNumber: 301, ...toAny }, 'XX301 LHR-JFK 06-01 08:00'],
  ['as the second leg', { flightNumber: 301, departureAirport: 'JFK', arrivalAirport: 'LAX' }, xx301],
  ['by the arrival airport alone', { flightNumber: 301, departureAirport: '', arrivalAirport: 'LAX' }, xx301],
  ['by the designator of a marketing flight', yy5101, xx101],
  ['by the designator of a marketing flight, without the arrival airport', { ...yy5101, ...toAny }, xx101],
  ['dated by its own departure', { datedBy: 'departure' as const }, xx101],
  ['across the date line', { carrier: 'YY', flightNumber: 201, ...toHonolulu }, 'YY201 AKL-HNL 06-01 09:00'],
])('a message finds its flight %s', async (_, members, expected) => {
  const outcomes = await ingest(db, [message({ id: 'm', flight: flight(members), facts: departed })]);
  expect([formatOutcomes(outcomes), await listStoredMessages(db)]).toEqual([['stored'], [`m: ${expected}`]]);
});

test('a message finds its flight by the keys that the service returns', async () => {
  const { data } = await searchPage('DepartureDateTime=2026-06-02&CarrierCode=YY&FlightNumber=5101');
  const departureDate = localDate('2026-06-02');
  const outcomes = await ingest(
    db,
    (['statusKey', 'scheduleInstanceKey'] as const).map((by) =>
      message({ id: by, flight: { by, key: data[0]?.[by] ?? '', departureDate } }),
    ),
  );
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
  expect(await listStoredMessages(db)).toEqual([
    'scheduleInstanceKey: XX101 LHR-JFK 06-02 11:00',
    'statusKey: XX101 LHR-JFK 06-02 11:00',
  ]);
});

describe('a later leg past midnight', () => {
  beforeAll(async () => {
    const june1 = { 15: '01JUN26', 22: '02JUN26' };
    const next = { 15: '02JUN26', 22: '03JUN26', 40: '0100', 44: '0100', 58: '0400', 62: '0400', 193: '11' };
    await publishText(db, buildFile(buildLeg({ ...june1, 6: '0601' }), buildSecondLeg({ ...next, 6: '0601' })));
  });
  afterAll(() => publishText(db, schedule));

  const last = flight({ flightNumber: 601, departureAirport: 'JFK', arrivalAirport: 'LAX' });
  const ownDate = { originDate: localDate('2026-06-02'), datedBy: 'departure' as const };
  test.each([
    ['matches by the date on which the flight began', {}],
    ['matches by that date without its arrival airport', toAny],
    ['matches by that date and its arrival airport alone', { departureAirport: '' }],
    ['matches by its own date if the source says so', ownDate],
    ['matches by its own date without its arrival airport if the source says so', { ...ownDate, ...toAny }],
  ])('%s', async (_, members) => {
    await ingest(db, [message({ id: 'm', flight: { ...last, ...members } })]);
    expect(await listStoredMessages(db)).toEqual(['m: XX601 JFK-LAX 06-02 01:00']);
  });

  test('belongs to the origin date when a source names a date both flights have', async () => {
    await ingest(db, [message({ id: 'm', flight: { ...last, originDate: localDate('2026-06-02') } })]);
    expect(await listStoredMessages(db)).toEqual(['m: XX601 JFK-LAX 06-03 01:00']);
  });
});

const key = 'ab'.repeat(32);
const byKey = { by: 'statusKey' as const, key, departureDate: localDate('2026-06-01') };
test.each([
  ['of an unknown designator', flight({ flightNumber: 999 }), 'no-such-flight: XX 999 of 2026-06-01, LHR-JFK'],
  ['of a day without the flight', flight({ date: '2026-06-09' }), 'no-such-flight: XX 101 of 2026-06-09, LHR-JFK'],
  ['of another route', flight({ arrivalAirport: 'LAX' }), 'no-such-flight: XX 101 of 2026-06-01, LHR-LAX'],
  ['from CDG', flight({ departureAirport: 'CDG', ...toAny }), 'no-such-flight: XX 101 of 2026-06-01, CDG-?'],
  [
    'without its suffix',
    flight({ flightNumber: 502, arrivalAirport: 'CDG' }),
    'no-such-flight: XX 502 of 2026-06-01, LHR-CDG',
  ],
  [
    'of two legs',
    flight({ flightNumber: 301, departureAirport: '', ...toAny }),
    'ambiguous-flight: XX 301 of 2026-06-01, ?-?',
  ],
  ['of an unknown key', byKey, `no-such-flight: statusKey ${key}`],
])('a message without a flight goes to quarantine with the reason %s', async (_, reference, expected) => {
  expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: reference })]))).toEqual([expected]);
  expect(await listQuarantine(db)).toEqual([`m: ${expected.slice(0, expected.indexOf(':'))}`]);
  expect(await listStoredMessages(db)).toEqual([]);
});

describe('of two carriers that share an IATA code, the flights are those of the one that it resolves to', () => {
  const former = { iata: 'XX', icao: 'XXF', name: 'Former Example', rank: 9 };
  beforeAll(() => db.begin((sql) => upsertCarriers(sql, [former])));

  test.each([
    ['by both airports', {}, 'no-such-flight: XXF 101 of 2026-06-01, LHR-JFK'],
    ['without its arrival airport', toAny, 'no-such-flight: XXF 101 of 2026-06-01, LHR-?'],
    ['dated by its departure', { datedBy: 'departure' as const }, 'no-such-flight: XXF 101 of 2026-06-01, LHR-JFK'],
  ])('a message with the ICAO code of the other carrier goes to quarantine, %s', async (_, members, expected) => {
    const outcomes = await ingest(db, [message({ id: 'm', flight: flight({ carrier: 'XXF', ...members }) })]);
    expect([formatOutcomes(outcomes), await listStoredMessages(db)]).toEqual([[expected], []]);
    expect(await listQuarantine(db)).toEqual(['m: no-such-flight']);
  });

  test.each([
    ['its ICAO code', 'XXA'],
    ['the shared IATA code', 'XX'],
  ])('a message with %s finds the flight', async (_, carrier) => {
    await ingest(db, [
      message({ id: 'm', flight: flight({ carrier }) }),
      message({ id: 'n', flight: flight({ carrier, ...toAny }) }),
    ]);
    expect(await listStoredMessages(db)).toEqual([`m: ${xx101}`, `n: ${xx101}`]);
  });

  test('a plan of the other carrier creates a flight of its own, which its messages find', async () => {
    const flightPlan = plan({ departureAirport: 'LHR', arrivalAirport: 'JFK', flightType: 'Unscheduled' });
    const own = flight({ carrier: 'XXF' });
    const outcomes = await ingest(db, [
      message({ id: 'm', flight: own, plan: flightPlan }),
      message({ id: 'n', flight: own, facts: departed }),
    ]);
    expect(formatOutcomes([...outcomes, ...(await ingest(db, [message({ id: 'o', flight: own })]))])).toEqual([
      'stored',
      'stored',
      'stored',
    ]);
    const rows = await db<{ icao: string; messages: bigint }[]>`
      select c.icao, count(*) as messages from status_message m
      join flight_instance i on i.status_order = m.status_order and i.departs_at::date = m.departs_on
      join carrier c on c.id = i.carrier group by c.icao`;
    expect(rows.map(({ icao, messages }) => [icao, Number(messages)])).toEqual([['XXF', 3]]);
  });

  test.each(['XXA', 'XXF'])('a message with the ICAO code %s finds a flight of that designator', async (carrier) => {
    const publish = (number: string) =>
      publishText(
        db,
        buildCarrierFile({ 3: carrier }, buildLeg({ 3: carrier, 6: number, 15: '01JUN26', 22: '03JUN26' })),
      );
    await publish('0777');
    onTestFinished(async () => void (await publish('0999')));
    const named = flight({ carrier, flightNumber: 777 });
    const outcomes = await ingest(db, [
      message({ id: 'm', flight: named }),
      message({ id: 'n', flight: { ...named, ...toAny } }),
    ]);
    expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
    expect(await ingest(db, [message({ id: 'o', flight: flight({ ...named, carrier: 'WW' }) })])).toMatchObject([
      { kind: 'quarantined', reason: 'no-such-flight' },
    ]);
  });
});

test.each([
  ['by designator', {}, {}],
  ['by ICAO codes', { carrier: 'XXA', departureAirport: 'EGLL', arrivalAirport: 'KLAX' }, {}],
  ['dated by its departure', { datedBy: 'departure' as const }, {}],
  ['with a plan', {}, { plan: plan({ departureAirport: 'LHR', arrivalAirport: 'LAX', departs: '2026-06-01T07:00Z' }) }],
])('a message of a whole flight with stops, %s, goes to quarantine', async (_, members, rest) => {
  const whole = flight({ flightNumber: 301, arrivalAirport: 'LAX', ...members });
  const outcomes = await ingest(db, [message({ id: 'm', flight: whole, facts: departed, ...rest })]);
  const named = `${whole.carrier} 301 of 2026-06-01, ${whole.departureAirport}-${whole.arrivalAirport}`;
  expect(formatOutcomes(outcomes)).toEqual([`flight-with-stops: ${named}`]);
  expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([[], ['m: flight-with-stops']]);
});

test('a message of a whole flight with stops by its keys goes to quarantine', async () => {
  const { data } = await searchPage('DepartureDateTime=2026-06-01&FlightNumber=301&ArrivalAirport=LAX');
  const whole = data.find(({ segmentInfo }) => segmentInfo.numberOfStops === 1);
  const messages = (['statusKey', 'scheduleInstanceKey'] as const).map((by) => {
    const key = whole?.[by] ?? '';
    return message({ id: by, flight: { by, key, departureDate: localDate('2026-06-01') }, facts: departed });
  });
  expect(formatOutcomes(await ingest(db, messages))).toEqual([
    `flight-with-stops: statusKey ${whole?.statusKey}`,
    `flight-with-stops: scheduleInstanceKey ${whole?.scheduleInstanceKey}`,
  ]);
});

test('a flight with stops is canceled when its legs are, also after a message of the whole flight', async () => {
  const whole = flight({ flightNumber: 301, arrivalAirport: 'LAX' });
  await ingest(db, [message({ id: 'whole', flight: whole, facts: { departureGate: 'A1' } })]);
  const legs = [flight({ flightNumber: 301 }), { ...whole, departureAirport: 'JFK' }];
  const outcomes = await ingest(
    db,
    legs.map((leg, index) => message({ id: `leg${index}`, flight: leg, facts: { cancelled: true } })),
  );
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
  const rows = await searchFlights('CarrierCode=XX&FlightNumber=301');
  expect(
    rows.map(({ segmentInfo, statusDetails }) => [segmentInfo.numberOfStops, statusDetails?.map(({ state }) => state)]),
  ).toEqual([
    [1, ['Canceled']],
    [0, ['Canceled']],
    [0, ['Canceled']],
  ]);
});

test('a message of a whole flight is released from quarantine when the flight no longer has stops', async () => {
  const whole = flight({ flightNumber: 301, arrivalAirport: 'LAX' });
  await ingest(db, [message({ id: 'm', flight: whole, facts: { departureGate: 'A1' } })]);
  await publishText(db, buildFile(buildLeg({ 15: '01JUN26', 22: '03JUN26', 6: '0301', 55: 'LAX', 66: '-0700' })));
  onTestFinished(async () => void (await publishText(db, schedule)));
  expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([['m: XX301 LHR-LAX 06-01 11:00'], []]);
});

test('a message goes to quarantine when both legs of its flight are under way at once', async () => {
  const leg = (departureAirport: string, arrivalAirport: string) =>
    flight({ flightNumber: 301, departureAirport, arrivalAirport });
  await ingest(db, [
    message({ id: 'a', flight: leg('LHR', 'JFK'), facts: { actualOff: second('2026-06-01T07:20Z') } }),
    message({ id: 'b', flight: leg('JFK', 'LAX'), facts: { actualOff: second('2026-06-01T17:20Z') } }),
  ]);
  const outcomes = await ingest(db, [message({ id: 'm', flight: leg('', 'SYD') })]);
  expect(formatOutcomes(outcomes)).toEqual(['ambiguous-flight: XX 301 of 2026-06-01, ?-SYD']);
});

test('a message with an unknown diversion airport goes to quarantine', async () => {
  const landings = [{ id: '1', airport: 'ZZZ' }];
  expect(formatOutcomes(await ingest(db, [message({ id: 'm', landings })]))).toEqual(['airport-unknown: ZZZ']);
});

const reported = flight({ departureAirport: '', arrivalAirport: 'CDG' });
const landed = { actualOn: second('2026-06-01T12:00Z'), arrivalGate: 'K4' };

test('a report of arrival at an unscheduled airport becomes a landing elsewhere of the flight', async () => {
  await ingest(db, [message({ id: 'off', facts: { actualOff: second('2026-06-01T10:15Z') } })]);
  await ingest(db, [message({ id: 'on', at: '2026-06-01T12:01Z', flight: reported, facts: landed })]);
  const [match] = await searchFlights('CarrierCode=XX&FlightNumber=101');
  const [status] = match?.statusDetails ?? [];
  expect([status?.state, status?.diversionAirport, status?.diversionType, status?.arrival?.gate]).toEqual([
    'Landed',
    { iata: 'CDG', icao: 'LFPG' },
    'Unplanned',
    undefined,
  ]);
  const diverted = 'ArrivalDateTime=2026-06-01&ArrivalAirport=CDG&IncludeDiverted=true&Content=Status';
  expect((await searchPage(diverted)).data.map(({ flightNumber }) => flightNumber)).toContain(101);
});

test('a report of arrival at an unscheduled airport belongs to the leg under way of a flight with several', async () => {
  const leg = flight({ flightNumber: 301, departureAirport: 'JFK', arrivalAirport: 'LAX' });
  await ingest(db, [message({ id: 'off', flight: leg, facts: { actualOff: second('2026-06-01T17:20Z') } })]);
  await ingest(db, [message({ id: 'on', flight: { ...reported, flightNumber: 301 }, facts: landed })]);
  expect(await listStoredMessages(db)).toEqual([`off: ${xx301}`, `on: ${xx301}`]);
});

test('a repeated telegram keeps its leg only if its source is the same', async () => {
  const telegram = (departureAirport: string, source: string) =>
    message({ id: 't', source, flight: flight({ flightNumber: 301, departureAirport, datedBy: 'utc', ...toAny }) });
  await ingest(db, [telegram('LHR', 'mvt')]);
  const outcomes = [...(await ingest(db, [telegram('JFK', 'mvt')])), ...(await ingest(db, [telegram('JFK', 'other')]))];
  expect(formatOutcomes(outcomes)).toEqual(['duplicate', 'stored']);
  expect(await listStoredMessages(db)).toEqual(['t: XX301 LHR-JFK 06-01 08:00', `t: ${xx301}`]);
});

test('a report of arrival at an unknown airport goes to quarantine', async () => {
  const unknown = { ...reported, arrivalAirport: 'ZZZ' };
  const outcomes = await ingest(db, [message({ id: 'm', flight: unknown, facts: landed })]);
  expect(formatOutcomes(outcomes)).toEqual(['airport-unknown: ZZZ']);
});
