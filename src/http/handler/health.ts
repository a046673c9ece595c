import { jsonResponse, type HttpResponse } from '../response/http-response.ts';

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
    // Whatever keeps the store from answering is what a health check is there to tell.
    return false;
  } finally {
    clearTimeout(timer);
  }
};

/** The answer of a health check: `healthy` when a question to the store is answered within two seconds, else a 503 with `unhealthy`. */
export const checkHealth = async <const H, const U>(
  question: Promise<unknown>,
  { healthy, unhealthy }: { readonly healthy: H; readonly unhealthy: U },
): Promise<H | HttpResponse<503, U>> =>
  (await answersInTime(question))
    ? healthy
    : jsonResponse(503, unhealthy, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
