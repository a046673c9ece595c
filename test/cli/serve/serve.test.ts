import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionPage } from '../../../generated/connections/v1/types.gen.ts';
import type { EventPage } from '../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { FlightInstancePage } from '../../../generated/flight-info/v2/types.gen.ts';
import type { LocationPage } from '../../../generated/master-data/v1/types.gen.ts';
import type { SchedulePage } from '../../../generated/schedules/v1/types.gen.ts';
import { addDays, toUtcDate, formatDate } from '../../../src/domain/time/dates.ts';
import {
  buildConnectionsExample,
  masterDataExample,
  schedulesExample,
  buildFlightInfoExamples,
} from '../../../src/jobs/demo/world/example-queries.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { runCommand, waitForOutput, startCommand } from '../run-command.ts';
import { createScratchFolder } from '../../support/scratch-folder.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await createScratchFolder();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const listening = /listening on (http:\/\/127\.0\.0\.1:\d+)/;
const demoKey = { 'Subscription-Key': 'demo-key' };

test(
  'an empty folder becomes a demo world that serves requests, accepts loads while serving, and survives a restart',
  { timeout: 600_000 },
  async () => {
    const env = { DATA_DIR: dataDir, PORT: '0', HORIZON_DAYS: '20' };
    const server = startCommand(['serve', '--demo'], env);
    const accountLine = waitForOutput(server, /'accountId: (\S+)'.*flight-info-alerts/);
    const [, base = ''] = await waitForOutput(server, listening);
    const get = async (query: string): Promise<FlightInstancePage> => {
      const page: FlightInstancePage = await (
        await fetch(`${base}/flight-instances?${query}`, { headers: demoKey })
      ).json();
      return page;
    };

    expect(await (await fetch(`${base}/flights/health`)).json()).toEqual({ flightInfo: 'healthy' });
    expect(await (await fetch(`${base}/flight-connections/health`)).json()).toEqual({ connections: 'healthy' });
    expect((await fetch(`${base}/flight-instances?DepartureDateTime=2026-01-01`)).status).toBe(401);
    const today = toUtcDate(new Date());
    const examples = await Promise.all(
      buildFlightInfoExamples(today).map(async ({ description, query }) => [
        description,
        (await get(query)).data.length > 0,
      ]),
    );
    expect(examples.filter(([, hasData]) => !hasData)).toEqual([]);
    const plans = await fetch(`${base}/flights?${schedulesExample.query}`, { headers: demoKey });
    const { data }: SchedulePage = await plans.json();
    expect(new Set(data.map(({ flightNumber }) => flightNumber))).toEqual(new Set([101]));
    const connectionsResponse = await fetch(`${base}/flight-connections?${buildConnectionsExample(today).query}`, {
      headers: demoKey,
    });
    const { data: connections }: ConnectionPage = await connectionsResponse.json();
    expect(connections.length).toBeGreaterThan(5);
    const locationsResponse = await fetch(`${base}/locations?${masterDataExample.query}`, { headers: demoKey });
    const { data: locations }: LocationPage = await locationsResponse.json();
    expect(locations.map(({ code }) => code.iata)).toEqual(expect.arrayContaining(['LON', 'LHR', 'LGW']));

    // The printed example streams the events of the demo account; this test reads them as a page.
    const [, accountId = ''] = await accountLine;
    const readPositions = async (): Promise<readonly number[]> => {
      const response = await fetch(`${base}/flight-info-alerts/events?version=v1&After=0&Wait=30`, {
        headers: { ...demoKey, accountId },
      });
      const { data: events }: EventPage = await response.json();
      expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
      return events.map(({ position }) => position);
    };
    await expect.poll(readPositions, { timeout: 300_000, interval: 100 }).toContain(1);

    // The demo world catches up on observations of the last two days and then continues.
    const readKinds = async (): Promise<ReadonlySet<string>> => {
      const days = `${formatDate(addDays(today, -1))}/${formatDate(today)}`;
      const kinds = new Set<string>();
      let url: string | undefined = `${base}/flight-instances?DepartureDateTime=${days}&Content=Status,Map&Limit=1000`;
      while (url !== undefined) {
        const page: FlightInstancePage = await (await fetch(url, { headers: demoKey })).json();
        for (const { flightType, map, originalFlight, statusDetails = [] } of page.data)
          for (const { state, diversionAirport, irregularOperationType } of statusDetails) {
            kinds.add(`${flightType} ${state}`);
            if (diversionAirport) kinds.add('diverted');
            if (originalFlight !== undefined && irregularOperationType === 'Recovery') kinds.add('recovery');
            if (map !== undefined) kinds.add('map');
          }
        url = page.paging.next;
      }
      return kinds;
    };
    const expectedKinds = [
      'Scheduled inAir',
      'Scheduled InGate',
      'Scheduled Canceled',
      'GA inAir',
      'diverted',
      'recovery',
      'map',
    ];
    await expect
      .poll(
        async () =>
          expectedKinds.filter(
            (
              (current) => (kind) =>
                !current.has(kind)
            )(await readKinds()),
          ),
        { timeout: 300_000, interval: 2000 },
      )
      .toEqual([]);

    // All observations match flights.
    const { out: findings } = await runCommand(['doctor', '--json'], env);
    expect(findings).toContain('newest observation');
    expect(findings).not.toContain('fit no flight');

    // Another process loads into the store of the running server.
    const file = join(dataDir, 'one.ssim');
    await writeFile(file, buildFile(buildLeg({ 29: '1234567' })));
    const loaded = await runCommand(['import', 'ssim', file, '--from', '2026-06-01', '--days', '1'], env);
    expect([loaded.code, loaded.err]).toEqual([0, expect.stringContaining('This store holds the demo world')]);
    await expect
      .poll(() => get('DepartureDateTime=2026-06-01&CarrierCode=XX').then(({ paging }) => paging.totalCount))
      .toBe(1);

    const second = await runCommand(['serve'], env);
    expect(second.code).toBe(1);
    expect(second.err).toContain(dataDir);

    server.kill('SIGTERM');
    expect(await once(server, 'close')).toEqual([0, null]);

    const again = startCommand(['serve', '--demo'], env);
    const [, newBase = ''] = await waitForOutput(again, listening);
    const response = await fetch(`${newBase}/flight-instances?DepartureDateTime=${formatDate(today)}&Limit=1`, {
      headers: demoKey,
    });
    expect(response.status).toBe(200);
    again.kill('SIGINT');
    expect(await once(again, 'close')).toEqual([0, null]);
  },
);
