import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { countReasons } from '#feeds/load-report.ts';
import { readRealMasterData, realMasterDataDir } from '#test/support/real-master-data.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { publishText } from '#test/support/tiny-world.ts';

const file = findSharedData('ssim/gna_sample.ssim');
const absent = file === undefined || realMasterDataDir === undefined;
if (absent) console.warn('the shared data set is absent: no real schedule is loaded in this run');

const first = Date.UTC(2005, 5, 9);
const DAYS = 7;

/** Counts the departures of leg records within the expanded days, directly from their bytes. */
const departuresOf = (lines: readonly string[]): number => {
  const date = (bytes: string) => Date.parse(`${bytes.slice(0, 2)} ${bytes.slice(2, 5)} 20${bytes.slice(5)} UTC`);
  let count = 0;
  for (const line of lines)
    for (let at = date(line.slice(14, 21)); at <= date(line.slice(21, 28)); at += 86_400_000) {
      const weekday = new Date(at).getUTCDay() || 7;
      const isExpanded = at >= first && at < first + DAYS * 86_400_000;
      if (isExpanded && line.slice(28, 35).includes(String(weekday))) count += 1;
    }
  return count;
};

test.skipIf(absent)(
  'a real schedule is stored with all its departures, and every correction is reported',
  async () => {
    const lines = readFileSync(file ?? '', 'latin1').split('\n');
    const legs = lines.filter((line) => line.startsWith('3'));
    const { sql, drop } = await readRealMasterData();
    try {
      const window = { from: localDate('2005-06-09'), days: DAYS };
      const report = await publishText(sql, lines.join('\n'), { today: localDate('2026-11-21'), window });
      const [row] = await sql<{ direct: number; instances: number }[]>`
      select count(*) filter (where doc like '%"numberOfStops":0%')::int as direct, count(*)::int as instances
      from flight_instance`;
      expect(row).toEqual({ direct: departuresOf(legs), instances: 131 });
      const remarks = (['quarantined', 'corrected', 'notice'] as const).map((one) => countReasons(report, one));
      expect([report.accepted['leg'], ...remarks]).toEqual([
        514,
        {},
        { 'arrival-date-inferred': 74 },
        { 'carrier-unknown': 1, 'early-end': 1, 'legs-not-aligned': 22, 'outside-validity': 1, 'serial-gap': 1 },
      ]);
    } finally {
      await drop();
    }
  },
  240_000,
);
