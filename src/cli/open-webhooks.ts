import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { newDeliverer, type Deliverer } from '../delivery/webhook/deliver.ts';
import { newTargetGuard, type TargetGuard } from '../delivery/webhook/target-guard.ts';

/** What sends events to receivers, and what decides where it may. */
export type Webhooks = { readonly guard: TargetGuard; readonly deliverer: Deliverer };

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const readAuthorities = async (file: string): Promise<readonly string[]> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new RangeError(`WEBHOOK_AUTHORITIES: the file '${file}' cannot be read`, { cause });
  }
  const found = text.match(certificate) ?? [];
  if (found.length === 0) throw new RangeError(`WEBHOOK_AUTHORITIES: the file '${file}' has no certificate (PEM)`);
  // Connections would leave aside one that cannot be read, without a word.
  for (const [index, one] of found.entries())
    try {
      void new X509Certificate(one);
    } catch (cause) {
      throw new RangeError(`WEBHOOK_AUTHORITIES: certificate ${index + 1} in '${file}' cannot be read`, { cause });
    }
  return found;
};

const guardOf = ({ allow, ports }: Config['webhooks']): TargetGuard => {
  try {
    return newTargetGuard({ allow, ports });
  } catch (cause) {
    throw cause instanceof RangeError ? new RangeError(`WEBHOOK_ALLOW: ${cause.message}`, { cause }) : cause;
  }
};

/** Makes both as the configuration says; throws a RangeError that names the variable and the value that is wrong. */
export const openWebhooks = async ({ webhooks }: Config, clock: () => Date): Promise<Webhooks> => {
  const guard = guardOf(webhooks);
  const authorities = webhooks.authorities === undefined ? [] : await readAuthorities(webhooks.authorities);
  return { guard, deliverer: newDeliverer({ guard, authorities, now: clock }) };
};
