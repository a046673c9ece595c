import { acceptsAll, selectMediaType } from '../response/content-negotiation.ts';
import { Problem } from '../response/problem.ts';
import type { Step } from './in-order.ts';

/**
 * Selects the media type of the response by `Accept`; rejects a request that accepts none of the operation's types.
 *
 * @example pipeline.before(() => true, mediaType())
 */
export const mediaType = (): Step => (c) => {
  const accept = c.req.raw.headers.get('accept');
  if (acceptsAll(accept)) return;
  const offered = ['application/json', ...(c.get('operation').mediaTypes ?? [])];
  const selected = selectMediaType(accept, offered);
  if (selected === undefined)
    throw new Problem('not-acceptable', `The response is ${offered.join(' or ')}, which the header Accept excludes.`);
  c.set('mediaType', selected);
};
