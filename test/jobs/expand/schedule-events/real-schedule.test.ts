import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { countReasons, type LoadReport } from '../../../../src/feeds/load-report.ts';
import type { FreshDatabase } from '../../../support/database.ts';
import { readRealMasterData, realMasterDataDir } from '../../../support/real-master-data.ts';
import { findSharedData } from '../../../support/shared-data.ts';
import { publishText } from '../../../support/tiny-world.ts';
import { createEventReader, type LoggedEvent } from './stored-schedule.ts';

const file = findSharedData('ssim/gna_sample.ssim');
const absent = file === undefined || realMasterDataDir === undefined;
if (absent) console.warn('the shared data set is absent: no real schedule is loaded again in this run');

const first = Date.UTC(2005, 5, 9);
const DAYS = 7;

/** Counts the departures of leg records within the expanded days, directly from their bytes. */
const departuresOf = (lines: readonly string[]): number => {
  const date = (bytes: string): number =>
    Date.parse(`${bytes.slice(0, 2)} ${bytes.slice(2, 5)} 20${bytes.slice(5)} UTC`);
  let count = 0;
  for (const line of lines)
    for (let at = date(line.slice(14, 21)); at <= date(line.slice(21, 28)); at += 86_400_000) {
      const weekday = new Date(at).getUTCDay() || 7;
      const isLaidOut = at >= first && at < first + DAYS * 86_400_000;
      if (isLaidOut && line.slice(28, 35).includes(String(weekday))) count += 1;
    }
  return count;
};

const flightOf = (line: string): string => line.slice(2, 9);
const withTerminal = (line: string): string => `${line.slice(0, 52)}9 ${line.slice(54)}`;

describe.skipIf(absent)('a real schedule of one carrier', () => {
  let fresh: FreshDatabase;
  let report: LoadReport;
  let since: () => Promise<readonly LoggedEvent[]>;
  const lines = file === undefined ? [] : readFileSync(file, 'latin1').split('\n');
  const legs = lines.filter((line) => line.startsWith('3'));
  // A flight with one leg has one instance for each departure, so that departures can be counted from the bytes.
  const direct = [...Map.groupBy(legs, flightOf)].filter(
    ([, all]) => all.every((leg) => leg.slice(11, 13) === '01') && departuresOf(all) > 0,
  );
  const retouched = new Set(direct.slice(0, 20).map(([flight]) => flight));
  const dropped = new Set(direct.slice(20, 30).map(([flight]) => flight));
  const edited = lines
    .filter((line) => !line.startsWith('3') || !dropped.has(flightOf(line)))
    .map((line) => (line.startsWith('3') && retouched.has(flightOf(line)) ? withTerminal(line) : line));
  const load = (of: readonly string[]) =>
    publishText(fresh.sql, of.join('\n'), {
      today: localDate('2026-11-21'),
      window: { from: localDate('2005-06-09'), days: DAYS },
    });
  const statesSince = async (): Promise<Record<string, number>> => {
    const states: Record<string, number> = {};
    for (const { event } of await since()) states[event.state] = (states[event.state] ?? 0) + 1;
    return states;
  };
  beforeAll(async () => {
    fresh = await readRealMasterData();
    since = createEventReader(fresh.sql);
    report = await load(lines);
  }, 240_000);
  afterAll(() => fresh.drop());

  test('is stored with all its departures, and every correction is reported', async () => {
    const [row] = await fresh.sql<{ direct: number; instances: number }[]>`
      select count(*) filter (where doc like '%"numberOfStops":0%')::int as direct, count(*)::int as instances
      from flight_instance`;
    expect(row).toEqual({ direct: departuresOf(legs), instances: 131 });
    expect([
      report.accepted['leg'],
      ...(['quarantined', 'corrected', 'notice'] as const).map((one) => countReasons(report, one)),
    ]).toEqual([
      514,
      {},
      { 'arrival-date-inferred': 74 },
      { 'carrier-unknown': 1, 'early-end': 1, 'legs-not-aligned': 22, 'outside-validity': 1, 'serial-gap': 1 },
    ]);
  });

  test('loaded again, has no events when unchanged, and one for each departure of a changed or deleted flight when edited', async () => {
    await load(lines);
    expect(await statesSince()).toEqual({});
    await load(edited);
    const changed = departuresOf(legs.filter((leg) => retouched.has(flightOf(leg))));
    const deleted = departuresOf(legs.filter((leg) => dropped.has(flightOf(leg))));
    expect(await statesSince()).toEqual({ UPDATED: changed, DELETED: deleted });
    await load(lines);
    expect(await statesSince()).toEqual({ UPDATED: changed, REINSTATED: deleted });
    console.log(
      `a real schedule of ${legs.length} legs edited: ${changed} flights changed and ${deleted} gone, and back`,
    );
  }, 240_000);
});
