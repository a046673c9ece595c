import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { assessDeployment } from '#cli/shared/deployment-findings.ts';
import { readConfig } from '#config.ts';
import { listEndpointSummaries } from '#store/deliveries/endpoints.ts';
import { addAccountEvents, insertEndpoint } from '../jobs/deliveries/delivery-fixture.ts';
import { insertSampleAccount, insertSampleAlert, type SampleAccount } from '../store/alerts/sample-accounts.ts';
import { sharedDatabase } from '../support/database.ts';
import { callCommand } from './call-command.ts';
import type { CommandResult } from './run-command.ts';

const { sql, url } = await sharedDatabase();
const call = (...args: readonly string[]): Promise<CommandResult> => callCommand(args, { DATABASE_URL: url });
const success = (out: string): CommandResult => ({ code: 0, out, err: '' });
const failure = (err: string): CommandResult => ({ code: 1, out: '', err });

const countRows = async ({ id, stream }: SampleAccount): Promise<unknown> => {
  const [row] = await sql`
    select (select count(*) from alert_account where id = ${id})::int as accounts,
      (select count(*) from alert where account_id = ${id})::int as alerts,
      (select count(*) from push_endpoint where account_id = ${id})::int as endpoints,
      (select count(*) from account_event where stream = ${stream})::int as events,
      (select count(*) from account_stream where stream = ${stream})::int as streams`;
  return row;
};

test('accounts are listed, shown and deleted with all their data', async () => {
  expect(await call('accounts', 'list')).toEqual(success('No accounts.\n'));
  const [ada, bob] = [await insertSampleAccount(sql, 'acme'), await insertSampleAccount(sql, 'zulu')];
  for (const account of [ada, bob]) {
    await insertSampleAlert(sql, account);
    await insertEndpoint(sql, { account, url: 'https://receiver.example.com/events' });
  }
  await addAccountEvents(sql, [ada, bob], { flights: [1, 2] });
  const row = ({ id }: SampleAccount, name: string): string => `${id}\t${name}\t2027-03-01T12:00:00.123Z\t1\t1\n`;
  const header = 'id\tname\tcreated\talerts\tendpoints\n';
  expect(await call('accounts', 'list')).toEqual(success(header + row(ada, 'acme') + row(bob, 'zulu')));
  expect(await call('accounts', 'list', '--name', 'zulu')).toEqual(success(header + row(bob, 'zulu')));
  expect((await call('accounts', 'show', ada.id)).out.replaceAll(/ +/g, ' ').split('\n')).toEqual([
    `id ${ada.id}`,
    'name acme',
    'alerts 1',
    'endpoints 1',
    'events 2',
    'created 2027-03-01T12:00:00.123Z',
    'firstName Ada',
    'lastName Field',
    'email ada@example.test',
    'country GB',
    'companyName Example',
    'secondaryEmail -',
    'content -',
    '',
  ]);
  expect(await call('accounts', 'delete', ada.id)).toEqual(
    success(
      `Account ${ada.id} deleted with its profile, alerts, endpoints and events. Delivered events cannot be ` +
        'recalled; backups contain the data until they expire.\n',
    ),
  );
  expect(await countRows(ada)).toEqual({ accounts: 0, alerts: 0, endpoints: 0, events: 0, streams: 0 });
  expect(await countRows(bob)).toEqual({ accounts: 1, alerts: 1, endpoints: 1, events: 2, streams: 1 });
  for (const command of ['show', 'delete'])
    expect(await call('accounts', command, ada.id)).toEqual(
      failure(`No account with ID ${ada.id}. List accounts with: flightdata accounts list\n`),
    );
});

test('the profile of a subscriber cannot control the terminal of the operator, nor add a line', async () => {
  const account = await insertSampleAccount(sql, 'hostile');
  const profile = {
    firstName: '\u001b[2J\u009b31m',
    lastName: 'Field\nalerts          0',
    companyName: 'moc.\u202eelpmaxe\u2066\u200b\u{e0041}',
  };
  await sql`update alert_account set profile = ${JSON.stringify(profile)} where id = ${account.id}`;
  const { out } = await call('accounts', 'show', account.id);
  expect(out.split('\n').filter((line) => /^(?:firstName|lastName|companyName|alerts) /.test(line))).toEqual([
    'alerts          0',
    String.raw`firstName       \x1b[2J\x9b31m`,
    String.raw`lastName        Field\x0aalerts          0`,
    String.raw`companyName     moc.\u202eelpmaxe\u2066\u200b\udb40\udc41`,
  ]);
  await call('accounts', 'delete', account.id);
});

test('endpoints are listed, paused, resumed and deleted', async () => {
  const account = await insertSampleAccount(sql, 'pusher');
  const id = await insertEndpoint(sql, { account, url: 'https://receiver.example.com/events' });
  await addAccountEvents(sql, [account], { flights: [1, 2, 3] });
  const listed = async (): Promise<string> => (await call('endpoints', 'list', '--account', account.id)).out;
  const row = (state: string): string =>
    `id\tname\taccount\tstate\tpending\turl\n${id}\tpusher\t${account.id}\t${state}\t3\thttps://receiver.example.com/events\n`;
  expect(await listed()).toBe(row('active'));
  const config = readConfig({ WEBHOOK_PORTS: '8443', TRUSTED_PROXIES: '10.0.0.1' });
  expect(await assessDeployment(config, sql)).toEqual([
    {
      name: 'public-url',
      level: 'warning',
      text:
        'TRUSTED_PROXIES is set, and PUBLIC_URL is not: links repeat the Host header of each request; ' +
        'set PUBLIC_URL to the address that clients use',
    },
    {
      name: 'webhooks',
      level: 'warning',
      text: expect.stringMatching(new RegExp(`no delivery to \\d active endpoints: .*${id}`)),
    },
    {
      name: 'time zones',
      level: 'ok',
      text: expect.stringMatching(/^release 20\d\d[a-z] of the time zone database$/),
    },
  ]);
  expect(await call('endpoints', 'pause', id)).toEqual(success(`Endpoint ${id} paused.\n`));
  expect(await listed()).toBe(row('paused'));
  await sql`update push_endpoint set active = true, disabled_for = 'gone', disabled_at = now() where id = ${id}`;
  await sql`update push_progress set failures = 9, failing_since = now(), rests = 2, rests_until = now() where endpoint_id = ${id}`;
  expect(await listed()).toBe(row('disabled (gone)'));
  expect(await call('endpoints', 'resume', id)).toEqual(success(`Endpoint ${id} active.\n`));
  expect(await listed()).toBe(row('active'));
  expect([
    ...(await sql`select failures, failing_since, rests, rests_until from push_progress where endpoint_id = ${id}`),
  ]).toEqual([{ failures: 0, failing_since: null, rests: 0, rests_until: null }]);
  expect(await call('endpoints', 'delete', id)).toEqual(success(`Endpoint ${id} deleted.\n`));
  expect(await listed()).toBe('No endpoints.\n');
  expect(await listEndpointSummaries(sql, account.id)).toEqual([]);
  for (const command of ['pause', 'resume', 'delete'])
    expect(await call('endpoints', command, id)).toEqual(
      failure(`No endpoint with ID ${id}. List endpoints with: flightdata endpoints list\n`),
    );
});

test.each([
  [['accounts', 'show', 'acme'], "'acme' must be the UUID of an account"],
  [['accounts', 'delete'], "missing required argument 'id'"],
  [['endpoints', 'pause', randomUUID().slice(1)], 'must be the UUID of an endpoint'],
  [['endpoints', 'list', '--account', 'x'], "'x' must be the UUID of an account"],
])('rejects %j', async (args, message) => {
  expect(await call(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
});
