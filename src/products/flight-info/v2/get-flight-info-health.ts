import type { Health } from '../../../../generated/flight-info/v2/types.gen.ts';
import { answer } from '../../../http/rendered.ts';
import { touchInstances } from '../../../store/flight-instances.ts';
import type { Deps } from './deps.ts';

const PATIENCE_MS = 2000;
const RETRY_AFTER_SECONDS = 5;

const answersInTime = async (question: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, false);
  });
  try {
    return await Promise.race([question.then(() => true), late]);
  } catch {
    // Whatever keeps the database from answering is what this check is there to tell.
    return false;
  } finally {
    clearTimeout(timer);
  }
};

/** GET /flights/health: healthy when the flight instances can be read. */
export const getFlightInfoHealth = async ({ sql }: Deps) =>
  (await answersInTime(touchInstances(sql)))
    ? ({ flightInfo: 'healthy' } satisfies Health)
    : answer(503, { flightInfo: 'unhealthy' } satisfies Health, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
