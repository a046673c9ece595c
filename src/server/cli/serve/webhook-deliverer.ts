import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '#config.ts';
import { createDeliverer, type Deliverer } from '#delivery/webhook/deliverer.ts';
import type { TargetGuard } from '#delivery/webhook/target-guard.ts';
import { createConfiguredGuard } from '../shared/deployment-findings.ts';

/** Posts events to webhook endpoints, and decides which addresses are allowed. */
export type WebhookDeliverer = { readonly guard: TargetGuard; readonly deliverer: Deliverer };

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const readAuthorities = async (file: string): Promise<readonly string[]> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new RangeError(`WEBHOOK_AUTHORITIES: the file '${file}' cannot be read`, { cause });
  }
  const certificates = text.match(certificatePattern) ?? [];
  if (certificates.length === 0)
    throw new RangeError(`WEBHOOK_AUTHORITIES: the file '${file}' has no certificate (PEM)`);
  // TLS connections silently ignore a certificate that cannot be parsed.
  for (const [index, certificate] of certificates.entries())
    try {
      void new X509Certificate(certificate);
    } catch (cause) {
      throw new RangeError(`WEBHOOK_AUTHORITIES: certificate ${index + 1} in '${file}' cannot be read`, { cause });
    }
  return certificates;
};

/** Creates both from the configuration; throws a RangeError that names the variable and the invalid value. */
export const createWebhookDeliverer = async ({ webhooks }: Config, clock: () => Date): Promise<WebhookDeliverer> => {
  const guard = createConfiguredGuard(webhooks);
  const authorities = webhooks.authorities === undefined ? [] : await readAuthorities(webhooks.authorities);
  return { guard, deliverer: createDeliverer({ guard, authorities, now: clock }) };
};
