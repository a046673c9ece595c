import type { MaskKeys } from '#lib/mask-keys.ts';
import type { RequestVariables } from '../context/env.ts';
import { buildRequestUrl } from '../router/request-url.ts';

export type OwnUrlVariables = Pick<RequestVariables, 'baseUrl' | 'publicPath' | 'query' | 'maskKeys'>;

/** Returns the query without the parameters that contain an API key: links are shared and logged. */
const dropKeys = (query: string, maskKeys: MaskKeys): string =>
  maskKeys(query) === query
    ? query
    : query
        .split('&')
        .filter((parameter) => maskKeys(parameter) === parameter)
        .join('&');

/** Returns the absolute URL of a request for links: public base, normalized path, and query as sent, without parameters that contain an API key. */
export const buildOwnUrl = ({ baseUrl, publicPath, query, maskKeys }: OwnUrlVariables): string =>
  buildRequestUrl(baseUrl, publicPath, dropKeys(query, maskKeys));
