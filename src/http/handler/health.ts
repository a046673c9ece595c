import { withTimeout } from '../../lib/with-timeout.ts';
import { jsonResponse, type HttpResponse } from '../response/http-response.ts';

const QUERY_TIMEOUT_MS = 2000;
const RETRY_AFTER_SECONDS = 5;

const succeedsInTime = async (query: Promise<unknown>): Promise<boolean> => {
  try {
    const result = await withTimeout(
      QUERY_TIMEOUT_MS,
      query.then(() => true),
    );
    return result ?? false;
  } catch {
    // Any error of the database is what a health check reports.
    return false;
  }
};

/** Returns `healthy` when a query of the database succeeds within two seconds, else a 503 with `unhealthy`. */
export const respondToHealthCheck = async <const H, const U>(
  query: Promise<unknown>,
  { healthy, unhealthy }: { readonly healthy: H; readonly unhealthy: U },
): Promise<H | HttpResponse<503, U>> =>
  (await succeedsInTime(query))
    ? healthy
    : jsonResponse(503, unhealthy, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
