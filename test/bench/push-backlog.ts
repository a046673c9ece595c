/**
 * `node test/bench/push-backlog.ts`: measures events per second that one worker posts from a backlog to 200 loopback
 * endpoints, and its processor time. The variables EVENTS, ENDPOINTS and ACCOUNTS change the sizes.
 */
import { createDeliverer } from '../../src/delivery/webhook/deliverer.ts';
import { createTargetGuard } from '../../src/delivery/webhook/target-guard.ts';
import { startEventDelivery } from '../../src/jobs/deliveries/deliver-events.ts';
import { longText } from '../store/events/sample-events.ts';
import { addAccountEvents, insertAccount, insertEndpoint, type Account } from '../jobs/deliveries/delivery-fixture.ts';
import { playLoad, prepareStage } from './prepared-stage.ts';

const EVENTS = Number(process.env['EVENTS'] ?? 200);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 200);
const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 10);

const stage = await prepareStage('flightdata_bench_push_backlog');
const receivers = await playLoad('./push-receivers.ts', String(ENDPOINTS));
const ports = receivers.said as readonly number[];
const accounts: Account[] = [];
for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await insertAccount(stage.db));
for (const [index, port] of ports.entries())
  for (const account of accounts.slice(index % ACCOUNTS, (index % ACCOUNTS) + 1))
    await insertEndpoint(stage.db, { account, url: `http://127.0.0.1:${port}/` });
await addAccountEvents(stage.db, accounts, {
  flights: Array.from({ length: EVENTS }, (_, flight) => flight),
  text: longText,
});
await stage.db`analyze`;

const total = EVENTS * ENDPOINTS;
let came = 0;
const all = Promise.withResolvers<void>();
receivers.process.on('message', (said: { readonly came: readonly unknown[] }) => {
  came += said.came.length;
  if (came >= total) all.resolve();
});
const deliverer = createDeliverer({ guard: createTargetGuard({ allow: ['127.0.0.1'] }) });
const before = process.cpuUsage();
const began = performance.now();
const stop = await startEventDelivery(stage.db, { deliverer, clock: () => new Date(), onError: console.error });
await all.promise;
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(before);
await stop();
deliverer.close();
const cpuMs = (user + system) / 1000;
console.table({
  'events posted': came,
  'a second': Math.round(came / seconds),
  'processor of the worker, ms for each': (cpuMs / came).toFixed(3),
  'a second of a processor': Math.round((came / cpuMs) * 1000),
});
await receivers.stop();
await stage.strike();
process.exit();
