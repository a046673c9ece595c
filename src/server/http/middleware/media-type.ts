import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import { selectMediaType } from '../response/content-negotiation.ts';
import { Problem } from '../response/problem.ts';

/**
 * Selects the media type of the response by `Accept`; rejects a request that accepts none of the operation's types.
 *
 * @example app.use('/versions/*', mediaType())
 */
export const mediaType = () =>
  createMiddleware<Env>((c, next) => {
    const offered = ['application/json', ...(c.get('operation').mediaTypes ?? [])];
    const selected = selectMediaType(c.req.raw.headers.get('accept'), offered);
    if (selected === undefined)
      throw new Problem('not-acceptable', `The response is ${offered.join(' or ')}, which the header Accept excludes.`);
    c.set('mediaType', selected);
    return next();
  });
