import { beforeEach, describe, expect, test } from 'vitest';
import { readScheduleMessages } from '#feeds/schedule-messages/read-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { buildFile, buildLeg, buildSecondLeg, times } from '#test/feeds/ssim/build-file.ts';
import { listScheduleRecords } from '#store/schedules/schedule-records.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { clearSchedules, createEventReader, readInstances } from '../expand/schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({
  prepare: saveTinyMasterData,
  reset: async (sql) => {
    await clearSchedules(sql);
    await sql`truncate flight_status, status_message`;
  },
});

let now = new Date('2026-06-01T12:00:00Z');
let readEvents: ReturnType<typeof createEventReader>;
beforeEach(async () => {
  now = new Date('2026-06-01T12:00:00Z');
  readEvents = createEventReader(db);
  await publishText(db, buildFile(buildLeg({ 6: '0999' }), buildLeg()), { horizonDays: 5 });
});

const ingest = async (text: string, cacheLeaseMs?: number) => {
  const items = [];
  for await (const item of readScheduleMessages([Buffer.from(text)].values() as never, () => now)) items.push(item);
  const masterDataIndex = await readMasterDataIndex(db);
  return ingestScheduleMessages(db, items, {
    masterDataIndex,
    clock: () => now,
    source: 'test',
    sha256: '',
    cacheLeaseMs,
  });
};

const kinds = async (text: string): Promise<readonly string[]> =>
  (await ingest(text)).outcomes.map(({ kind, entries }) => [kind, ...entries.map(({ reason }) => reason)].join(' '));

/** `XX101 2026-06-03T11:00` of all instances of a flight number. */
const departures = async (flightNumber = 101): Promise<readonly string[]> => {
  const rows = await db<{ at: string }[]>`
    select to_char(departs_at, 'YYYY-MM-DD HH24:MI') as at from flight_instance where flight_number = ${flightNumber} order by departs_at`;
  return rows.map(({ at }) => at);
};

const describeEvents = async () =>
  (await readEvents()).map(({ version, event, facts }) => `${event.state} ${facts.flightNumber} v${version}`);

const asm = (number: number, ...lines: readonly string[]): string =>
  `ASM\nLT\n01JUN0000${number}E001\n${lines.join('\n')}\n\n`;
const retimed = asm(1, 'TIM', 'XX101/03JUN', 'LHR1200 JFK1500');

test('an ASM changes one day, with an event of its flight, and has no effect the second time', async () => {
  const before = await readInstances(db);
  expect(await kinds(retimed)).toEqual(['applied']);
  expect(await departures()).toEqual(['2026-06-01 11:00', '2026-06-02 11:00', '2026-06-03 12:00', '2026-06-04 11:00']);
  expect(await describeEvents()).toEqual(['UPDATED 101 v1']);
  expect(await kinds(retimed)).toEqual(['duplicate']);
  expect(await describeEvents()).toEqual([]);
  const after = await readInstances(db);
  const changed = [...after].filter(
    ([key, { doc, details }]) => before.get(key)?.doc !== doc || before.get(key)?.details !== details,
  );
  expect(changed).toHaveLength(1);
  expect(after.size).toBe(before.size);
});

test('the terminal of a flight that a message changes is one of its airport', async () => {
  expect(await kinds(asm(1, 'TIM', 'XX101/03JUN', 'LHR1200 JFK1500', 'LHRJFK 99/4'))).toEqual(['applied']);
  expect(await db`select iata, t.code from location_terminal t join location l on l.id = t.location`).toEqual([
    { iata: 'LHR', code: '4' },
  ]);
});

test('an SSM CNL deletes flights, and a later SSIM file supersedes it', async () => {
  expect(await kinds('SSM\nLT\n01JUN00002E001\nCNL\nXX101\n02JUN26 03JUN26 23\n')).toEqual(['applied']);
  expect(await departures()).toEqual(['2026-06-01 11:00', '2026-06-04 11:00']);
  expect(await describeEvents()).toEqual(['DELETED 101 v1', 'DELETED 101 v1']);
  const records = await listScheduleRecords(db, {}, { limit: 10, withSeats: false });
  expect(records).toHaveLength(3);
});

test('a message for an unknown flight is in quarantine until a message or file schedules the flight', async () => {
  const cancel = 'SSM\nLT\n01JUN00005E001\nCNL\nXX202\n03JUN26 03JUN26 3\n';
  expect(await kinds(cancel)).toEqual(['quarantined no-such-flight']);
  const added = 'SSM\nLT\n01JUN00004E001\nNEW\nXX202\n02JUN26 04JUN26 234\nJ 789 .Y300\nLHR0900 CDG1110\n';
  expect(await kinds(added)).toEqual(['applied']);
  expect(await departures(202)).toEqual(['2026-06-02 09:00', '2026-06-04 09:00']);
});

test('a new SSIM file keeps the messages since its creation date', async () => {
  await ingest(retimed);
  await publishText(db, buildFile(buildLeg({ 6: '0999' }), buildLeg({ 73: '320' })), { horizonDays: 5 });
  expect(await departures()).toContain('2026-06-03 12:00');
});

test('the parts of a message apply together', async () => {
  const part = (end: string, action: string): string => `ASM\nLT\n01JUN00007${end}\n${action}\nXX101/03JUN\n`;
  expect(await kinds(part('E002', 'RIN'))).toEqual(['waiting']);
  expect(await kinds(part('C001', 'CNL'))).toEqual(['applied']);
});

describe('an ASM for a flight with a leg on another date than its own', () => {
  const dates = { 15: '01JUN26', 22: '06JUN26' };
  // AKL 08:00 to HNL 17:00 of the day before, and on at 19:00; LHR 11:00 to HNL 15:00, and on at 23:50 or at 00:30 of the next day.
  const akl = {
    ...dates,
    6: '0612',
    37: 'AKL',
    48: '+1200',
    55: 'HNL',
    66: '-1000',
    193: '0A',
    ...times('0800', '1700'),
  };
  const lax = { 6: '0612', 37: 'HNL', 48: '-1000', 55: 'LAX', 66: '-0700', 193: 'A0', ...times('1900', '0300') };
  const lhr = { ...dates, 6: '0613', 55: 'HNL', 66: '-1000', ...times('1100', '1500') };
  const syd = { 6: '0613', 37: 'HNL', 48: '-1000', 55: 'SYD', 66: '+1000', 193: '12', ...times('0030', '0630') };
  beforeEach(() =>
    publishText(
      db,
      buildFile(
        buildLeg(akl),
        buildSecondLeg({ ...lax, 15: '31MAY26', 22: '05JUN26' }),
        buildLeg(lhr),
        buildSecondLeg({ ...syd, 15: '02JUN26', 22: '07JUN26' }),
      ),
      { horizonDays: 8 },
    ),
  );

  /** `612 HNL-LAX 06-02 19:00` of each flight with a message of an ASM. */
  const changed = async (): Promise<readonly string[]> => {
    const rows = await db<{ text: string }[]>`
      select i.flight_number || ' ' || a.iata || '-' || b.iata || ' ' || to_char(i.departs_at, 'MM-DD HH24:MI') as text
      from status_message m
      join flight_instance i on i.status_order = m.status_order and i.departs_at::date = m.departs_on
      join location a on a.id = i.departure join location b on b.id = i.arrival
      order by i.flight_number, i.departs_at`;
    return rows.map(({ text }) => text);
  };

  test.each([
    ['CNL', ['CNL', 'XX612/03JUN'], ['612 HNL-LAX 06-02 19:00', '612 AKL-HNL 06-03 08:00']],
    ['CNL of the second leg', ['CNL', 'XX612/03JUN HNL/LAX'], ['612 HNL-LAX 06-02 19:00']],
    ['CNL', ['CNL', 'XX613/03JUN'], ['613 LHR-HNL 06-03 11:00', '613 HNL-SYD 06-04 00:30']],
    ['EQT', ['EQT', 'XX612/03JUN', 'J 320 .Y180 N342ZZ'], ['612 HNL-LAX 06-02 19:00', '612 AKL-HNL 06-03 08:00']],
  ])('reaches the leg of its flight: %s %j', async (_, lines, expected) => {
    expect(await kinds(asm(1, ...lines))).toEqual(['applied']);
    expect(await changed()).toEqual(expected);
  });

  test('cancels both departures of a designator on one route and day', async () => {
    await publishText(
      db,
      buildFile(
        buildLeg({ 6: '0614', ...times('0700', '1000') }),
        buildLeg({ 6: '0614', 10: '02', ...times('1900', '2200') }),
      ),
      { horizonDays: 5 },
    );
    expect(await kinds(asm(1, 'CNL', 'XX614/03JUN'))).toEqual(['applied']);
    expect(await changed()).toEqual(['614 LHR-JFK 06-03 07:00', '614 LHR-JFK 06-03 19:00']);
  });
});

test('an ASM cancels and reinstates: the status changes, and the flight stays', async () => {
  const isCancelled = async (): Promise<boolean> =>
    (await db<{ doc: string }[]>`select doc from flight_status`).some(({ doc }) => /cancell?ed/i.test(doc));
  expect(await kinds(asm(1, 'CNL WEAT', 'XX101/03JUN'))).toEqual(['applied']);
  expect(await departures()).toContain('2026-06-03 11:00');
  expect(await isCancelled()).toBe(true);
  now = new Date('2026-06-01T13:00:00Z');
  expect(await kinds(asm(2, 'RIN', 'XX101/03JUN'))).toEqual(['applied']);
  expect(await isCancelled()).toBe(false);
});

test('a reply acknowledges a message or names line and reason', async () => {
  const replies = (await ingest(`${retimed}${asm(3, 'CNL', 'XX888/03JUN')}`)).outcomes.map(({ reply }) => reply);
  expect(replies).toEqual([
    'ASM\r\n01JUN00001E001\r\nACK\r\n',
    'ASM\r\n01JUN00003E001\r\nNAC\r\n004 NO SUCH FLIGHT IS SCHEDULED. XX888\r\n',
  ]);
});

test('report and reply name each sub-message that is not applied because another of its flight is rejected', async () => {
  const text = asm(4, 'TIM', 'XX101/02JUN', 'LHR1200 JFK1500', '//', 'TIM', 'XX101/03JUN', 'LHR1200 XXX1500');
  const { outcomes, report } = await ingest(`QU LONXXXX\n${text}`);
  const rejected = {
    severity: 'quarantined',
    line: 9,
    field: 'leg',
    value: 'LHR-XXX',
    reason: 'no-such-leg',
    message: 'The flight has no such leg.',
  };
  const dropped = {
    severity: 'quarantined',
    line: 5,
    field: 'flight',
    value: 'XX101',
    reason: 'same-flight-rejected',
    message: 'Not applied because line 9 of the flight was rejected.',
  };
  const entries = [rejected, dropped];
  expect(report).toEqual({ source: 'test', accepted: {}, entries });
  expect(outcomes).toEqual([
    {
      line: 2,
      kind: 'quarantined',
      isPartlyApplied: false,
      entries,
      reply:
        'ASM\r\n01JUN00004E001\r\nNAC\r\n' +
        '008 THE FLIGHT HAS NO SUCH LEG. LHR-XXX\r\n' +
        '004 NOT APPLIED BECAUSE LINE 8 OF THE FLIGHT WAS REJECTED. XX101\r\n',
    },
  ]);
  expect(await departures()).toEqual(['2026-06-01 11:00', '2026-06-02 11:00', '2026-06-03 11:00', '2026-06-04 11:00']);
});

test('a message of which one flight is applied and another rejected counts as partly applied', async () => {
  const text = asm(5, 'TIM', 'XX101/03JUN', 'LHR1200 JFK1500', '//', 'CNL', 'XX888/03JUN');
  const { outcomes, report } = await ingest(text);
  expect(outcomes.map(({ kind, isPartlyApplied }) => [kind, isPartlyApplied])).toEqual([['quarantined', true]]);
  expect(report.accepted).toEqual({ 'partly applied messages': 1 });
  expect(await departures()).toContain('2026-06-03 12:00');
});

test('returns when the cache lease of the change has ended', async () => {
  await ingest(retimed);
  const before = performance.now();
  await ingest(retimed, 500);
  expect(performance.now() - before).toBeGreaterThanOrEqual(500);
});
