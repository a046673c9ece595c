import { beforeAll, beforeEach, expect, test } from 'vitest';
import { buildScheduleEvent, toScheduleFacts } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { PreviousSchedule } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { ScheduleContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { addDays, localDate } from '#domain/time/dates.ts';
import { toScheduleContent } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { undoChanges, omitEmpty } from '#test/products/flight-info-alerts/v1/events/edit-content.ts';
import { createRandomNumbers, type Random } from '#test/domain/status/random-messages.ts';
import { buildCarrier, header, buildLeg, buildSecondLeg } from '#test/feeds/ssim/build-file.ts';
import { buildSegment, buildTrailer, buildWholeFile } from '#test/feeds/ssim/build-file.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { fresh, useDatabase } from '#test/jobs/job-database.ts';
import { clearSchedules, createEventReader, readInstances, readExpandedDays } from './stored-schedule.ts';
import type { DatedInstance, LoggedEvent } from './stored-schedule.ts';

const SEEDS = Number(process.env['SCHEDULE_EVENTS_SEEDS'] ?? 2);
const EDITIONS = 6;
/** A second store in which the same editions are expanded to more days, because retimed flights move by a day. */
const wide = await sharedDatabase();
useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });
beforeAll(() => saveTinyMasterData(wide.sql));
beforeEach(() => clearSchedules(wide.sql));

const oneOf = <T>(random: Random, choices: readonly [T, ...T[]]): T => choices[random(choices.length)] ?? choices[0];

/** One flight of an edition with random times, terminal, days and seats; it may be absent. */
const flightOf = (random: Random, name: string, number: string): readonly string[] => {
  if (random(5) === 0) return [];
  // The same flight departs before midnight or after it.
  const departs = oneOf(random, ['2330', '2345', '0015', '0700']);
  const until = oneOf(random, ['30JUN26', '30JUN26', '03JUN26']);
  const dayAfter = until === '30JUN26' ? '01JUL26' : '04JUN26';
  const days = oneOf(random, ['1234567', '1234567', '1234567', '12 4567']);
  const shared = { 3: name, 6: number, 29: days, 22: until };
  const filed = {
    ...shared,
    53: oneOf(random, ['5', '5', '4', ' ']),
    73: oneOf(random, ['789', '789', '320']),
    173: oneOf(random, ['J30W21Y178', 'J30W21Y178', 'J28W21Y180']),
  };
  const first = buildLeg(filed);
  const meals = buildSegment(503, oneOf(random, ['9', '9', '18']), { 3: name, 6: number });
  const partner = random(2) === 0 ? [buildSegment(10, 'YY 5101 ', { 3: name, 6: number })] : [];
  if (random(3) === 0) return [first, ...partner, meals];
  const times = departs.startsWith('23')
    ? { 15: '01JUN26', 22: until, 58: '0230', 62: '0230', 193: '01' }
    : { 15: '02JUN26', 22: dayAfter, 58: '1000', 62: '1000', 193: '11' };
  const second = buildSecondLeg({ ...shared, ...times, 40: departs, 44: departs });
  return [first, ...partner, meals, second];
};

const editionOf = (random: Random, name: string, count: number): readonly string[] => {
  const flights = Array.from({ length: count }, (_, index) => flightOf(random, name, `010${index}`));
  // A carrier without legs keeps its schedule.
  const legs = flights.flat();
  const filed = legs.length > 0 ? legs : [buildLeg({ 3: name, 6: '0999' })];
  return [buildCarrier({ 3: name }), ...filed, buildTrailer('C', name)];
};

/** Marketing flights of XX 101. */
const sellerOf = (random: Random): readonly string[] => [
  buildCarrier({ 3: 'YY' }),
  buildLeg({ 3: 'YY', 6: '5101', 73: oneOf(random, ['789', '320']), 149: 'Z' }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildTrailer('C', 'YY'),
];

const fileOf = (...carriers: readonly (readonly string[])[]): string => {
  const records = carriers.flat();
  const end = records.at(-1) ?? '';
  return buildWholeFile(header, ...records.slice(0, -1), `${end.slice(0, 193)}E`);
};

type FlightHistory = { readonly versions: Map<string, number>; readonly deleted: Map<string, ScheduleContent> };

type Snapshot = {
  readonly instances: ReadonlyMap<string, DatedInstance>;
  readonly days: ReadonlySet<string>;
  readonly schedule: ReadonlyMap<string, DatedInstance>;
};
const takeSnapshot = async (): Promise<Snapshot> => ({
  instances: await readInstances(fresh.sql),
  days: await readExpandedDays(fresh.sql),
  schedule: await readInstances(wide.sql),
});

const hasCarrier = (names: ReadonlySet<string>, { doc }: DatedInstance): boolean =>
  names.has(toScheduleContent({ doc, details: undefined, seats: undefined }).carrierCode.iata ?? '');

/** The events of a load: compares every flight on a day that was expanded before with its state before and after. */
const computeEvents = (
  before: Snapshot,
  after: Snapshot,
  { names, history }: { names: ReadonlySet<string>; history: FlightHistory },
) => {
  const keys = [...new Set([...before.instances.keys(), ...after.instances.keys()])].toSorted();
  return keys.flatMap((key) => {
    const former = before.instances.get(key);
    // A flight that moved outside the expanded days is still in the schedule.
    const is = after.instances.get(key) ?? (former && after.schedule.get(key));
    const either = is ?? former;
    if (!either || !hasCarrier(names, either)) return [];
    // A flight on a new day belongs to the horizon.
    if (!former && !before.days.has(either.day)) return [];
    const deleted = history.deleted.get(key);
    const previous: PreviousSchedule = deleted
      ? { kind: 'deleted', content: deleted }
      : former
        ? { kind: 'in-force', content: toScheduleContent(former) }
        : { kind: 'never' };
    const version = history.versions.get(key) ?? 0;
    const event = buildScheduleEvent(previous, is && toScheduleContent(is), version);
    if (!event) return [];
    const { state, content, changes } = event;
    history.versions.set(key, version + 1);
    if (state === 'DELETED') history.deleted.set(key, content);
    else history.deleted.delete(key);
    const facts = toScheduleFacts(event, { isMarketing: either.isMarketing, before: previous });
    const earlier = deleted ?? (former && toScheduleContent(former));
    return [{ key, state, content, changes, facts, version: version + 1, before: earlier }];
  });
};

const toContent = ({ event }: LoggedEvent): ScheduleContent => {
  const { documentType: _, version: __, flightVersion: ___, state: ____, ...others } = event;
  const { updatedAt: _____, changes: ______, ...content } = others;
  return content;
};

/** The flight before an event, computed from the event alone. */
const revertEvent = (logged: LoggedEvent): unknown =>
  logged.event.state === 'NEW' ? undefined : omitEmpty(undoChanges(toContent(logged), logged.event.changes ?? []));

const loadedAt = async (): Promise<Date> => {
  const [row] = await fresh.sql<{ at: Date }[]>`select loaded_at as at from load order by id desc limit 1`;
  return row?.at ?? new Date(0);
};

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'the events of several editions match a comparison of whole schedules, seed %i',
  async (seed) => {
    const random = createRandomNumbers(seed);
    const history: FlightHistory = { versions: new Map(), deleted: new Map() };
    const readEvents = createEventReader(fresh.sql);
    const loaded = new Set<string>();
    let today = localDate('2026-06-01');
    for (let edition = 0; edition < EDITIONS; edition += 1) {
      const carriers = [
        ...(edition === 0 || random(4) > 0 ? [['XX', editionOf(random, 'XX', 5)] as const] : []),
        ...(random(2) === 0 ? [['WW', editionOf(random, 'WW', 2)] as const] : []),
        ...(random(3) > 0 ? [['YY', sellerOf(random)] as const] : []),
      ];
      if (carriers.length === 0) continue;
      const before = await takeSnapshot();
      const file = fileOf(...carriers.map(([, records]) => records));
      await Promise.all([
        publishText(fresh.sql, file, { today, horizonDays: 4 }),
        publishText(wide.sql, file, { today, horizonDays: 6 }),
      ]);
      const after = await takeSnapshot();
      const names = new Set(carriers.map(([name]) => name).filter((name) => loaded.has(name)));
      for (const [name] of carriers) loaded.add(name);
      const events = await readEvents();
      const expectedEvents = computeEvents(before, after, { names, history });
      const at = await loadedAt();
      const updatedAt = at.toISOString().slice(0, -1).replace('T', ' ');
      const document = { documentType: 'ScheduleInstance', version: '2', updatedAt };
      expect(events, `edition ${edition}`).toEqual(
        expectedEvents.map(({ key, version, facts, state, content, changes }) => ({
          key,
          version,
          madeAt: at,
          facts,
          event: { ...document, flightVersion: version, state, ...content, changes },
        })),
      );
      expect(events.map(revertEvent)).toEqual(
        expectedEvents.map(({ state, before: old }) => (state === 'NEW' ? undefined : omitEmpty(old))),
      );
      if (random(2) === 0) today = addDays(today, 1);
      if (random(2) === 0) await extendHorizon(fresh.sql, { today, horizonDays: 4 });
      expect(await readEvents()).toEqual([]);
    }
  },
  60_000,
);
