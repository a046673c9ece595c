import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { root } from '../../../../../src/contract/run-tool.ts';
import { openHttpServer } from '../../../../../src/http/server/server.ts';
import { TEST_KEY } from '../../../../support/tiny-world.ts';
import { insertTestEvents } from './account-events.ts';
import { serveAlerts } from '../alerts-service.ts';

const page = readFileSync(join(root, 'docs/guides/events-pull.md'), 'utf8');

test('the reader in the guide prints events as they come', async () => {
  const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
  const world = await serveAlerts({ eventLimits: { maxWaitMs: 5000 } });
  const server = openHttpServer({ fetch: world.app, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  const account = await world.createAccount();
  const body = { documentType: 'FlightStatus', state: 'OutGate', flightNumber: '101' };
  const insertEvents = (): Promise<unknown> =>
    insertTestEvents(world.db, account, { events: [{ body }], now: new Date('2026-06-01T11:59:00Z') });
  const env = { ...process.env, BASE: `http://127.0.0.1:${port}`, KEY: TEST_KEY, ACCOUNT: account };
  // Starting at the end, it would not print events inserted before its request.
  const reader = spawn(process.execPath, ['--input-type=module', '-e', code.replace("'end'", "'0'")], { env });
  const lines: string[] = [];
  await insertEvents();
  for await (const line of createInterface({ input: reader.stdout })) {
    lines.push(line);
    if (lines.length === 3) break;
    await insertEvents();
  }
  reader.kill();
  await server.close(0);
  await world.drop();
  expect(lines).toEqual(['1 FlightStatus OutGate 101', '2 FlightStatus OutGate 101', '3 FlightStatus OutGate 101']);
});
