import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { ingest, message, second } from '#test/jobs/status/messages.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { callCommand } from './call-command.ts';
import type { CommandResult } from './run-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
await publishText(fresh.sql, schedule, { today: localDate('2026-06-01') });
const late = second('2026-06-01T10:20Z');
await ingest(fresh.sql, [
  message({ id: 'a', source: 'avinor', at: '2026-06-01T08:00Z', facts: { departureGate: 'A1', estimatedOut: late } }),
  message({ id: 'b', source: 'ops', at: '2026-06-01T08:10Z', facts: { departureGate: 'B1', departureTerminal: '5' } }),
  message({ id: 'c', source: 'aidx', at: '2026-06-01T08:20Z', facts: { departureTerminal: null } }),
  message({ id: 'd', source: 'avinor', at: '2026-06-01T08:30Z', facts: { departureGate: 'A2' } }),
]);

const explain = (...args: readonly string[]): Promise<CommandResult> =>
  callCommand(['status', 'explain', ...args], { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-01' });

test('flightdata status explain shows each fact with its source, its time and what it overruled', async () => {
  const { code, out } = await explain('XX101', '2026-06-01');
  expect([code, out]).toEqual([
    0,
    [
      'XX 101  LHR-JFK  2026-06-01  Scheduled',
      '  departureGate: "B1"  ops, 2026-06-01T08:10:00.000Z',
      '    overruled: "A2"  avinor, 2026-06-01T08:30:00.000Z',
      '  estimatedOut: 2026-06-01T10:20:00Z  avinor, 2026-06-01T08:00:00.000Z',
      '  departureTerminal: withdrawn  aidx, 2026-06-01T08:20:00.000Z',
      '    overruled: "5"  ops, 2026-06-01T08:10:00.000Z',
      '',
    ].join('\n'),
  ]);
});

test('flightdata status explain finds a flight by its marketing designator and ICAO code, and prints JSON', async () => {
  const { out } = await explain('YYB 5101', '2026-06-01', '--from', 'lhr', '--json');
  expect(JSON.parse(out)).toMatchObject({
    route: 'LHR-JFK',
    state: 'Scheduled',
    facts: [
      { name: 'departureGate', shown: { value: 'B1', source: 'ops' }, overruled: [{ value: 'A2', source: 'avinor' }] },
      { name: 'estimatedOut' },
      { name: 'departureTerminal' },
    ],
  });
});

test('flightdata status explain shows a flight without messages', async () => {
  expect(await explain('XX101', '2026-06-02')).toEqual({
    code: 0,
    out: 'XX 101  LHR-JFK  2026-06-02  no status\n',
    err: '',
  });
});

test.each([
  [['XX999', '2026-06-01'], 'XX 999 does not depart on 2026-06-01.\n'],
  [['XX101', '2026-06-01', '--from', 'JFK'], 'XX 101 does not depart on 2026-06-01.\n'],
])('flightdata status explain %s fails', async (args, err) => {
  expect(await explain(...args)).toEqual({ code: 1, out: '', err });
});
