import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { z } from 'zod';
import { findSharedData } from '../shared-data.ts';
import { readRealPublishedFiles } from './published-files.ts';
import type { ReplayAnswer } from './replay-server.ts';

// Serves captures of live feeds as if they were of today, and the published files of open data: node test/support/sources/replay-captures.ts [PORT],
// and then SOURCES_MIRROR=http://127.0.0.1:PORT make world LIVE='avinor:OSL hkia'.

const DAY_MS = 86_400_000;
const AVINOR = 'avinor/OSL-departures-2026-01-07T0924Z.xml';
const AVINOR_TAKEN = '2026-01-07T09:24:00Z';
const HKIA = 'hkia/2025-12-25.json';
/** Until this long after an event, a row still has the status before it. */
const GATE_BEFORE_MS = 40 * 60_000;

const hkiaRow = z.looseObject({
  time: z.string(),
  status: z.string(),
  origin_dest: z.array(z.string()),
  gate_baggage: z.string(),
  isArrival: z.boolean(),
  isCargo: z.boolean(),
  terminal: z.string(),
  flight: z.array(z.unknown()),
  _raw: z.record(z.string(), z.unknown()),
});
type HkiaRow = z.infer<typeof hkiaRow>;

const readCapture = (file: string): Buffer => {
  const path = findSharedData(`live-feeds/${file}`);
  if (path === undefined) throw new Error(`the shared data has no live-feeds/${file}`);
  return readFileSync(path);
};

const toHkiaInstant = (date: string, time: string): number => Date.parse(`${date}T${time}:00+08:00`);

/** The row as it is before its last event: without status, and without a belt. */
const toRowOf = (row: HkiaRow, date: string, now: number): object => {
  const [, words = '', time, suffix] = /^(\D*?) ?(\d\d:\d\d)?(?: \((\d\d\/\d\d\/\d{4})\))?$/.exec(row.status) ?? [];
  const shift = suffix === undefined ? 0 : Math.sign(Number(suffix.slice(0, 2)) - 25);
  const day = new Date(Date.parse(date) + shift * DAY_MS).toISOString().slice(0, 10);
  const at = time === undefined ? toHkiaInstant(date, row.time) - 2 * GATE_BEFORE_MS : toHkiaInstant(day, time);
  const isLate = now < at;
  const [year, month, dayOfMonth] = day.split('-');
  const ended =
    time === undefined ? words : `${words} ${time}${shift === 0 ? '' : ` (${dayOfMonth}/${month}/${year})`}`;
  const isBoarding = isLate && !row.isArrival && !row.isCargo && at - now < GATE_BEFORE_MS;
  const ends = row.isArrival
    ? { origin: row.origin_dest, baggage: isLate ? '' : row.gate_baggage }
    : { destination: row.origin_dest, gate: row.gate_baggage };
  return {
    time: row.time,
    flight: row.flight,
    status: isLate ? (isBoarding ? 'Boarding' : '') : ended,
    statusCode: null,
    terminal: row.terminal,
    ...row._raw,
    ...ends,
  };
};

const respondHkia = (rows: readonly HkiaRow[], parameters: URLSearchParams, now: number): ReplayAnswer => {
  const date = parameters.get('date') ?? '';
  const [arrival, cargo] = ['arrival', 'cargo'].map((name) => parameters.get(name) === 'true');
  const list = rows
    .filter((row) => row.isArrival === arrival && row.isCargo === cargo)
    .map((row) => toRowOf(row, date, now));
  return { body: JSON.stringify([{ date, arrival, cargo, list }]) };
};

const respondAvinor = (
  text: string,
  { airport, now, shiftMs }: { readonly airport: string; readonly now: number; readonly shiftMs: number },
): ReplayAnswer => {
  const lastUpdate = `lastUpdate="${new Date(now).toISOString()}"`;
  const empty = `<?xml version="1.0"?><airport name="${airport}"><flights ${lastUpdate}></flights></airport>`;
  if (airport !== 'OSL') return { body: empty };
  const shifted = text
    .replace(/lastUpdate="[^"]*"/, lastUpdate)
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (at) =>
      new Date(Date.parse(at) + shiftMs).toISOString().replace('.000', ''),
    )
    .replaceAll(/<status code="D" time="([^"]*)"\s*\/>/g, (all: string, at: string) =>
      Date.parse(at) > now ? '' : all,
    );
  return { body: shifted };
};

/** Returns how much later a day is than that of the capture, so that times of day stay. */
const countDaysAfterCapture = (now: number): number =>
  Math.floor(now / DAY_MS) - Math.floor(Date.parse(AVINOR_TAKEN) / DAY_MS);

/**
 * Creates the responses of the sources as of a time: captures with the dates of today. Throws without the shared data. With `isAnyHour`, the rows of
 * Avinor, which are those of seven hours, are around the hour of the start.
 */
export const createCaptureReplay = (
  clock: () => Date,
  { isAnyHour = false }: { readonly isAnyHour?: boolean } = {},
): ((url: URL) => ReplayAnswer) => {
  const startedAt = Math.floor(clock().getTime() / 300_000) * 300_000;
  const rows = z.object({ flights: z.array(hkiaRow) }).parse(JSON.parse(readCapture(HKIA).toString())).flights;
  const avinor = readCapture(AVINOR).toString();
  return ({ pathname, searchParams }) => {
    const now = clock().getTime();
    const shiftMs = isAnyHour ? startedAt - Date.parse(AVINOR_TAKEN) : countDaysAfterCapture(now) * DAY_MS;
    const airport = searchParams.get('airport') ?? '';
    if (pathname.includes('asrv.avinor.no')) return respondAvinor(avinor, { airport, now, shiftMs });
    if (pathname.includes('hongkongairport')) return respondHkia(rows, searchParams, now);
    return { status: 404 };
  };
};

if (import.meta.main) {
  const respond = createCaptureReplay(() => new Date(), { isAnyHour: true });
  const files = readRealPublishedFiles();
  const port = Number(process.argv[2] ?? 9100);
  createServer((request, response) => {
    const file = files?.get(request.url ?? '');
    const { status = 200, body = '' } = file ? { body: file } : respond(new URL(request.url ?? '', 'http://replay'));
    process.stdout.write(`${new Date().toISOString()} ${status} ${request.url}\n`);
    response.writeHead(status).end(body);
  }).listen(port, '127.0.0.1', () => process.stdout.write(`SOURCES_MIRROR=http://127.0.0.1:${port}\n`));
}
