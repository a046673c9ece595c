import type { Health } from '../../../../generated/master-data/v1/types.gen.ts';
import { tellHealth } from '../../../http/handler/health.ts';
import { touchMasterData } from '../../../store/master-data/master-records.ts';
import type { Deps } from './deps.ts';

/** GET /master-data/health: healthy when master data can be read from the store. */
export const getMasterDataHealth = async ({ sql }: Deps) =>
  tellHealth(touchMasterData(sql), {
    healthy: { masterData: 'healthy' } satisfies Health,
    unhealthy: { masterData: 'unhealthy' } satisfies Health,
  });
