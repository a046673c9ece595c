import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toList, toJsonObject, type JsonObject } from '../../src/lib/openapi-document.ts';
import { problemKinds } from '../../src/http/response/problem.ts';
import { waitForOutput, startCommand } from '../cli/run-command.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { guideOrder, guides, type Guide } from './guide.ts';
import { runExamples, type BaseUrls, type ExampleRun } from './run-examples.ts';
import { findMismatches } from './example-mismatches.ts';

const listening = /listening on (http:\/\/127\.0\.0\.1:\d+)/;

const parsePrintedJson = (printed: string): unknown => JSON.parse(printed.slice(printed.indexOf('{')));

/** Whether all statuses of an example are that of the problem it shows, or success. */
const hasExpectedStatus = ({ example, statuses, printed }: ExampleRun): boolean => {
  const shown = example.shown;
  const expectedStatus =
    typeof shown === 'object' && shown !== null && 'type' in shown && 'status' in shown ? shown.status : undefined;
  return (
    statuses.length > 0 &&
    printed !== '' &&
    statuses.every((status) => (expectedStatus === undefined ? status < 400 : status === expectedStatus))
  );
};

describe('the examples of the guides', () => {
  let database: FreshDatabase;
  let baseUrls: BaseUrls;
  let accountId = '';
  const processes: ChildProcess[] = [];

  const startProcess = (...args: readonly string[]): ChildProcess => {
    // Yesterday, today, and tomorrow in case the run passes midnight.
    const child = startCommand(args, { DATABASE_URL: database.url, HORIZON_DAYS: '3' });
    processes.push(child);
    return child;
  };

  const waitForBaseUrl = async (child: ChildProcess): Promise<string> => {
    const [, base = ''] = await waitForOutput(child, listening);
    return base;
  };

  /** The demo world simulates two days before today's status appears; follows its events until then. */
  const waitUntilCaughtUp = async (service: string): Promise<void> => {
    const get = async (path: string): Promise<JsonObject> => {
      const response = await fetch(`${service}${path}`, { headers: { 'Subscription-Key': 'demo-key', accountId } });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return toJsonObject(JSON.parse(text));
    };
    const today = new Date().toISOString().slice(0, 10);
    const flights = `/flight-instances?version=v2&DepartureDateTime=${today}&DepartureAirport=LHR&Content=Status&Limit=1`;
    let position = '0';
    while (toList(toJsonObject(toList((await get(flights))['data'])[0])['statusDetails']).length === 0) {
      const page = await get(`/flight-info-alerts/events?version=v1&Limit=1000&Wait=30&After=${position}`);
      position = String(page['position']);
    }
  };

  beforeAll(async () => {
    database = await freshDatabase();
    const server = startProcess('serve', '--demo', '--port', '0');
    const [account, service, mock] = await Promise.all([
      waitForOutput(server, /'accountId: (\S+)'/),
      waitForBaseUrl(server),
      waitForBaseUrl(startProcess('mock', '--port', '0')),
    ]);
    baseUrls = { service, mock };
    accountId = account[1] ?? '';
    await waitUntilCaughtUp(service);
  }, 240_000);

  afterAll(async () => {
    for (const child of processes.filter(({ exitCode }) => exitCode === null)) {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    }
    await database.drop();
  }, 300_000);

  test.each(guides.filter(({ examples }) => examples.length > 0))(
    'of $name run unchanged and return what is shown',
    async (guide: Guide) => {
      const runs = await runExamples(guide, baseUrls);
      expect(
        runs.filter((one) => !hasExpectedStatus(one)).map(({ example, statuses }) => [example.script, statuses]),
      ).toEqual([]);
      const mismatches = runs
        .filter(({ example }) => example.shown !== undefined)
        .flatMap(({ example, printed }) => findMismatches(example.shown, parsePrintedJson(printed)));
      expect(mismatches).toEqual([]);
    },
    120_000,
  );

  test('of client.md form one program that searches, handles a problem by its type and receives events', async () => {
    const guide = guides.find(({ name }) => name === 'client.md');
    const folder = await mkdtemp(join(tmpdir(), 'guide-'));
    const client = new URL('../../src/client/index.ts', import.meta.url);
    const program = (guide?.blocks ?? [])
      .filter(({ language }) => language === 'ts')
      .map(({ content }) => content.replaceAll("'flightdata-client'", `'${client.href}'`));
    await writeFile(join(folder, 'program.ts'), program.join('\n'));
    const env = { FLIGHTDATA_URL: baseUrls.service, FLIGHTDATA_ACCOUNT: accountId };
    const child = spawn(process.execPath, [join(folder, 'program.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    processes.push(child);
    const [output = ''] = await waitForOutput(child, /^.*\n1 (FlightStatus|ScheduleInstance)\n2 /s);
    await rm(folder, { recursive: true });
    const lines = output.split('\n');
    const today = new Date().toISOString().slice(0, 10);
    expect(lines.filter((line) => line.endsWith(` ${today}`)).length).toBeGreaterThan(100);
    expect(lines.filter((line) => line.startsWith('404 '))).toEqual([
      expect.stringMatching(/^404 not-found No carrier/),
    ]);
  }, 300_000);
});

describe('the guides', () => {
  const listHeadingIds = ({ text }: Guide): readonly string[] =>
    [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(/\s+/g, '-'),
    );

  test('are all in order.txt, once', () => {
    expect(guideOrder.toSorted()).toEqual(guides.map(({ name }) => name));
  });

  test.each(guides)('$name starts with its only title', ({ text }) => {
    expect(text.startsWith('# ')).toBe(true);
    expect(text.replaceAll(/^```.*?^```$/gms, '').match(/^# /gm)).toHaveLength(1);
  });

  test('link to existing guides and headings', () => {
    const targets = new Map(guides.map((guide) => [guide.name, listHeadingIds(guide)]));
    const brokenLinks = guides.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([\w-]+\.md|)(?:#([\w-]+))?\)/g)]
        .filter(([, file, id]) => {
          const ids = targets.get(file || name);
          return ids === undefined || (id !== undefined && !ids.includes(id));
        })
        .map(([link]) => `${name}: ${link}`),
    );
    expect(brokenLinks).toEqual([]);
  });

  test('link only to guides and https URLs', () => {
    const otherLinks = guides.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([^)]*)\)/g)]
        .filter(([, target = '']) => !/^(?:[\w-]+\.md)?(?:#[\w-]+)?$/.test(target) && !target.startsWith('https://'))
        .map(([link]) => `${name}: ${link}`),
    );
    expect(otherLinks).toEqual([]);
  });

  const errors = guides.find(({ name }) => name === 'errors.md')?.text ?? '';
  const sections = new Map(
    errors
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const end = section.indexOf('\n');
        return [section.slice(0, end), section.slice(end).trim()] as const;
      }),
  );

  test('have a section for every problem type and no other', () => {
    expect([...sections.keys()].toSorted()).toEqual(Object.keys(problemKinds).toSorted());
  });

  test.each(Object.entries(problemKinds))(
    'document the status of %s and what to do in one paragraph',
    (kind, { status }) => {
      const section = sections.get(kind) ?? '';
      expect(section.startsWith(`${status}. `)).toBe(true);
      expect(section).not.toContain('\n\n');
      expect(section.length).toBeGreaterThan(150);
    },
  );
});
