import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccessLog, openLogOutput } from '#http/observability/access-log.ts';

/** Writes a line, reports it, and exits on a message. */
const program = `
  import { openLogOutput } from './src/server/http/observability/access-log.ts';
  const output = openLogOutput();
  process.on('message', () => {
    output.write('{"last":"line"}\\n');
    process.exit(7);
  });
  process.send('ready');
`;

const start = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
};

test('writes the rest of the log when the process exits', async () => {
  const child = await start();
  let output = '';
  child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  child.send('end');
  expect(await once(child, 'close')).toEqual([7, null]);
  expect(output).toBe('{"last":"line"}\n');
});

test('rounds durations to microseconds, and masks every parameter whose name suggests a secret', () => {
  const lines: string[] = [];
  const log = createAccessLog({ write: (line) => void lines.push(line) });
  const none = {
    product: undefined,
    version: undefined,
    subscriptionId: undefined,
    keyHint: undefined,
    problem: undefined,
  };
  const entry = { ...none, requestId: 'id', method: 'GET', path: '/', query: '', route: '/', status: 200, bytes: 2 };
  log.request({ ...entry, at: new Date(0), durationMs: 12.345_678 });
  const secret = 'key Subscription-Key api%5Fkey %6Bey access_token PASSWORD authorization X-Signature'.split(' ');
  const query = secret.map((name) => `${name}=5ec2e7`).join('&');
  log.request({ ...entry, at: new Date(0), durationMs: 1, query: `Limit=5&${query}&Limit=%6` });
  const masked = secret.map((name) => `${name}=***`).join('&');
  const expected = [{ durationMs: 12.346 }, { query: `Limit=5&${masked}&Limit=%6` }];
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject(expected);
});

test('masks a key in the message of an error, and keeps the request ID', () => {
  const lines: string[] = [];
  const log = createAccessLog({ write: (line) => void lines.push(line) });
  const [key, requestId] = ['0123456789abcdef0123456789abcdef', '0af7651916cd43dd8448eb211c80319c'];
  log.failure(Object.assign(new Error(`no "${key}"`), { detail: `Key (x)=(${key})` }), new Date(0), requestId);
  const { err, ...line } = JSON.parse(lines.join(''));
  expect(line).toEqual({ level: 'error', time: '1970-01-01T00:00:00.000Z', requestId, msg: 'no "***"' });
  expect(err).toMatchObject({ message: 'no "***"', detail: 'Key (x)=(***)' });
  expect(lines.join('')).not.toContain(key);
});

test('exits when no process reads its log any more', { timeout: 20_000 }, async () => {
  const child = await start();
  child.stdout?.destroy();
  await once(child.stdout ?? child, 'close');
  child.send('end');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  expect(await once(child, 'exit')).toEqual([7, null]);
  clearTimeout(late);
});

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

test('collects lines, and at the exit retries while the output is busy and gives up when it is closed', () => {
  const results: (string | Error)[] = [];
  const outcomes = [errorOf('EAGAIN'), undefined, errorOf('EPIPE')];
  const writeSync = vi.spyOn(fs, 'writeSync').mockImplementation((_fd, data) => {
    const outcome = outcomes.shift();
    results.push(outcome ?? data);
    if (outcome) throw outcome;
    return Buffer.byteLength(data);
  });
  onTestFinished(() => writeSync.mockRestore());
  const output: { write: (line: string) => void; flushSync: () => void } = Object(openLogOutput());
  output.write('one\n');
  output.write('two\n');
  expect(results).toEqual([]);
  output.flushSync();
  output.write('three\n');
  output.flushSync();
  expect(results).toEqual([errorOf('EAGAIN'), 'one\ntwo\n', errorOf('EPIPE')]);
});

test('keeps a limited part of what cannot be written, and writes it when there is space', async () => {
  let hasSpace = false;
  const written: string[] = [];
  const write = vi.spyOn(fs, 'write').mockImplementation((_fd: number, data: Buffer | string, ...rest: unknown[]) => {
    const done = rest.at(-1) as (error: Error | null, bytes: number) => void;
    const [error, bytes] = hasSpace ? [null, Buffer.byteLength(data)] : [errorOf('ENOSPC'), 0];
    if (hasSpace) written.push(data.toString());
    setImmediate(() => done(error, bytes));
  });
  const reports: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => reports.push(String(text)) > 0);
  onTestFinished(() => {
    write.mockRestore();
    stderr.mockRestore();
  });
  const output: { write: (line: string) => void; flush: (done: () => void) => void } = Object(openLogOutput());
  const flush = () => new Promise<void>((resolve) => output.flush(resolve));
  output.write('first\n');
  await flush();
  const megabyte = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let sent = 0; sent < 20; sent += 1) output.write(megabyte);
  await flush();
  hasSpace = true;
  await flush();
  expect(written.map(({ length }) => length)).toEqual(['first\n'.length, ...Array(15).fill(megabyte.length)]);
  expect(reports).toEqual([
    'flightdata: the log cannot be written: ENOSPC; requests are served without it\n',
    'flightdata: the log is written again; 5 lines are lost\n',
  ]);
});
