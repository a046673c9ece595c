import { expect, test } from 'vitest';
import { createWebhookDeliverer } from '#cli/serve/webhook-deliverer.ts';
import { readConfig } from '#config.ts';
import { checkTarget } from '#delivery/webhook/target-guard.ts';
import { createCertificate } from '#test/delivery/webhook/certificates.ts';
import { sampleEvent, respondOk, SECRET, startSecureReceiver } from '#test/delivery/webhook/receivers.ts';
import { trustedAuthority } from '#test/delivery/webhook/receivers.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const { write } = createTemporaryFolder();
const clock = (): Date => new Date();

test('without settings, allows only public receivers on the default ports', async () => {
  const config = readConfig({});
  expect(config.webhooks).toEqual({ allow: [], ports: [443, 8443], authorities: undefined });
  const { guard, deliverer } = await createWebhookDeliverer(config, clock);
  expect(await checkTarget('https://8.8.8.8:8443/', guard)).toBeUndefined();
  expect(await checkTarget('http://127.0.0.1/', guard)).toMatchObject({ reason: 'scheme' });
  deliverer.close();
});

test('allows the networks, names and ports of the variables', async () => {
  const config = readConfig({ WEBHOOK_ALLOW: 'http://10.1.0.0/16:8080, receiver.internal', WEBHOOK_PORTS: '443,9443' });
  const { guard, deliverer } = await createWebhookDeliverer(config, clock);
  const urls = ['http://10.1.2.3:8080/', 'https://8.8.8.8:9443/', 'https://8.8.8.8:8443/', 'https://10.2.0.1/'];
  const reasons = await Promise.all(urls.map(async (url) => (await checkTarget(url, guard))?.reason));
  expect([reasons, guard.allowed.allowsName('receiver.internal', { isSecure: true, port: 9443 })]).toEqual([
    [undefined, undefined, 'port', 'address'],
    true,
  ]);
  deliverer.close();
});

test('trusts the authorities of a file in addition to those of the system', async () => {
  const authorities = write('authorities.pem', `# two of them\n${trustedAuthority.cert}\n${trustedAuthority.cert}`);
  const certificate = createCertificate({ hosts: ['127.0.0.1'], issuer: trustedAuthority });
  const receiver = await startSecureReceiver(respondOk, certificate);
  const url = `https://127.0.0.1:${receiver.port}/`;
  const kinds: unknown[] = [];
  for (const file of [authorities, '']) {
    const config = readConfig({ WEBHOOK_ALLOW: 'https://127.0.0.0/8:*', WEBHOOK_AUTHORITIES: file });
    const { deliverer } = await createWebhookDeliverer(config, clock);
    const result = await deliverer.deliver({ url, keys: [SECRET] }, sampleEvent);
    kinds.push(result.kind === 'failed' ? result.reason : result.kind);
    deliverer.close();
  }
  await receiver.close();
  expect(kinds).toEqual(['delivered', 'tls-untrusted']);
});

const badNetwork = "write scheme://host:port, such as http://10.1.0.0/16:8080, instead of '10.0.0.0/33'";
const brokenCertificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test.each([
  [{ WEBHOOK_ALLOW: '10.0.0.0/33' }, `WEBHOOK_ALLOW: ${badNetwork}`],
  [{ WEBHOOK_AUTHORITIES: '/nowhere.pem' }, "WEBHOOK_AUTHORITIES: the file '/nowhere.pem' cannot be read"],
  [{ WEBHOOK_AUTHORITIES: write('none.pem', 'nothing') }, 'has no certificate (PEM)'],
  [{ WEBHOOK_AUTHORITIES: write('broken.pem', brokenCertificate) }, 'WEBHOOK_AUTHORITIES: certificate 1 in'],
])('rejects %j and names the variable', async (environment, message) => {
  await expect(createWebhookDeliverer(readConfig(environment), clock)).rejects.toThrow(message);
});

test.each(['0', '65536', '443;80', 'https'])('rejects the ports %s', (ports) => {
  expect(() => readConfig({ WEBHOOK_PORTS: ports })).toThrow(
    `WEBHOOK_PORTS must be ports from 1 to 65535 with commas between, not '${ports}'`,
  );
});
