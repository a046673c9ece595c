import type { Sql } from '../pool/database.ts';
import { findLatestLoad, listLoadKinds } from '../schedules/schedules.ts';
import { findUnrevokedKeyId } from './subscription-keys.ts';

/** The public API key of the demo world; it is created only together with that world. */
export const DEMO_KEY = 'demo-key';

/** Returns the public demo key where it is valid and the store holds the demo world. */
export const findDemoKey = async (sql: Sql): Promise<string | undefined> =>
  (await findUnrevokedKeyId(sql, DEMO_KEY)) !== undefined && (await findLatestLoad(sql, 'demo')) ? DEMO_KEY : undefined;

/** Describes why the public demo key is a risk in a store, and what to do; undefined when it is revoked or opens nothing but its world. */
export const findDemoKeyRisk = async (sql: Sql): Promise<string | undefined> => {
  const id = await findUnrevokedKeyId(sql, DEMO_KEY);
  if (id === undefined) return undefined;
  const kinds = await listLoadKinds(sql);
  const hasDemo = kinds.includes('demo');
  if (hasDemo && kinds.length === 1) return undefined;
  const reason = hasDemo ? 'the store contains data other than the demo world' : 'the store has no demo world';
  return `the public key ${DEMO_KEY} is valid, but ${reason}: revoke it with 'flightdata keys revoke ${id}'`;
};
