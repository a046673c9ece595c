import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { createCertificate } from '#test/delivery/webhook/certificates.ts';
import { sampleEvent, HOST, hostCertificate, respondOk, startPlainReceiver } from '#test/delivery/webhook/receivers.ts';
import { createSecureEndpoint, startSecureReceiver, startSocketReceiver } from '#test/delivery/webhook/receivers.ts';
import { createTestDeliverer, trustedAuthority } from '#test/delivery/webhook/receivers.ts';
import { reportFault } from '../support/report-fault.ts';

const daysFromNow = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const unknownAuthority = createCertificate({ hosts: [] });
const yesterday = { from: daysFromNow(-9), to: daysFromNow(-1) };
const tomorrow = { from: daysFromNow(1), to: daysFromNow(9) };
const certify = (change: Partial<Parameters<typeof createCertificate>[0]>) =>
  createCertificate({ hosts: [HOST], issuer: trustedAuthority, ...change });
const tlsOnly = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): SecureContextOptions => ({
  ...hostCertificate,
  minVersion: version,
  maxVersion: version,
  ciphers: 'DEFAULT@SECLEVEL=0',
});
const startWith = (options: SecureContextOptions) => () => startSecureReceiver(respondOk, options);
const startResponding = (respond: (socket: Socket) => unknown) => () =>
  startSocketReceiver((socket) => void socket.once('data', () => respond(socket)));

const receivers = [
  ['expired yesterday', 'tls-expired', startWith(certify(yesterday))],
  ['valid from tomorrow on', 'tls-expired', startWith(certify(tomorrow))],
  ['self-signed', 'tls-self-signed', startWith(createCertificate({ hosts: [HOST] }))],
  ['of an unknown authority', 'tls-untrusted', startWith(certify({ issuer: unknownAuthority }))],
  ['for another host', 'tls-wrong-host', startWith(certify({ hosts: ['other.example.com', '127.0.0.1'] }))],
  ['TLS 1.0 only', 'tls-protocol', startWith(tlsOnly('TLSv1'))],
  ['TLS 1.1 only', 'tls-protocol', startWith(tlsOnly('TLSv1.1'))],
  ['TLS 1.2 only', 'delivered', startWith(tlsOnly('TLSv1.2'))],
  ['TLS 1.3 only', 'delivered', startWith(tlsOnly('TLSv1.3'))],
  ['no TLS at all', 'tls-protocol', () => startPlainReceiver(respondOk)],
  ['reset in the handshake', 'tls-handshake-broken', startResponding((socket) => socket.resetAndDestroy())],
  ['closed in the handshake', 'tls-handshake-broken', startResponding((socket) => socket.end())],
] as const;

test('13: sends nothing over an insecure connection and reports the reason', async () => {
  // Even when an environment variable disables certificate checks.
  const previousSetting = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const deliverer = createTestDeliverer();
  const outcomes: unknown[] = [];
  let received = 0;
  for (const [name, , open] of receivers) {
    const receiver = await open();
    const { kind, ...rest } = await deliverer.deliver(createSecureEndpoint(receiver), sampleEvent);
    outcomes.push([name, 'reason' in rest ? rest.reason : kind]);
    received += receiver.received.length;
    await receiver.close();
  }
  deliverer.close();
  if (previousSetting === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = previousSetting;
  reportFault(13, { receivers: receivers.length, delivered: received });
  expect(outcomes).toEqual(receivers.map(([name, reason]) => [name, reason]));
  // Only the two receivers with a current version.
  expect(received).toBe(2);
});
