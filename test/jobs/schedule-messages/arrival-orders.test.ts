import { expect, test } from 'vitest';
import { readScheduleMessages } from '#feeds/schedule-messages/read-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { createRandom, type SeededRandom } from '#test/lib/seeded-random.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { clearSchedules } from '../expand/schedule-events/stored-schedule.ts';
import { db, useDatabase } from '../job-database.ts';

useDatabase({
  prepare: saveTinyMasterData,
  reset: async (sql) => {
    await clearSchedules(sql);
    await sql`truncate flight_status, status_message, status_quarantine`;
  },
});

const seed = Number(process.env['RANDOM_SEED'] ?? 20_260_604);
/** The numbers of amendments of a flight: twice each. */
const SIZES = Array.from({ length: Number(process.env['RANDOM_WORLDS'] ?? 1) }, () => [5, 5, 4, 4, 3, 3, 2, 2]).flat();
const MOST = 5;

const permute = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length <= 1
    ? [list]
    : list.flatMap((one, index) => permute(list.toSpliced(index, 1)).map((others) => [one, ...others]));

/** A message of a flight; `number` counts the messages of its sender, and the minute of its origin line. */
type WriteMessage = (flight: string, number: number) => string;

type MessageHead = { readonly isNumbered: boolean; readonly hasOrigin: boolean };

const withHead =
  (kind: string, { isNumbered, hasOrigin }: MessageHead, lines: (flight: string) => readonly string[]): WriteMessage =>
  (flight, number) =>
    [
      ...(hasOrigin ? [`.LHROOXX 01100${number}`] : []),
      kind,
      'LT',
      ...(isNumbered ? [`01JUN0000${number}E001`] : []),
      ...lines(flight),
      '',
      '',
    ].join('\n');

/** Without an origin line, only the number orders messages. */
const drawMessage = (random: SeededRandom, hasOrigin: boolean): WriteMessage => {
  const head = { hasOrigin, isNumbered: !hasOrigin || random.chance(70) };
  const minute = random.integer(10, 59);
  const asm = (action: string, ...rest: readonly string[]): WriteMessage =>
    withHead('ASM', head, (flight) => [action, `${flight}/03JUN`, ...rest]);
  const ssm = (action: string, ...rest: readonly string[]): WriteMessage =>
    withHead('SSM', head, (flight) => [action, flight, '02JUN26 04JUN26 234', ...rest]);
  const [times, equipment] = [`LHR11${minute} JFK14${minute}`, `J 320 .Y1${minute}`];
  return random.pick([
    asm('CNL'),
    asm('CNL'),
    asm('RIN'),
    asm('RIN'),
    asm('RIN RTNS'),
    asm('TIM', times),
    asm('EQT', equipment),
    asm('RPL', equipment, times),
    asm('RRT', times),
    asm('ADM', '4/XB'),
    ssm('TIM', times),
    ssm('TIM XASM', times),
    ssm('EQT XASM', equipment),
    ssm('CNL'),
    ssm('NEW', 'J 789 .Y300', `LHR12${minute} JFK15${minute}`),
  ]);
};

/** Describes a flight: its instances with their statuses, and what became of its messages. */
const describeFlight = async (flightNumber: number, hasOrigin: boolean): Promise<string> => {
  const instances = await db<object[]>`
    select to_char(i.departs_at, 'DD HH24:MI') as departs, to_char(i.arrives_at, 'DD HH24:MI') as arrives,
      i.doc::json #>> '{aircraftType,iata}' as type, coalesce(nullif(s.state, ''), 'Scheduled') as state, coalesce(s.doc, '') as doc
    from flight_instance i left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
    where i.flight_number = ${flightNumber} order by i.departs_at`;
  const amendments = await db<object[]>`
    select a.state, left(m.reference, 10) as reference, a.rejection::json ->> 'reason' as reason from schedule_amendment a join schedule_message m on m.id = a.message_id
    join schedule_amendment_flight f on f.amendment_id = a.id where f.flight_number = ${flightNumber} order by m.sent_at, m.reference`;
  // Without an origin line, a status is dated by the receipt.
  const text = JSON.stringify([instances, amendments], undefined, 1);
  return hasOrigin ? text : text.replaceAll(/\\"updatedAt\\":\\"[^"]*"/g, '');
};

test(`every order of arrival of up to ${MOST} amendments gives one state, status included (${SIZES.length} sets, seed ${seed})`, async () => {
  const random = createRandom(seed);
  const sets = SIZES.map((size, set) => Array.from({ length: size }, () => drawMessage(random, set % 2 === 0)));
  const flights = sets
    .flatMap((writers, set) => permute([...writers.keys()]).map((order) => ({ writers, order, set })))
    .map((flight, index) => ({ ...flight, number: 1000 + index }));
  const legs = flights.map(({ number }) => buildLeg({ 6: String(number) }));
  await publishText(db, buildFile(buildLeg({ 6: '0999' }), ...legs), { horizonDays: 5 });
  const masterDataIndex = await readMasterDataIndex(db);
  for (let step = 0; step < MOST; step += 1) {
    const clock = (): Date => new Date(Date.UTC(2026, 5, 1, 12, step));
    const texts = flights.flatMap(({ writers, order, number }) => {
      const index = order[step];
      return index === undefined ? [] : (writers[index]?.(`XX${number}`, index + 1) ?? []);
    });
    const items = [];
    for await (const item of readScheduleMessages([Buffer.from(texts.join(''))].values() as never, clock))
      items.push(item);
    await ingestScheduleMessages(db, items, { masterDataIndex, clock, source: 'test', sha256: '' });
  }
  const states = new Set<string>();
  for (const [set, ofSet] of Map.groupBy(flights, (flight) => flight.set)) {
    const [first] = ofSet;
    const expected = await describeFlight(first?.number ?? 0, set % 2 === 0);
    for (const { number, order, writers } of ofSet) {
      const where = `set ${set}, order ${order.join()}: ${writers.map((write, index) => write('XX1', index + 1)).join('')}`;
      expect(await describeFlight(number, set % 2 === 0), where).toBe(expected);
    }
    for (const state of expected.match(/"state": "\w+"/g) ?? []) states.add(state);
  }
  process.stdout.write(`${SIZES.length} sets, ${flights.length} orders of up to ${MOST} amendments, 0 differences\n`);
  expect([...states]).toEqual(
    expect.arrayContaining(['"state": "Canceled"', '"state": "applied"', '"state": "quarantined"']),
  );
}, 600_000);
