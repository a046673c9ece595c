import type { LoadShedder } from '../rate-limit/load-shedder.ts';
import type { Step } from './in-order.ts';

/**
 * Makes requests wait for the processor, and rejects those that would wait too long.
 *
 * @example pipeline.before(isKeyed, loadShedding(new LoadShedder()))
 */
export const loadShedding =
  (shedder: LoadShedder): Step =>
  () =>
    shedder.enter();
