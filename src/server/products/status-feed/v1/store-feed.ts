import { hash } from 'node:crypto';
import { FeedError } from '#feeds/feed-error.ts';
import type { RequestVariables } from '#http/context/env.ts';
import { runOnce } from '#http/handler/idempotency.ts';
import { Problem } from '#http/response/problem.ts';
import type { FeedReport } from '#generated/status-feed/v1/types.gen.ts';
import { delayAtLeast } from '#lib/delay-at-least.ts';
import type { Deps, FeedFormat } from './deps.ts';

const formatNames: Readonly<Record<FeedFormat, string>> = {
  status: 'list of status messages',
  mvt: 'list of movement telegrams',
  aidx: 'AIDX message',
};

/** Converts the error of a body that cannot be read; throws others. */
const toProblem = (error: unknown, format: FeedFormat): Problem => {
  if (!(error instanceof FeedError)) throw error;
  if (error.reason === 'too-many-messages') return new Problem('body-too-large', error.message);
  const at = error.line === undefined ? '' : `line ${error.line}, `;
  return new Problem('invalid-body', `The body is no ${formatNames[format]}: ${at}${error.message}`, { cause: error });
};

/**
 * Stores the body of a request. The response follows one cache lease after the commit, so that its client gets no page from before it. The turn of
 * the subscription ends before that: its next request is stored meanwhile.
 */
export const storeBody = async (
  variables: RequestVariables,
  format: FeedFormat,
  { storeFeed, clock, cacheLeaseMs, key }: Deps & { readonly key: string | undefined },
): Promise<FeedReport> => {
  const { bodyBytes: body, endTurn } = variables;
  const sender = variables.key?.subscriptionId;
  if (sender === undefined) throw new Error('a feed was sent without a key');
  const request = { variables, key, body: hash('sha256', body), now: clock() };
  const report = await storeFeed({ format, body, sender }, (sql, store) =>
    runOnce(sql, request, async () => ({ result: await store() })),
  ).catch((error: unknown) => {
    throw toProblem(error, format);
  });
  endTurn();
  await delayAtLeast(cacheLeaseMs);
  return report;
};
