import { getQueryParams } from 'hono/utils/url';
import { memoizeText } from '#lib/text-memo.ts';
import type { Step } from './in-order.ts';

/** Any scheme and host: the function of Hono expects a URL. */
const PREFIX = 'http://localhost/?';

const parse = memoizeText((query): Readonly<Record<string, string[]>> =>
  Object.fromEntries(Object.entries(getQueryParams(PREFIX + query) ?? {})),
);

/**
 * Parses each query once: clients repeat few. The validator of Hono parses the URL of each request, into an object that is slow to copy.
 *
 * @example pipeline.before(isAny, parsedQuery())
 */
export const parsedQuery = (): Step => (c) => {
  const parameters = parse(c.get('selected').target.query);
  const queries = (name?: string) => (name === undefined ? parameters : parameters[name]);
  Object.assign(c.req, { queries });
};
