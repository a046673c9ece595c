import { beforeEach, expect, test, vi } from 'vitest';
import type { StatusMessage } from '#domain/status/message.ts';
import { readScheduleMessages } from '#feeds/schedule-messages/read-messages.ts';
import { BackgroundDriver } from '#jobs/driver.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { startStatusUpdateTask } from '#jobs/status/recompute/status-update-task.ts';
import { applyCancellations } from '#jobs/status/recompute/apply-cancellations.ts';
import {
  listItineraryOrigins,
  listQuarantinedMessages,
  readMessageHealth,
} from '#store/schedules/schedule-messages.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { listAllEvents, sequence } from '#test/store/events/sample-events.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { clearSchedules } from '../expand/schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';
import { flight, ingest as ingestStatuses, message } from '../status/messages.ts';

useDatabase({
  prepare: saveTinyMasterData,
  reset: async (sql) => {
    await clearSchedules(sql);
    await sql`truncate flight_status, status_message, status_quarantine`;
  },
});

let now = new Date('2026-06-01T12:00:00Z');

const publish = (createdOn: string, change: Readonly<Record<number, string>> = {}): Promise<unknown> => {
  const file = buildFile(buildLeg({ 6: '0999' }), buildLeg(change));
  // Record 2 has its creation date in bytes 29 to 35.
  const dated = file.replace(/^(2.{27}).{7}/m, `$1${createdOn}`);
  return publishText(db, dated, { horizonDays: 5 });
};

beforeEach(async () => {
  now = new Date('2026-06-01T12:00:00Z');
  await publish('20MAY26');
});

const ingest = async (text: string, clock = () => now) => {
  const items = [];
  for await (const item of readScheduleMessages([Buffer.from(text)].values() as never, () => now)) items.push(item);
  const masterDataIndex = await readMasterDataIndex(db);
  const { outcomes } = await ingestScheduleMessages(db, items, {
    masterDataIndex,
    clock,
    source: 'test',
    sha256: '',
  });
  return outcomes;
};

const kinds = async (text: string): Promise<readonly string[]> =>
  (await ingest(text)).map(({ kind, entries }) => [kind, ...entries.map(({ reason }) => reason)].join(' '));

/** The state of XX101 on 3 June; Scheduled without observations. */
const readState = async (): Promise<string> => {
  const rows = await db<{ state: string }[]>`
    select s.state from flight_instance i join flight_status s
      on s.departs_on = i.departs_at::date and s.status_order = i.status_order
    where i.flight_number = 101 and i.departs_at::date = '2026-06-03'`;
  return rows.map(({ state }) => state || 'Scheduled').join() || 'Scheduled';
};

const readDeparture = async (): Promise<string | undefined> => {
  const [row] = await db<{ at: string }[]>`
    select to_char(departs_at, 'HH24:MI') as at from flight_instance where flight_number = 101 and departs_at::date = '2026-06-03'`;
  return row?.at;
};

/** `Canceled` and so on, of the status events so far. */
const readStatusEvents = async (): Promise<readonly string[]> => {
  await sequence(db, { limit: 1000 });
  return (await listAllEvents(db, 0)).flatMap(({ facts, body }) =>
    facts.kind === 'status' ? String(JSON.parse(body).state ?? JSON.parse(body).newValues?.state ?? body) : [],
  );
};

const numbered = (kind: string, reference: string, ...lines: readonly string[]): string =>
  `${kind}\nLT\n${reference}\n${lines.join('\n')}\n\n`;
const asm = (number: number, ...lines: readonly string[]): string =>
  numbered('ASM', `01JUN0000${number}E001`, ...lines);
const from = (time: string, ...lines: readonly string[]): string =>
  `QU LONOOYY\n.LHROOXX ${time}\nASM\nLT\n${lines.join('\n')}\n\n`;
const [cancel, reinstate] = [
  ['CNL', 'XX101/03JUN'],
  ['RIN', 'XX101/03JUN'],
] as const;
const pass = (minutes: number): void => void (now = new Date(now.getTime() + minutes * 60_000));

test('a reinstatement with a younger reference than its cancellation ends Scheduled, in both orders of arrival', async () => {
  expect(await kinds(asm(2, ...reinstate))).toEqual(['quarantined not-cancelled']);
  pass(1);
  expect(await kinds(asm(1, ...cancel))).toEqual(['applied']);
  expect(await readState()).toBe('Scheduled');
  expect(await readStatusEvents()).toEqual([]);
});

test('XASM withdraws a cancellation: the flight is Scheduled again', async () => {
  await ingest(asm(1, ...cancel));
  expect(await readState()).toBe('Canceled');
  pass(1);
  const withdrawal = numbered('SSM', '01JUN00002E001', 'EQT XASM', 'XX101', '01JUN26 04JUN26 1234', 'J 320 .Y150');
  expect(await kinds(withdrawal)).toEqual(['applied']);
  expect(await readState()).toBe('Scheduled');
});

test('a newer SSIM file withdraws a cancellation: the flight is Scheduled again, with an event', async () => {
  await ingest(asm(1, ...cancel));
  await publish('02JUN26');
  expect(await readState()).toBe('Scheduled');
  expect(await readStatusEvents()).toHaveLength(2);
});

test('an SSIM file of the same day keeps a cancellation, and does not repeat its event', async () => {
  await ingest(asm(1, ...cancel));
  await publish('01JUN26');
  expect(await readState()).toBe('Canceled');
  expect(await readStatusEvents()).toHaveLength(1);
});

test('a message older than the schedule file is superseded, whatever arrives first', async () => {
  const retimed = numbered('ASM', '05MAY00311E001', 'TIM', 'XX101/03JUN', 'LHR1200 JFK1500');
  expect(await kinds(retimed)).toEqual(['superseded superseded']);
  expect(await readDeparture()).toBe('11:00');
  expect(await kinds(retimed)).toEqual(['duplicate']);
  await publish('20MAY26', { 73: '320' });
  expect(await readDeparture()).toBe('11:00');
});

test('messages and a newer schedule file give one state in every order of arrival', async () => {
  const steps: readonly (() => Promise<unknown>)[] = [
    () => publish('02JUN26', { 40: '11301130' }),
    () => ingest(numbered('ASM', '01JUN00001E001', ...cancel)),
    () => ingest(numbered('ASM', '02JUN00001E001', 'CNL', 'XX101/04JUN')),
    () => ingest(numbered('ASM', '02JUN00002E001', 'EQT', 'XX101/03JUN', 'J 320 .Y180')),
  ];
  const permute = (left: readonly number[]): readonly (readonly number[])[] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => permute(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  const results = new Set<string>();
  for (const order of permute([0, 1, 2, 3])) {
    await clearSchedules(db);
    await db`truncate flight_status, status_message, status_quarantine`;
    await publish('20MAY26');
    for (const step of order) {
      pass(1);
      await steps[step]?.();
    }
    const rows = await db<{ line: string }[]>`
      select concat_ws(' ', to_char(departs_at, 'DDMon HH24:MI'), i.doc::json #>> '{aircraftType,iata}', coalesce(nullif(s.state, ''), 'Scheduled')) as line
      from flight_instance i left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      where i.flight_number = 101 and departs_at >= '2026-06-02' and departs_at < '2026-06-05' order by departs_at`;
    const amendments = await db<{ state: string }[]>`
      select a.state from schedule_amendment a join schedule_message m on m.id = a.message_id order by m.reference`;
    results.add([...rows.map(({ line }) => line), ...amendments.map(({ state }) => state)].join(', '));
  }
  expect([...results]).toEqual([
    '02Jun 11:30 789 Scheduled, 03Jun 11:30 320 Scheduled, 04Jun 11:30 789 Canceled, superseded, applied, applied',
  ]);
});

test('a message that was superseded applies again over an older schedule file', async () => {
  await ingest(numbered('ASM', '05MAY00311E001', 'TIM', 'XX101/03JUN', 'LHR1200 JFK1500'));
  await publish('01MAY26');
  expect(await readDeparture()).toBe('12:00');
});

test('a message without reference that was sent before the file was created is superseded', async () => {
  expect(await kinds(from('051200', 'TIM', 'XX101/03JUN26', 'LHR1200 JFK1500'))).toEqual(['superseded superseded']);
  expect(await readDeparture()).toBe('11:00');
});

test('CNL, RIN and CNL without reference are three messages by the times of their origin lines', async () => {
  const states = [];
  for (const [time, lines] of [
    ['011200', cancel],
    ['011201', reinstate],
    ['011202', cancel],
  ] as const) {
    pass(1);
    expect(await kinds(from(time, ...lines))).toEqual(['applied']);
    states.push(await readState());
  }
  expect(states).toEqual(['Canceled', 'Scheduled', 'Canceled']);
});

test('CNL, RIN and CNL without reference in one minute are three messages; a repetition of an older minute is none', async () => {
  const results = [];
  for (const [time, lines] of [
    ['011159', cancel],
    ['011200', reinstate],
    ['011200', cancel],
    ['011200', reinstate],
    ['011200', reinstate],
    ['011159', cancel],
  ] as const) {
    pass(1);
    results.push(`${(await kinds(from(time, ...lines))).join()} ${await readState()}`);
  }
  expect(results).toEqual([
    'applied Canceled',
    'applied Scheduled',
    'applied Canceled',
    'applied Scheduled',
    'duplicate Scheduled',
    'duplicate Scheduled',
  ]);
});

test('the same text without reference and time is a repetition only while nothing of its flight came between', async () => {
  const [plainCancel, plainReinstate] = [`ASM\nLT\n${cancel.join('\n')}\n\n`, `ASM\nLT\n${reinstate.join('\n')}\n\n`];
  const results = [];
  for (const text of [plainCancel, plainCancel, plainReinstate, plainCancel, plainCancel]) {
    pass(1);
    results.push(`${(await kinds(text)).join()} ${await readState()}`);
  }
  expect(results).toEqual([
    'applied Canceled',
    'duplicate Canceled',
    'applied Scheduled',
    'applied Canceled',
    'duplicate Canceled',
  ]);
});

test('TIM there and back without reference ends at the first time', async () => {
  const retime = (time: string): string => `ASM\nLT\nTIM\nXX101/03JUN\nLHR${time} JFK1500\n\n`;
  for (const time of ['1200', '1130', '1200']) {
    pass(1);
    expect(await kinds(retime(time))).toEqual(['applied']);
  }
  expect(await readDeparture()).toBe('12:00');
});

test('a message without reference wins over a numbered one of the same day that came before it', async () => {
  const retime = (time: string): readonly string[] => ['TIM', 'XX101/03JUN', `LHR${time} JFK1500`];
  await ingest(asm(5, ...retime('1200')));
  pass(1);
  await ingest(`ASM\nLT\n${retime('1130').join('\n')}\n\n`);
  expect(await readDeparture()).toBe('11:30');
  pass(1);
  await ingest(asm(4, ...retime('1145')));
  expect(await readDeparture()).toBe('11:30');
  pass(1);
  await ingest(asm(6, ...retime('1215')));
  expect(await readDeparture()).toBe('12:15');
});

test('numbers of two senders are not compared: the later message wins', async () => {
  const send = (sender: string, time: string, number: string, departure: string): string =>
    `.${sender} ${time}\nASM\nLT\n01JUN${number}E001\nTIM\nXX101/03JUN\nLHR${departure} JFK1500\n\n`;
  await ingest(send('LHROOXX', '011100', '00900', '1200'));
  await ingest(send('JFKOOXX', '011101', '00002', '1130'));
  expect(await readDeparture()).toBe('11:30');
  expect(await kinds(send('JFKOOXX', '011102', '00900', '1145'))).toEqual(['applied']);
  expect(await readDeparture()).toBe('11:45');
});

test('parts of two senders with one number never become one message', async () => {
  const part = (sender: string, end: string, action: string): string =>
    `${sender}ASM\nLT\n01JUN00009${end}\n${action}\nXX101/03JUN\n\n`;
  expect(await kinds(part('.AAAXAXX 011200\n', 'C001', 'CNL'))).toEqual(['waiting']);
  expect(await kinds(part('.BBBXAXX 011201\n', 'E002', 'RIN'))).toEqual(['waiting']);
  expect(await kinds(part('', 'E002', 'RIN'))).toEqual(['waiting']);
  expect(await kinds(part('.AAAXAXX 011202\n', 'E002', 'RIN'))).toEqual(['applied']);
});

test('two different parts of one number are a conflict in quarantine, with NAC', async () => {
  const part = (end: string, flight: string): string => `ASM\nLT\n01JUN00009${end}\nCNL\n${flight}/03JUN\n\n`;
  expect(await kinds(part('C001', 'XX101'))).toEqual(['waiting']);
  const [conflict] = await ingest(part('C001', 'XX999'));
  expect(conflict).toMatchObject({
    kind: 'quarantined',
    entries: [{ reason: 'conflicting-parts' }],
    reply: expect.stringMatching(/^ASM\r\n01JUN00009C001\r\nNAC\r\n001 ANOTHER PART OF THE SAME NUMBER/),
  });
  expect(await kinds(part('E002', 'XX101'))).toEqual(['applied']);
});

test('the reply of a message names what cannot be read in any of its parts', async () => {
  const part = (end: string, ...lines: readonly string[]): string =>
    `ASM\nLT\n01JUN00009${end}\n${lines.join('\n')}\n\n`;
  const bad = part('C001', 'CNL', 'XX101/3JUN', '//', 'CNL', 'XX101/04JUN', '//', 'TIM', 'XX101/05JUN');
  const good = part('E002', 'CNL', 'XX101/03JUN');
  const [first, last] = await ingest(`\n\n${bad}${good}`);
  expect([first?.kind, first?.reply, last?.kind]).toEqual(['waiting', undefined, 'applied']);
  expect(last?.reply?.split('\r\n')).toEqual([
    'ASM',
    '01JUN00009E002',
    'NAC',
    "005 PART 1 '3JUN' IS NOT A DATE (DDMMM OR DDMMMYY). 3JUN",
    '010 PART 1 TIM LACKS LEGS. TIM',
    '',
  ]);
  const [again] = await ingest(good);
  expect([again?.kind, again?.reply]).toEqual(['duplicate', last?.reply]);
  expect(await kinds(part('C001', 'CNL', 'XX101/04JUN'))).toEqual(['quarantined conflicting-parts']);
  expect(await readState()).toBe('Canceled');
});

test('two unreadable texts of one line are two messages in quarantine', async () => {
  expect(await kinds('HELLO\n\nWORLD\n\nHELLO\n\n')).toEqual([
    'quarantined no-identifier',
    'quarantined no-identifier',
    'duplicate no-identifier',
  ]);
  const texts = await listQuarantinedMessages(db, { limit: 5, now });
  expect(texts.map(({ text }) => text).toSorted()).toEqual(['HELLO', 'WORLD']);
});

test('a repeated message gets the reply of the first time', async () => {
  const [cancelled] = await ingest(asm(1, ...cancel));
  const rejected = asm(2, 'CNL', 'XX888/03JUN');
  const [unknown] = await ingest(rejected);
  const again = await ingest(`${asm(1, ...cancel)}${rejected}`);
  expect(again.map(({ kind, reply }) => [kind, reply])).toEqual([
    ['duplicate', cancelled?.reply],
    ['duplicate', unknown?.reply],
  ]);
  expect([cancelled?.reply, unknown?.reply]).toEqual([
    'ASM\r\n01JUN00001E001\r\nACK\r\n',
    'ASM\r\n01JUN00002E001\r\nNAC\r\n004 NO SUCH FLIGHT IS SCHEDULED. XX888\r\n',
  ]);
});

test('a message dated more than a day ahead is quarantined, with NAC', async () => {
  const [ahead] = await ingest(numbered('ASM', '20SEP00001E001', ...cancel));
  expect([ahead?.kind, ahead?.entries[0]?.reason, ahead?.reply?.split('\r\n')[2]]).toEqual([
    'quarantined',
    'future-message',
    'NAC',
  ]);
  expect(await readState()).toBe('Scheduled');
  expect(await kinds(numbered('ASM', '02JUN00001E001', ...cancel))).toEqual(['applied']);
});

test('a cancellation of a flight beyond the horizon waits, and is withdrawn without a trace', async () => {
  await publish('20MAY26', { 15: '01JUN2630SEP26' });
  await ingest(asm(1, 'CNL', 'XX101/03SEP'));
  const [row] = await db<{ state: string }[]>`select state from schedule_cancellation`;
  expect(row?.state).toBe('pending');
  await ingest(asm(2, 'RIN RTNS', 'XX101/03SEP'));
  expect(await db`select from status_quarantine`).toHaveLength(0);
});

test('a flight that is withdrawn and scheduled again is not Canceled', async () => {
  await ingest(asm(1, ...cancel));
  await ingest(numbered('SSM', '01JUN00002E001', 'CNL', 'XX101', '03JUN26 03JUN26 3'));
  expect(await readDeparture()).toBeUndefined();
  await publish('02JUN26');
  expect(await readDeparture()).toBe('11:00');
  expect(await readState()).toBe('Scheduled');
});

test('repeating the update of statuses changes nothing', async () => {
  await ingest(asm(1, ...cancel));
  const dump = async (): Promise<string> =>
    JSON.stringify(await db`select * from flight_status`, (_, v) => (typeof v === 'bigint' ? String(v) : v));
  const before = await dump();
  await applyCancellations(db, { masterDataIndex: await readMasterDataIndex(db), clock: () => now });
  expect(await dump()).toBe(before);
  expect(await readStatusEvents()).toHaveLength(1);
});

/** Ingests a message and ends after the commit, as a process that is killed does. */
const ingestInterrupted = async (text: string): Promise<void> => {
  let calls = 0;
  const clock = (): Date => {
    calls += 1;
    if (calls > 1) throw new Error('interrupted');
    return now;
  };
  await expect(ingest(text, clock)).rejects.toThrow('interrupted');
  expect(await readState()).toBe('Scheduled');
};

test('the next import completes the statuses that an interrupted one left', async () => {
  await ingestInterrupted(asm(1, ...cancel));
  expect(await kinds(asm(1, ...cancel))).toEqual(['duplicate']);
  expect(await readState()).toBe('Canceled');
  expect(await readStatusEvents()).toHaveLength(1);
  expect(await db`select from status_update`).toHaveLength(0);
});

test('a task of the server completes the statuses that an interrupted import left', async () => {
  await ingestInterrupted(asm(1, ...cancel));
  const driver = new BackgroundDriver(db);
  const clock = (): Date => now;
  const stop = await startStatusUpdateTask(db, {
    clock,
    driver,
    minAgeMs: 0,
    onError: (error) => expect.fail(String(error)),
  });
  await vi.waitUntil(() => driver.listStatuses()[0]?.lastSuccessAt !== undefined);
  await stop();
  expect(await readState()).toBe('Canceled');
});

test('parts that wait for an hour are listed and counted', async () => {
  await ingest('ASM\nLT\n01JUN00009C001\nCNL\nXX101/03JUN\n\n');
  const list = async () => (await listQuarantinedMessages(db, { limit: 10, now })).map(({ reference }) => reference);
  expect(await list()).toEqual([]);
  pass(61);
  expect(await list()).toEqual(['01JUN00009C001']);
  expect(await readMessageHealth(db, now)).toEqual({ quarantined: 0, waiting: 1, unfinished: 0 });
});

test('the periods that a message left unchanged are still of the schedule file', async () => {
  await ingest(asm(1, 'TIM', 'XX101/03JUN', 'LHR1200 JFK1500'));
  const origins = await listItineraryOrigins(db, 'XX', 101);
  expect(origins.map(({ source, message }) => message?.reference ?? source)).toEqual(
    expect.arrayContaining(['test.ssim', '01JUN00001E001']),
  );
  expect(origins.filter(({ message }) => !message).map(({ source }) => source)).toEqual(['test.ssim', 'test.ssim']);
});

test('one leg is cancelled and reinstated by itself, also after the whole flight was cancelled', async () => {
  const routing = ['01JUN26 04JUN26 1234', 'J 789 .Y300', 'LHR1100 CDG1300', 'J 789 .Y300', 'CDG1400 JFK1700'];
  await ingest(numbered('SSM', '01JUN00001E001', 'NEW', 'XX102', ...routing));
  const states = async (): Promise<readonly string[]> => {
    const rows = await db<{ leg: string }[]>`
      select (i.doc::json #>> '{departure,airport,iata}') || ' ' || (i.doc::json #>> '{arrival,airport,iata}') || ' '
        || coalesce(nullif(s.state, ''), 'Scheduled') as leg
      from flight_instance i left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      where i.flight_number = 102 and i.departs_at::date = '2026-06-03' order by 1`;
    return rows.map(({ leg }) => leg).filter((leg) => !leg.startsWith('LHR JFK'));
  };
  const change = async (number: number, ...lines: readonly string[]) => {
    pass(1);
    expect(await kinds(asm(number, ...lines))).toEqual(['applied']);
    return states();
  };
  expect(await change(2, 'CNL', 'XX102/03JUN26 CDG/JFK')).toEqual(['CDG JFK Canceled', 'LHR CDG Scheduled']);
  expect(await change(3, 'CNL', 'XX102/03JUN26')).toEqual(['CDG JFK Canceled', 'LHR CDG Canceled']);
  expect(await change(4, 'RIN', 'XX102/03JUN26 CDG/JFK')).toEqual(['CDG JFK Scheduled', 'LHR CDG Canceled']);
  expect(await change(5, 'RIN', 'XX102/03JUN26')).toEqual(['CDG JFK Scheduled', 'LHR CDG Scheduled']);
});

test('a flight that a message retimes over midnight keeps its status, and so does the flight of the next day', async () => {
  const observed = (id: string, date: string, facts: StatusMessage['facts']): StatusMessage =>
    message({ id, flight: flight({ date }), facts });
  const listFlights = async (): Promise<readonly string[]> => {
    const rows = await db<
      { departs: string; key: string; state: string | null; gate: string | null; stand: string | null }[]
    >`
      select to_char(i.departs_at, 'DD HH24:MI') as departs, i.status_order::text as key, s.state,
        s.doc::json #>> '{departure,gate}' as gate, s.doc::json #>> '{departure,stand}' as stand
      from flight_instance i left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      where i.flight_number = 101 and i.departs_at::date between '2026-06-03' and '2026-06-04' order by i.departs_at`;
    return rows.map(({ departs, key, state, gate, stand }) => [departs, key.slice(0, 5), state, gate, stand].join());
  };
  await ingestStatuses(db, [
    observed('gate', '2026-06-03', { departureGate: '7' }),
    observed('cancel', '2026-06-04', { cancelled: true }),
  ]);
  expect(await listFlights()).toEqual(['03 11:00,-6635,Scheduled,7,', '04 11:00,75614,Canceled,,']);
  expect(await kinds(asm(1, 'TIM', 'XX101/03JUN', 'LHR0030/1 JFK0330/1'))).toEqual(['applied']);
  await ingestStatuses(db, [observed('stand', '2026-06-03', { departureStand: 'S7' })]);
  expect(await listFlights()).toEqual(['04 00:30,-6635,Scheduled,7,S7', '04 11:00,75614,Canceled,,']);
  // The gate, the cancellation of the other flight, the new times and the stand.
  expect(await readStatusEvents()).toEqual(['Scheduled', 'Canceled', 'Scheduled', 'Scheduled']);
  await ingest(asm(2, 'CNL', 'XX101/03JUN'));
  expect(await listFlights()).toEqual(['04 00:30,-6635,Canceled,7,S7', '04 11:00,75614,Canceled,,']);
  await ingest(asm(3, 'RIN', 'XX101/03JUN'));
  await ingest(asm(4, 'TIM', 'XX101/03JUN', 'LHR1130 JFK1430'));
  expect(await listFlights()).toEqual(['03 11:30,-6635,Scheduled,7,S7', '04 11:00,75614,Canceled,,']);
});
