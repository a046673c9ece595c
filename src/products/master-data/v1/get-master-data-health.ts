import type { Health } from '#generated/master-data/v1/types.gen.ts';
import { assertMasterDataReadable } from '#store/master-data/master-data-facts.ts';
import type { Deps } from './deps.ts';

/** GET /master-data/health: healthy when master data can be read from the store. */
export const createHealthHandler = ({ health }: Pick<Deps, 'health'>) =>
  health.createHandler(assertMasterDataReadable, {
    healthy: { masterData: 'healthy' } satisfies Health,
    unhealthy: { masterData: 'unhealthy' } satisfies Health,
  });
