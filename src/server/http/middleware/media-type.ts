import { selectMediaType } from '../response/content-negotiation.ts';
import { Problem } from '../response/problem.ts';
import type { Step } from './in-order.ts';

/**
 * Selects the media type of the response by `Accept`; rejects a request that accepts none of the operation's types.
 *
 * @example pipeline.before(() => true, mediaType())
 */
export const mediaType = (): Step => (c) => {
  const offered = ['application/json', ...(c.get('operation').mediaTypes ?? [])];
  const selected = selectMediaType(c.req.raw.headers.get('accept'), offered);
  if (selected === undefined)
    throw new Problem('not-acceptable', `The response is ${offered.join(' or ')}, which the header Accept excludes.`);
  if (selected !== offered[0]) c.set('mediaType', selected);
};
