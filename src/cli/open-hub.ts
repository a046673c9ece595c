import type { Config } from '../config.ts';
import { giveHubAccess, type HubAccess, type WantedAccess } from '../delivery/hub/hub-access.ts';
import type { HubAddress } from '../delivery/hub/hub-connection.ts';
import { hubKeysOf, type HubKeys } from '../delivery/hub/hub-keys.ts';
import type { Database } from '../store/pool/database.ts';
import { secretNamed } from '../store/pool/secrets.ts';

export type OpenedHub = {
  readonly address: HubAddress;
  readonly giveAccess: (wanted: WantedAccess) => Promise<HubAccess>;
};

/** The secret of which the keys of the hub and the names of its consumers are made. */
const hubSecret = (db: Database): Promise<Buffer> => secretNamed(db, 'hub');

/** The keys of the hub of a store. */
export const hubKeys = async (db: Database): Promise<HubKeys> => hubKeysOf(await hubSecret(db));

/** The hub that is configured; undefined when none is. */
export const openHubOf = async ({ hub }: Config, db: Database): Promise<OpenedHub | undefined> => {
  if (!hub) return undefined;
  const secret = await hubSecret(db);
  // The broker goes by its own clock, also in a rehearsal.
  const address = { url: hub.url, keys: hubKeysOf(secret), clock: () => new Date() };
  return {
    address,
    giveAccess: (wanted) => giveHubAccess({ ...address, secret, publicUrl: hub.publicUrl }, wanted),
  };
};
