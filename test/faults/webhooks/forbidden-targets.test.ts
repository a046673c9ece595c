import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkTarget, createDnsResolver, createTargetGuard } from '#delivery/webhook/target-guard.ts';
import type { NameResolver } from '#delivery/webhook/target-guard.ts';
import type { DeliveryResult } from '#delivery/webhook/delivery-result.ts';
import { startDnsServer } from '#test/delivery/webhook/dns-server.ts';
import { sampleEvent, HOST, respondOk, startPlainReceiver, SECRET } from '#test/delivery/webhook/receivers.ts';
import { createTestDeliverer } from '#test/delivery/webhook/receivers.ts';
import type { Receiver } from '#test/delivery/webhook/receivers.ts';
import { dnsRecords, forbiddenUrls } from './forbidden-targets.ts';
import { reportFault } from '../support/report-fault.ts';

const toLookupResult = (addresses: readonly string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const resolve: NameResolver = (host) => Promise.resolve(toLookupResult(dnsRecords[host] ?? []));

let listener: Receiver;
/** Addresses to which a socket of this process tried to connect, successful or not. */
let attempts: string[] = [];
beforeEach(async () => {
  listener = await startPlainReceiver(respondOk, '::');
  attempts = [];
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: readonly unknown[]
  ): Socket {
    this.on('connectionAttempt', (address: string) => attempts.push(address));
    return Reflect.apply(connect, this, args);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await listener.close();
});

test('15: rejects every spelling of an internal address at registration and never connects to it at delivery', async () => {
  const ports = [443, 8443, listener.port];
  const guard = createTargetGuard({ ports, resolve });
  const deliverer = createTestDeliverer({ guard });
  const urls = forbiddenUrls.map((target) => target.replaceAll('{port}', String(listener.port)));
  const accepted: string[] = [];
  const sent: unknown[] = [];
  for (const url of urls) {
    if (!(await checkTarget(url, guard))) accepted.push(url);
    const outcome = await deliverer.deliver({ url, keys: [SECRET] }, sampleEvent);
    if (outcome.kind !== 'failed' || !['address-refused', 'name-unknown'].includes(outcome.reason))
      sent.push([url, outcome]);
  }
  deliverer.close();
  reportFault(15, {
    URLs: urls.length,
    accepted: accepted.length,
    'delivered to': sent.length,
    connections: listener.connections(),
    'connection attempts': attempts.length,
  });
  expect(new Set(urls).size).toBe(urls.length);
  expect([accepted, sent, listener.connections(), attempts]).toEqual([[], [], 0, []]);
});

const addresses = ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'];
const ATTEMPTS = 10;

test.each(['resolver', 'DNS server'])(
  '16: does not connect to a name that resolves to a forbidden address after its check (%s)',
  async (part) => {
    let lookups = 0;
    // The first lookup is that of the check.
    const lookUp = (forbidden: readonly string[]): readonly string[] => {
      lookups += 1;
      return [(lookups === 1 ? '8.8.8.8' : forbidden[lookups % forbidden.length]) ?? ''];
    };
    const dnsServer = await startDnsServer(() => [...lookUp(['127.0.0.1'])]);
    const rebinding: NameResolver = async () => toLookupResult(lookUp(addresses));
    const resolveName = part === 'resolver' ? rebinding : createDnsResolver([dnsServer.server]);
    const guard = createTargetGuard({ ports: [listener.port], resolve: resolveName });
    const deliverer = createTestDeliverer({ guard });
    const url = `https://${HOST}:${listener.port}/`;
    const rejection = await checkTarget(url, guard);
    const outcomes: DeliveryResult[] = [];
    for (let count = 0; count < ATTEMPTS; count += 1)
      outcomes.push(await deliverer.deliver({ url, keys: [SECRET] }, sampleEvent));
    deliverer.close();
    dnsServer.close();
    const connections = listener.connections();
    reportFault(16, { 'attempts after the change': ATTEMPTS, connections }, part);
    expect([rejection, connections, attempts, lookups]).toEqual([undefined, 0, [], ATTEMPTS + 1]);
    expect(outcomes).toMatchObject(outcomes.map(() => ({ kind: 'failed', reason: 'address-refused' })));
  },
);

test('16: an allowed address or network opens no other port and scheme, at delivery either', async () => {
  const allow = [
    'https://127.0.0.1',
    'https://127.0.0.1:1',
    'http://127.0.0.0/8:1',
    `https://127.0.0.2:${listener.port}`,
  ];
  const resolveToListener: NameResolver = () => Promise.resolve(toLookupResult(['127.0.0.1']));
  const guard = createTargetGuard({ allow, ports: [443, listener.port + 1], resolve: resolveToListener });
  const deliverer = createTestDeliverer({ guard });
  const urls = [
    `http://127.0.0.1:${listener.port}/`,
    `http://${HOST}:${listener.port}/`,
    `https://${HOST}:${listener.port}/`,
  ];
  const outcomes = await Promise.all(urls.map((url) => deliverer.deliver({ url, keys: [SECRET] }, sampleEvent)));
  deliverer.close();
  expect(outcomes).toMatchObject(urls.map(() => ({ kind: 'failed', reason: 'address-refused' })));
  expect(attempts).toEqual([]);
});

test('16: an attempt resolves a name once and connects to that address', async () => {
  const addresses = ['127.0.0.2', '127.0.0.1'];
  let lookups = 0;
  const rebinding: NameResolver = () => {
    lookups += 1;
    return Promise.resolve(toLookupResult([addresses[lookups - 1] ?? '127.0.0.1']));
  };
  const deliverer = createTestDeliverer({
    guard: createTargetGuard({ allow: ['http://127.0.0.2:*'], resolve: rebinding }),
  });
  const outcomes = [
    await deliverer.deliver({ url: `http://${HOST}:${listener.port}/`, keys: [SECRET] }, sampleEvent),
    // A reused connection needs no lookup.
    await deliverer.deliver({ url: `http://${HOST}:${listener.port}/`, keys: [SECRET] }, sampleEvent),
  ];
  deliverer.close();
  expect(outcomes).toMatchObject([{ kind: 'delivered' }, { kind: 'delivered' }]);
  expect([lookups, attempts]).toEqual([1, ['127.0.0.2']]);
});
