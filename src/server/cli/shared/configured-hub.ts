import type { Config } from '#config.ts';
import { provisionHubAccess, type HubAccess, type HubAccessRequest } from '#delivery/hub/hub-access.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { HubAddress } from '#delivery/hub/hub-connection.ts';
import { deriveHubKeys, type HubKeys } from '#delivery/hub/hub-keys.ts';
import type { Database } from '#store/pool/database.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';

/** A hub that can be connected to, without an open connection. */
export type ConfiguredHub = {
  readonly address: HubAddress;
  readonly provisionAccess: (request: HubAccessRequest) => Promise<HubAccess>;
};

/** The secret from which the keys of the hub and the names of its consumers are derived. */
const hubSecret = (db: Database, secrets: SecretBox): Promise<Buffer> => getOrCreateSecret(db, secrets, 'hub');

/** Reads the keys of the hub of a store. */
export const readHubKeys = async (db: Database, secrets: SecretBox): Promise<HubKeys> =>
  deriveHubKeys(await hubSecret(db, secrets));

/** Returns the hub of NATS_URL; undefined when none is configured. */
export const findConfiguredHub = async (
  { hub, hubStream, hubReplicas }: Config,
  db: Database,
  secrets: SecretBox,
): Promise<ConfiguredHub | undefined> => {
  if (!hub) return undefined;
  const secret = await hubSecret(db, secrets);
  // The system clock, also with FLIGHTDATA_TODAY: the broker checks tokens by its own clock.
  const address = {
    url: hub.url,
    keys: deriveHubKeys(secret),
    clock: () => new Date(),
    stream: hubStream,
    replicas: hubReplicas,
  };
  return {
    address,
    provisionAccess: (request) => provisionHubAccess({ ...address, secret, publicUrl: hub.publicUrl }, request),
  };
};
