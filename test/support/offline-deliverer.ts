import type { Deliverer } from '#delivery/webhook/deliverer.ts';
import { createTargetGuard, type NameResolver } from '#delivery/webhook/target-guard.ts';

/** Resolves names without DNS: names that end with `.example` have a public address, all others have none. */
export const resolveExamples: NameResolver = (host) =>
  host.endsWith('.example')
    ? Promise.resolve([{ address: '93.184.215.14', family: 4 }])
    : Promise.reject(Object.assign(new Error(`'${host}' has no address`), { code: 'ENOTFOUND' }));

/** Allows receivers on this host, with http too, on any port. */
export const loopbackAllowList = ['http://127.0.0.0/8:*', 'https://127.0.0.0/8:*'];

export const offlineGuard = createTargetGuard({ resolve: resolveExamples });

export const offlineDeliverer: Pick<Deliverer, 'deliver'> = {
  deliver: () =>
    Promise.resolve({ kind: 'delivered', status: 200, durationMs: 7, responseBytes: 2, responseText: 'ok' }),
};
