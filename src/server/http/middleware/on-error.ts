import type { ErrorHandler } from 'hono';
import { createBody, sendBody } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import { overloadedProblem } from '../rate-limit/load-shedder.ts';
import type { LogFailure } from '../observability/outage-log.ts';
import { maskProblem, Problem, problemKinds, renderProblem, unavailableProblem } from '../response/problem.ts';

export type ErrorClassifier = {
  /** Whether an error means that a dependency is temporarily unavailable: the status is 503 and not 500. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Whether an error means that a dependency works and has too many requests; by default none does. */
  readonly isOverloaded?: ((error: unknown) => boolean) | undefined;
};

export type ErrorHandlerOptions = ErrorClassifier & {
  /** Scheme, host and any path prefix under which clients reach the service; by default those of each request. */
  readonly publicUrl?: string | undefined;
  /** Logs the error of a request, or counts it as part of an outage; by default each error is logged. */
  readonly logOutage?: ((error: unknown, logFailure: LogFailure) => void) | undefined;
};

const toProblem = (error: unknown, { isUnavailable, isOverloaded }: ErrorClassifier): Problem => {
  if (error instanceof Problem) return error;
  if (isOverloaded?.(error)) return overloadedProblem(error);
  if (!isUnavailable(error))
    return new Problem('internal', 'An internal error occurred. The error is logged with the request ID.', {
      cause: error,
    });
  return unavailableProblem(error);
};

/**
 * Makes a problem response of every error (RFC 9457).
 *
 * @example app.onError(onError({ isUnavailable }))
 */
export const onError =
  ({
    publicUrl,
    logOutage = (error, logFailure) => logFailure(error),
    ...classifier
  }: ErrorHandlerOptions): ErrorHandler<Env> =>
  (error, c) => {
    const maskKeys = c.get('maskKeys');
    const problem = maskProblem(toProblem(error, classifier), maskKeys);
    // Temporary rejections are not errors: the access log records them, and the component that rejected the request logs the cause.
    if (problem.kind === 'internal' || (problem.kind === 'unavailable' && problem.cause !== undefined))
      logOutage(problem.cause ?? problem, c.get('logFailure'));
    c.set('problem', problem.kind);
    const { status } = problemKinds[problem.kind];
    // The failure may have happened before the limits were known.
    if (status >= 500) for (const name of ['ratelimit-policy', 'ratelimit']) delete c.get('headers')[name];
    const path = c.get('publicPath') ?? c.get('selected').target.path;
    const body = createBody(renderProblem(problem, { path: maskKeys(path), traceId: c.get('requestId'), publicUrl }));
    return sendBody(c, body, {
      status,
      headers: { 'Cache-Control': 'no-store', ...problem.headers, 'Content-Type': 'application/problem+json' },
    });
  };
