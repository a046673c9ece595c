import { openHub, type HubAddress } from './hub-connection.ts';
import { createReaderCredentials } from './hub-credentials.ts';
import { deriveConsumerNames, DEFAULT_HUB_STREAM, HUB_API_PREFIX, formatAccountSubjects } from './hub-names.ts';

/** The connection data of a consumer of the hub. */
export type HubAccess = {
  readonly url: string;
  readonly stream: string;
  /** Subject prefix of requests to the stream API. */
  readonly apiPrefix: string;
  readonly consumer: string;
  readonly subjects: string;
  /** Subject prefix on which responses are expected. */
  readonly inboxPrefix: string;
  /** Contains a secret. */
  readonly credentials: string;
  readonly expiresAt: Date;
};

export type HubAccessOptions = HubAddress & {
  /** Secret of 32 bytes from which consumer names and keys are derived. */
  readonly secret: Uint8Array;
  /** URL for consumers, when it differs from that of the service. */
  readonly publicUrl?: string | undefined;
};

/** The account, the purpose (`group`) and the lifetime of the access. */
export type HubAccessRequest = { readonly accountId: string; readonly group: string; readonly days: number };

const DAY_MS = 86_400_000;

/** Removes user and password, which belong to the service. */
const withoutUser = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/]*@/, '$1');

/** Creates the access to the consumer of an account, whether that exists or not. Credentials are new at each call and not stored. */
export const createHubAccess = (
  { secret, publicUrl, url, keys, clock, stream = DEFAULT_HUB_STREAM }: HubAccessOptions,
  { accountId, group, days }: HubAccessRequest,
): HubAccess => {
  const names = deriveConsumerNames(secret, { accountId, group });
  const issuedAt = clock();
  const expiresAt = new Date(issuedAt.getTime() + days * DAY_MS);
  return {
    url: publicUrl ?? withoutUser(url),
    stream,
    apiPrefix: HUB_API_PREFIX,
    consumer: names.consumer,
    subjects: formatAccountSubjects(stream, accountId),
    inboxPrefix: names.inbox,
    credentials: createReaderCredentials(keys, { stream, names, validity: { issuedAt, expiresAt } }),
    expiresAt,
  };
};

/**
 * Creates access to the events of an account, and its consumer if it does not exist. Two groups of an account read independently; clients with the
 * credentials of one group share its events.
 */
export const provisionHubAccess = async (options: HubAccessOptions, request: HubAccessRequest): Promise<HubAccess> => {
  const access = createHubAccess(options, request);
  const hub = await openHub(options);
  try {
    await hub.prepareStream();
    await hub.createConsumer(request.accountId, access.consumer);
  } finally {
    await hub.close();
  }
  return access;
};
