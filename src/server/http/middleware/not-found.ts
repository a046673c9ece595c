import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import type { Env } from '../context/env.ts';
import { Problem } from '../response/problem.ts';
import { setVersionHeaders } from './versioning.ts';

/**
 * Says why nothing matched: an unknown path, an unknown or removed version, or a method that the path does not support (405 with `Allow`).
 * The problem goes to `handleError` directly: the middleware after `next` would be skipped if it was thrown here.
 *
 * @example app.notFound(notFound({ publicUrl, handleError }))
 */
export const notFound =
  ({
    publicUrl,
    handleError,
  }: {
    readonly publicUrl: string | undefined;
    readonly handleError: ErrorHandler<Env>;
  }): NotFoundHandler<Env> =>
  (c: Context<Env>) => {
    const { result: rejection } = c.get('selected');
    if (!rejection || !('problem' in rejection))
      return handleError(new Problem('unknown-path', 'This path does not exist.'), c);
    const { match, version, problem } = rejection;
    c.set('publicPath', match.path);
    if (version) setVersionHeaders(c, { match, version }, publicUrl);
    return handleError(problem, c);
  };
