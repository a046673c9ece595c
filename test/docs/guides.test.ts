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

/** The statuses that an example may have: that of the problem it shows, or success. */
const hasExpectedStatus = ({ example, statuses, printed }: ExampleRun): boolean => {
  const shown = example.shown;
  const wanted =
    typeof shown === 'object' && shown !== null && 'type' in shown && 'status' in shown ? shown.status : undefined;
  return (
    statuses.length > 0 &&
    printed !== '' &&
    statuses.every((status) => (wanted === undefined ? status < 400 : status === wanted))
  );
};

describe('the examples of the guides', () => {
  let database: FreshDatabase;
  let bases: BaseUrls;
  let accountId = '';
  const running: ChildProcess[] = [];

  const start = (...args: readonly string[]): ChildProcess => {
    // Yesterday, today, and tomorrow for a run that goes on over midnight.
    const child = startCommand(args, { DATABASE_URL: database.url, HORIZON_DAYS: '3' });
    running.push(child);
    return child;
  };

  const baseOf = async (child: ChildProcess): Promise<string> => {
    const [, base = ''] = await waitForOutput(child, listening);
    return base;
  };

  /** The demo world makes up for two days before it shows today's status: its events are followed until that is there. */
  const untilCaughtUp = async (service: string): Promise<void> => {
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
    const server = start('serve', '--demo', '--port', '0');
    const [account, service, mock] = await Promise.all([
      waitForOutput(server, /'accountId: (\S+)'/),
      baseOf(server),
      baseOf(start('mock', '--port', '0')),
    ]);
    bases = { service, mock };
    accountId = account[1] ?? '';
    await untilCaughtUp(service);
  }, 240_000);

  afterAll(async () => {
    for (const child of running.filter(({ exitCode }) => exitCode === null)) {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    }
    await database.drop();
  }, 300_000);

  test.each(guides.filter(({ examples }) => examples.length > 0))(
    'of $name run as they are, and answer what is shown',
    async (guide: Guide) => {
      const ran = await runExamples(guide, bases);
      expect(
        ran.filter((one) => !hasExpectedStatus(one)).map(({ example, statuses }) => [example.script, statuses]),
      ).toEqual([]);
      const strays = ran
        .filter(({ example }) => example.shown !== undefined)
        .flatMap(({ example, printed }) => findMismatches(example.shown, parsePrintedJson(printed)));
      expect(strays).toEqual([]);
    },
    120_000,
  );

  test('of client.md make one program, which searches, tells a problem by its kind, and takes events', async () => {
    const guide = guides.find(({ name }) => name === 'client.md');
    const folder = await mkdtemp(join(tmpdir(), 'guide-'));
    const client = new URL('../../src/client/index.ts', import.meta.url);
    const program = (guide?.blocks ?? [])
      .filter(({ language }) => language === 'ts')
      .map(({ content }) => content.replaceAll("'flightdata-client'", `'${client.href}'`));
    await writeFile(join(folder, 'program.ts'), program.join('\n'));
    const env = { FLIGHTDATA_URL: bases.service, FLIGHTDATA_ACCOUNT: accountId };
    const child = spawn(process.execPath, [join(folder, 'program.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    const [said = ''] = await waitForOutput(child, /^.*\n1 (FlightStatus|ScheduleInstance)\n2 /s);
    await rm(folder, { recursive: true });
    const lines = said.split('\n');
    const today = new Date().toISOString().slice(0, 10);
    expect(lines.filter((line) => line.endsWith(` ${today}`)).length).toBeGreaterThan(100);
    expect(lines.filter((line) => line.startsWith('404 '))).toEqual([
      expect.stringMatching(/^404 not-found No carrier/),
    ]);
  }, 300_000);
});

describe('the guides', () => {
  const idsOf = ({ text }: Guide): readonly string[] =>
    [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(/\s+/g, '-'),
    );

  test('are all in the order, once', () => {
    expect(guideOrder.toSorted()).toEqual(guides.map(({ name }) => name));
  });

  test.each(guides)('$name begins with its title, and has one', ({ text }) => {
    expect(text.startsWith('# ')).toBe(true);
    expect(text.replaceAll(/^```.*?^```$/gms, '').match(/^# /gm)).toHaveLength(1);
  });

  test('lead to guides and headings that there are', () => {
    const targets = new Map(guides.map((guide) => [guide.name, idsOf(guide)]));
    const lost = guides.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([\w-]+\.md|)(?:#([\w-]+))?\)/g)]
        .filter(([, file, id]) => {
          const ids = targets.get(file || name);
          return ids === undefined || (id !== undefined && !ids.includes(id));
        })
        .map(([link]) => `${name}: ${link}`),
    );
    expect(lost).toEqual([]);
  });

  test('link to nothing but guides, and addresses outside', () => {
    const others = guides.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([^)]*)\)/g)]
        .filter(([, target = '']) => !/^(?:[\w-]+\.md)?(?:#[\w-]+)?$/.test(target) && !target.startsWith('https://'))
        .map(([link]) => `${name}: ${link}`),
    );
    expect(others).toEqual([]);
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

  test('have a paragraph for every kind of problem, and for no other', () => {
    expect([...sections.keys()].toSorted()).toEqual(Object.keys(problemKinds).toSorted());
  });

  test.each(Object.entries(problemKinds))(
    'tell the status of %s, and what to do in one paragraph',
    (kind, { status }) => {
      const section = sections.get(kind) ?? '';
      expect(section.startsWith(`${status}. `)).toBe(true);
      expect(section).not.toContain('\n\n');
      expect(section.length).toBeGreaterThan(150);
    },
  );
});
