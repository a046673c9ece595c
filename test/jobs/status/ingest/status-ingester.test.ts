import { expect, test } from 'vitest';
import type { StatusMessage } from '#domain/status/message.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { createRandomNumbers, shuffle } from '#test/domain/status/random-messages.ts';
import { deleteStatuses, dumpStatuses, flight, message, second, ingest } from '../messages.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from '../messages.ts';
import { db, searchFlights, searchPage, useStatusWorld } from '../status-world.ts';

useStatusWorld();

/** The latest status of XX 101 on 1 June. */
const latest = async () => (await searchFlights('CarrierCode=XX&FlightNumber=101'))[0]?.statusDetails?.[0];
const searchDiverted = async (airport: string): Promise<number> => {
  const arriving = `ArrivalDateTime=2026-06-01&ArrivalAirport=${airport}&IncludeDiverted=true`;
  return (await searchPage(`${arriving}&Content=Status&FlightNumber=101`)).data.length;
};

const at = (time: string) => second(`2026-06-01T${time}Z`);
/** XX 101: late, out, off, a false landing that is withdrawn, diverted to Paris, on to New York. */
const steps: readonly (readonly [time: string, members: Pick<Partial<StatusMessage>, 'facts' | 'landings'>])[] = [
  ['08:00', { facts: { estimatedOut: at('10:20'), departureGate: 'A1' } }],
  ['09:00', { facts: { departureGate: 'B2', registration: 'GXXAB' } }],
  ['10:22', { facts: { actualOut: at('10:21') } }],
  ['10:40', { facts: { actualOff: at('10:38') } }],
  ['11:00', { facts: { actualOn: at('10:59') } }],
  ['11:05', { facts: { actualOn: null } }],
  ['11:30', { landings: [{ id: '1', airport: 'CDG' }] }],
  ['12:01', { landings: [{ id: '1', actualOn: at('12:00'), continues: true }] }],
  ['14:01', { landings: [{ id: '1', actualOut: at('13:50'), actualOff: at('14:00') }] }],
  ['21:01', { facts: { actualOn: at('21:00'), actualIn: at('21:01') } }],
];
const history = steps.map(([time, members]) => message({ id: time, at: `2026-06-01T${time}Z`, ...members }));
const [first = message({ id: '' })] = history;

test('a repeated ID has no effect, in a batch or with other content, and is in quarantine once', async () => {
  expect(await ingest(db, [])).toEqual([]);
  const other = { ...first, facts: { departureGate: 'Z9' } };
  const outcomes = [...(await ingest(db, [first, first, first])), ...(await ingest(db, [other]))];
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'duplicate', 'duplicate', 'duplicate']);
  expect(await listStoredMessages(db)).toEqual(['08:00: XX101 LHR-JFK 06-01 11:00']);
  expect((await latest())?.departure?.gate).toBe('A1');
  const unmatched = message({ id: 'm', flight: flight({ flightNumber: 999 }) });
  await ingest(db, [unmatched, unmatched]);
  await ingest(db, [unmatched]);
  expect(await listQuarantine(db)).toEqual(['m: no-such-flight']);
});

test('a message ID is a duplicate only if its source is the same, in a batch and in quarantine', async () => {
  const send = (id: string, source: string, facts: StatusMessage['facts'], members: Partial<StatusMessage> = {}) =>
    message({ id, source, facts, ...members });
  const outcomes = [
    ...(await ingest(db, [send('m', 'one', { departureGate: 'A1' })])),
    ...(await ingest(db, [send('m', 'two', { departureStand: '332' }), send('m', 'two', { departureGate: 'Z9' })])),
    ...(await ingest(db, [send('m', 'one', { departureGate: 'Z9' })])),
  ];
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored', 'duplicate', 'duplicate']);
  expect((await latest())?.departure).toMatchObject({ gate: 'A1', stand: '332' });

  const unmatched = { flight: flight({ flightNumber: 999 }) };
  await ingest(db, [send('q', 'one', {}, unmatched), send('q', 'two', {}, unmatched)]);
  await ingest(db, [send('q', 'one', {}, unmatched)]);
  expect(await listQuarantine(db)).toEqual(['q: no-such-flight', 'q: no-such-flight']);
  await ingest(db, [send('q', 'one', {})]);
  expect(await db`select source from status_quarantine`).toEqual([{ source: 'two' }]);
});

test('messages of two sources with the same ID and time give the same status in any order', async () => {
  const pair = ['one', 'two'].map((source) => message({ id: 'm', source, facts: { departureGate: source } }));
  const gates: unknown[] = [];
  for (const order of [pair, pair.toReversed()])
    for (const batches of [[order], order.map((one) => [one])]) {
      for (const batch of batches) await ingest(db, batch);
      gates.push((await latest())?.departure?.gate);
      await deleteStatuses(db);
    }
  expect(gates).toEqual(['two', 'two', 'two', 'two']);
});

test('ignores and reports a time that contradicts newer ones', async () => {
  await ingest(db, history.slice(2, 4));
  const [outcome] = await ingest(db, [
    message({ id: 'odd', at: '2026-06-01T10:23Z', facts: { actualOut: at('10:45') } }),
  ]);
  expect(outcome).toEqual({ kind: 'stored', contradictions: ['actualOut'], describesFlight: false });
  expect(await latest()).toMatchObject({ state: 'inAir' });
});

test('a changed diversion is found at its new airport only, and a withdrawn one is no longer found', async () => {
  const found = async () => [await searchDiverted('CDG'), await searchDiverted('LIS')];
  await ingest(db, history.slice(0, 7));
  expect(await found()).toEqual([1, 0]);
  await ingest(db, [message({ id: 'lis', at: '2026-06-01T11:40Z', landings: [{ id: '1', airport: 'LIS' }] })]);
  expect(await found()).toEqual([0, 1]);
  await ingest(db, [message({ id: 'back', at: '2026-06-01T11:50Z', landings: [{ id: '1', airport: null }] })]);
  expect([await found(), (await latest())?.diversionAirport]).toEqual([[0, 0], undefined]);
});

test('a failed batch stores nothing', async () => {
  await ingest(db, history.slice(0, 2));
  const before = await dumpStatuses(db);
  const unmatched = message({ id: 'stray', flight: flight({ flightNumber: 999 }) });
  await db`alter table status_quarantine add constraint planted check (id <> 'stray')`;
  await expect(ingest(db, [...history, unmatched])).rejects.toThrow('planted');
  await db`alter table status_quarantine drop constraint planted`;
  expect(await dumpStatuses(db)).toBe(before);
  const outcomes = formatOutcomes(await ingest(db, [...history, unmatched]));
  expect(outcomes.slice(0, 3)).toEqual(['duplicate', 'duplicate', 'stored']);
});

test('two concurrent ingesters lose and duplicate nothing of the same flights', async () => {
  const ofFlights = ['2026-06-01', '2026-06-02', '2026-06-03'].flatMap((date) =>
    history.map((one) => ({ ...one, id: `${date}-${one.id}`, flight: flight({ date }) })),
  );
  await ingest(db, ofFlights);
  const whole = await dumpStatuses(db);
  await deleteStatuses(db);
  const ingesters = await Promise.all([createStatusIngester(db), createStatusIngester(db)]);
  const outcomes = await Promise.all(
    ingesters.flatMap((ingester, index) => {
      const order = shuffle(ofFlights, createRandomNumbers(index + 11));
      const batches = Array.from({ length: 6 }, (_, part) => order.slice(part * 5, part * 5 + 5));
      return batches.map((batch) => ingester.ingest(batch));
    }),
  );
  expect(await dumpStatuses(db)).toBe(whole);
  expect(formatOutcomes(outcomes.flat()).filter((outcome) => outcome === 'stored')).toHaveLength(ofFlights.length);
});

test('two concurrent ingesters process batches one after the other, and continue after a failed one', async () => {
  const ingester = await createStatusIngester(db);
  await db`alter table status_message add constraint planted check (id <> 'bad')`;
  const failed = ingester.ingest([message({ id: 'bad' })]);
  const next = ingester.ingest([message({ id: 'good' })]);
  await expect(failed).rejects.toThrow('planted');
  expect(formatOutcomes(await next)).toEqual(['stored']);
  await db`alter table status_message drop constraint planted`;
  expect(await listStoredMessages(db)).toEqual(['good: XX101 LHR-JFK 06-01 11:00']);
});
