import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { localDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { startCommand } from '#test/cli/run-command.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import {
  drawDocument,
  drawStatusLine,
  drawTelegram,
  type KeyedLine,
  type ReportedResult,
  reportedSchedule,
  ReportLedger,
} from '../support/reported-messages.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startFeedImport } from '../support/status-feed.ts';

const MESSAGES = Number(process.env['REPORTED_MESSAGES'] ?? 5000);
const KILLS = Number(process.env['REPORTED_KILLS'] ?? 4);
const SENDERS = 5;
const OPERATOR = 0;
const SHARE = Math.ceil(MESSAGES / SENDERS);
/** IDs that a sender draws from: each is used about three times. */
const IDS = Math.ceil(SHARE / 3);

const { sql: db, url } = await sharedDatabase();
await saveTinyMasterData(db);
await publishText(db, reportedSchedule, { today: localDate('2026-06-02'), horizonDays: 3 });
const { folder } = createTemporaryFolder();
const env = { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-06', HORIZON_DAYS: '1' };
const startServer = (): Promise<ServerProcess> => startServerProcess([], env);

const seed = randomInt(2 ** 31);
const ledger = new ReportLedger();
let server = await startServer();
let spare = startServer();
/** Resolves when the server that was killed is replaced. */
let serving: Promise<void> = Promise.resolve();
afterAll(async () => {
  await server.kill();
  await (await spare).kill();
});
/** The commands that run, by sender, and the number of requests, streams and files without a report. */
const commands = new Map<string, ChildProcess>();
let unreported = 0;

const results = ['stored', 'duplicate', 'quarantined', 'conflict', 'rejected'] as const;
const feedReport = z.object({
  results: z.array(z.object({ line: z.number(), messageId: z.string().optional(), result: z.enum(results) })),
});

/** Posts a body until there is a report. */
const post = async (key: string, path: string, { body, type }: { readonly body: string; readonly type: string }) => {
  for (;;) {
    const headers = { 'subscription-key': key, 'content-type': type };
    const response = await fetch(`${server.base}${path}`, { method: 'POST', headers, body }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response?.status === 200 && text !== undefined) return feedReport.parse(JSON.parse(text)).results;
    if (response && text !== undefined && response.status < 500 && response.status !== 429) throw new Error(text);
    if (text === undefined) unreported += 1;
    await delay(50);
    await serving;
  }
};

const toBody = (lines: readonly KeyedLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** Sends status messages over HTTP; with `mixed`, telegrams and AIDX documents too. */
const sendRequests = async (name: string, kind: 'status' | 'mixed'): Promise<void> => {
  const draw = createDraw(seed + name.length * 7919);
  const { key, subscriptionId } = await createKey(db, { name, products: ['status-feed'] });
  for (let sent = 0; sent < SHARE;) {
    const format = kind === 'mixed' ? draw(3) : 0;
    if (format === 0) {
      const lines = Array.from({ length: 1 + draw(60) }, () => drawStatusLine(draw, IDS));
      const reported = await post(key, '/status-messages', { body: toBody(lines), type: 'application/x-ndjson' });
      expect(reported).toHaveLength(lines.length);
      for (const { line, result } of reported) ledger.record(subscriptionId, lines[line - 1]?.key, result);
      sent += reported.length;
      continue;
    }
    const source = format === 1 ? 'mvt' : 'aidx';
    const telegrams = Array.from({ length: 1 + draw(30) }, () => drawTelegram(draw));
    const reported =
      source === 'mvt'
        ? await post(key, '/movement-telegrams', { body: telegrams.join(''), type: 'text/plain' })
        : await post(key, '/aidx', { body: drawDocument(draw), type: 'application/xml' });
    for (const { messageId, result } of reported) ledger.record(subscriptionId, `${source}|${messageId}`, result);
    sent += reported.length;
  }
};

/** Returns what a remark says of its line, if it says what became of the message. */
const toResult = ({ key }: KeyedLine, reason: string | undefined): ReportedResult => {
  if (reason === undefined) return 'stored';
  if (reason === 'message-id-reused') return 'conflict';
  return key === undefined ? 'rejected' : 'quarantined';
};

/** Writes status messages to the standard input of a command, and what it did not acknowledge to the next one. */
const sendStream = async (): Promise<void> => {
  const draw = createDraw(seed + 1);
  let lines: readonly KeyedLine[] = Array.from({ length: SHARE }, () => drawStatusLine(draw, IDS));
  while (lines.length > 0) {
    const current = lines;
    const reasons = new Map<number, string>();
    let done = 0;
    const { child, stdin, closed } = startFeedImport('status', env, {
      onRemark: ({ severity, line, reason }) => {
        if (severity === 'quarantined') reasons.set(line, reason);
      },
      onAcknowledged: ({ line, stored, duplicates, conflicts = 0, quarantined, rejected }) => {
        const acknowledged = current.slice(done, line);
        acknowledged.forEach((one, index) =>
          ledger.record(OPERATOR, one.key, toResult(one, reasons.get(done + index + 1))),
        );
        expect(stored + duplicates + conflicts + quarantined + rejected).toBe(acknowledged.length);
        done = line;
      },
    });
    commands.set('stream', child);
    for (let from = 0; from < current.length && stdin.writable; from += 100) {
      stdin.write(toBody(current.slice(from, from + 100)));
      while (done < from - 300 && child.exitCode === null && child.signalCode === null) await delay(5);
    }
    stdin.end();
    await closed;
    if (child.signalCode === null) expect([child.exitCode, done]).toEqual([3, current.length]);
    else unreported += 1;
    lines = current.slice(done);
  }
  commands.delete('stream');
};

const fileReport = z.object({
  accepted: z.record(z.string(), z.number()),
  entries: z.array(z.object({ severity: z.string(), line: z.number().optional(), reason: z.string() })),
});

const readOutput = async (child: ChildProcess): Promise<string> => {
  let output = '';
  child.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr?.resume();
  await once(child, 'close');
  return output;
};

/** Imports files of status messages, each until there is a report. */
const sendFiles = async (): Promise<void> => {
  const draw = createDraw(seed + 2);
  for (let sent = 0; sent < SHARE;) {
    const lines = Array.from({ length: 300 + draw(700) }, () => drawStatusLine(draw, IDS));
    const file = join(folder, 'feed.ndjson');
    await writeFile(file, toBody(lines));
    for (;;) {
      const child = startCommand(['import', 'status', file, '--json'], env);
      commands.set('file', child);
      const output = await readOutput(child);
      if (child.signalCode === null) {
        expect(child.exitCode).toBe(3);
        const { accepted, entries } = fileReport.parse(JSON.parse(output));
        const reasons = new Map(
          entries.flatMap(({ severity, line = 0, reason }) => (severity === 'quarantined' ? [[line, reason]] : [])),
        );
        lines.forEach((one, index) => ledger.record(OPERATOR, one.key, toResult(one, reasons.get(index + 1))));
        expect((accepted['messages'] ?? 0) + (accepted['duplicate messages'] ?? 0) + reasons.size).toBe(lines.length);
        break;
      }
      unreported += 1;
    }
    sent += lines.length;
  }
  commands.delete('file');
};

/** Kills the server that receives requests, or a command; another server takes its place. */
const kill = async (target: string): Promise<void> => {
  const command = commands.get(target);
  if (command) {
    command.kill('SIGKILL');
    return;
  }
  serving = (async () => {
    await server.kill();
    server = await spare;
    spare = startServer();
  })();
  await serving;
};

test(
  'what reports say of messages is in the database, for every sender, and whenever a process is killed',
  async () => {
    const draw = createDraw(seed);
    let [kills, lost] = [0, 0];
    let isOver = false;
    const sending = Promise.all([
      sendRequests('a', 'status'),
      sendRequests('an airline', 'status'),
      sendRequests('an airport operator', 'mixed'),
      sendStream(),
      sendFiles(),
    ]).finally(() => (isOver = true));
    for (; kills < KILLS && !isOver; kills += 1) {
      const due = ((kills + 1) * MESSAGES) / (KILLS + 1);
      while (ledger.size < due && !isOver) await delay(20);
      await delay(draw(200));
      await kill(['server', 'server', 'server', 'stream', 'file'][draw(5)] ?? 'server');
      lost += (await ledger.compare(db)).lost.length;
    }
    await sending;
    const final = await ledger.compare(db);
    const wrong = { lost: lost + final.lost.length, extra: final.extra.length, unreported: final.unreported.length };
    const counts = Object.fromEntries(ledger.results);
    reportFault(
      2,
      { seed, messages: ledger.size, senders: SENDERS, kills, 'without a report': unreported, ...counts, ...wrong },
      'reports',
    );
    expect([final, lost]).toEqual([{ lost: [], extra: [], unreported: [] }, 0]);
    expect(kills).toBe(KILLS);
    expect(Object.keys(counts).toSorted()).toEqual([...results].toSorted());
  },
  300_000 + MESSAGES * 30 + KILLS * 60_000,
);
