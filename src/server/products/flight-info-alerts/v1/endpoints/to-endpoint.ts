import type { PushEndpoint as WireEndpoint } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { getPublicKey } from '#delivery/webhook/signatures.ts';
import type { EndpointKey, PushEndpoint } from '#store/deliveries/endpoints.ts';
import { toTimestamp, toTimestampOrNull } from '../shared/to-timestamp.ts';

/** Returns the keys that sign at an instant, newest first. */
export const listActiveKeys = ({ keys }: Pick<PushEndpoint, 'keys'>, now: Date): readonly EndpointKey[] =>
  keys.filter(({ endsAt }) => endsAt === undefined || endsAt > now);

/** Returns the wire name of a signature algorithm. */
export const toSigning = (signing: PushEndpoint['signing']): WireEndpoint['signing'] =>
  signing === 'v1' ? 'hmac-sha256' : 'ed25519';

/** Returns the wire form of an endpoint, without its secrets. */
export const toEndpoint = (endpoint: PushEndpoint, now: Date): WireEndpoint => ({
  endpointId: endpoint.id,
  accountId: endpoint.accountId,
  url: endpoint.url,
  description: endpoint.description === '' ? null : endpoint.description,
  headerName: endpoint.header?.name ?? null,
  signing: toSigning(endpoint.signing),
  ordering: endpoint.ordering,
  keys: listActiveKeys(endpoint, now).map(({ key, madeAt, endsAt }) => ({
    publicKey: getPublicKey(key) ?? null,
    createdTimestamp: toTimestamp(madeAt),
    endsTimestamp: toTimestampOrNull(endsAt),
  })),
  state: endpoint.disabledFor === undefined ? (endpoint.active ? 'active' : 'paused') : 'disabled',
  disabledFor: endpoint.disabledFor ?? null,
  disabledTimestamp: toTimestampOrNull(endpoint.disabledAt),
  createdTimestamp: toTimestamp(endpoint.createdAt),
  lastUpdatedTimestamp: toTimestamp(endpoint.updatedAt),
});

/** Returns when the wire form of an endpoint last changed, milliseconds since 1970: keys also expire without an update. */
export const lastChangedAt = ({ updatedAt, disabledAt, keys }: PushEndpoint, now: Date): number => {
  const instants = [updatedAt, disabledAt, ...keys.flatMap(({ madeAt, endsAt }) => [madeAt, endsAt])];
  return Math.max(...instants.map((instant) => instant?.getTime() ?? 0).filter((ms) => ms <= now.getTime()));
};
