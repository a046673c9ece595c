import type { RequestContext } from '../../../../http/router/request-context.ts';
import { streamOf } from '../../../../store/alerts/alert-accounts.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import { noAccount, ownedBy } from './owner.ts';

/** The stream of the account that a request names. Throws the Problem that there is no such account. */
export const foundStream = async (sql: Sql, context: RequestContext, accountId: string): Promise<number> => {
  const stream = await streamOf(sql, ownedBy(context, accountId));
  if (stream === undefined) throw noAccount(accountId);
  return stream;
};
