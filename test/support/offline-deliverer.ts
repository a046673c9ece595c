import type { Deliverer } from '../../src/delivery/webhook/deliver.ts';
import type { ResolveName } from '../../src/delivery/webhook/resolve-name.ts';
import { newTargetGuard } from '../../src/delivery/webhook/target-guard.ts';

/** Resolves names without DNS: names that end with `.example` have a public address, all others have none. */
export const resolveExamples: ResolveName = (host) =>
  host.endsWith('.example')
    ? Promise.resolve([{ address: '93.184.215.14', family: 4 }])
    : Promise.reject(Object.assign(new Error(`'${host}' has no address`), { code: 'ENOTFOUND' }));

export const offlineGuard = newTargetGuard({ resolve: resolveExamples });

/** Sends nothing and reports success. */
export const offlineDeliverer: Pick<Deliverer, 'deliver'> = {
  deliver: () => Promise.resolve({ kind: 'delivered', status: 200, durationMs: 7, answerBytes: 2, answer: 'ok' }),
};
