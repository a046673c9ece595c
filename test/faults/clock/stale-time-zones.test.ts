/* With the outdated time zone rules 2022e, the filed UTC variations of five countries do not match. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { LoadReport } from '#feeds/load-report.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { freshDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { reportFault } from '../support/report-fault.ts';

const script = fileURLToPath(new URL('./zones-loader-process.ts', import.meta.url));
const rules = new URL('./tz-2022e/zoneinfo64.res.gz', import.meta.url);

const { folder, write } = createTemporaryFolder();
write('zoneinfo64.res', gunzipSync(readFileSync(rules)));

/** Stations: time zone, UTC variation in June 2026, local arrival of an 8-hour flight that leaves London at 10:00 UTC, and outdated variation. */
const changedZones = [
  ['ALA', 'Asia/Almaty', '+0500', '2300', '+0600'],
  ['ASU', 'America/Asuncion', '-0300', '1500', '-0400'],
  ['CAI', 'Africa/Cairo', '+0300', '2100', '+0200'],
  ['GOH', 'America/Nuuk', '-0100', '1700', '-0200'],
  ['MEX', 'America/Mexico_City', '-0600', '1200', '-0500'],
] as const;
const stableZones = [
  ['JFK', 'America/New_York', '-0400', '1400'],
  ['CDG', 'Europe/Paris', '+0200', '2000'],
  ['SIN', 'Asia/Singapore', '+0800', '0200'],
  ['KTM', 'Asia/Kathmandu', '+0545', '2345'],
] as const;
const stations = [...changedZones, ...stableZones];

const nextDay = (station: string): string => (station === 'SIN' ? '01' : '00');
const text = buildFile(
  ...stations.map(([station, , variation, time], index) =>
    buildLeg({ 6: `0${200 + index}`, 55: station, 58: time, 62: time, 66: variation, 193: nextDay(station) }),
  ),
);

type ZonesReport = Pick<LoadReport, 'accepted' | 'entries'> & { readonly tz: string };

const loadWithZones = async (env: Readonly<Record<string, string>>): Promise<ZonesReport> => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const stationZones = JSON.stringify(stations.map(([station, zone]) => [station, zone]));
  const child = spawn(process.execPath, [script, url, stationZones], { env: { ...process.env, ...env } });
  child.stderr.pipe(process.stderr);
  child.stdin.end(text);
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  await once(child, 'close');
  return JSON.parse(output);
};

test('33: flags each record whose filed UTC variation differs from outdated time zone rules', async () => {
  const [now, stale] = [await loadWithZones({}), await loadWithZones({ ICU_TIMEZONE_FILES_DIR: folder })];
  const flagged = stale.entries.filter(({ reason }) => reason === 'variation-mismatch' || reason === 'variation-kept');
  const counts = { 'flagged by current rules': now.entries.length, 'flagged by 2022e': flagged.length };
  reportFault(33, { records: stations.length, ...counts });
  expect([stale.tz, Number.parseInt(now.tz, 10) >= 2025, now.accepted]).toEqual(['2022e', true, stale.accepted]);
  expect(now.entries).toEqual([]);
  expect(stale.entries).toEqual(flagged);
  expect(flagged).toEqual(
    changedZones.map(([station, , variation, , outdated], index) => ({
      severity: 'corrected',
      line: 3 + index,
      bytes: [48, 70],
      value: `LHR +0100, ${station} ${variation}`,
      reason: 'variation-mismatch',
      message: `A UTC variation differs from its time zone (${station} ${outdated}) on 30 days (2026-06-01 to 2026-06-30); local times were kept, and UTC times follow the time zone.`,
    })),
  );
});
