import type { PushEndpoint as WireEndpoint } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { publicKeyOf } from '../../../../delivery/webhook/signing-keys.ts';
import type { EndpointKey, PushEndpoint } from '../../../../store/deliveries/endpoints.ts';
import { toTimestamp, toTimestampOrNull } from '../shared/to-timestamp.ts';

/** The keys that sign at a moment, the newest first. */
export const listActiveKeys = ({ keys }: Pick<PushEndpoint, 'keys'>, now: Date): readonly EndpointKey[] =>
  keys.filter(({ endsAt }) => endsAt === undefined || endsAt > now);

/** How an endpoint signs, in the words of the contract. */
export const toSigning = (signing: PushEndpoint['signing']): WireEndpoint['signing'] =>
  signing === 'v1' ? 'hmac-sha256' : 'ed25519';

/** An endpoint as the contract has it, without its secrets. */
export const toEndpoint = (endpoint: PushEndpoint, now: Date): WireEndpoint => ({
  endpointId: endpoint.id,
  accountId: endpoint.accountId,
  url: endpoint.url,
  description: endpoint.description === '' ? null : endpoint.description,
  headerName: endpoint.header?.name ?? null,
  signing: toSigning(endpoint.signing),
  keys: listActiveKeys(endpoint, now).map(({ key, madeAt, endsAt }) => ({
    publicKey: publicKeyOf(key) ?? null,
    createdTimestamp: toTimestamp(madeAt),
    endsTimestamp: toTimestampOrNull(endsAt),
  })),
  state: endpoint.disabledFor === undefined ? (endpoint.active ? 'active' : 'paused') : 'disabled',
  disabledFor: endpoint.disabledFor ?? null,
  disabledTimestamp: toTimestampOrNull(endpoint.disabledAt),
  createdTimestamp: toTimestamp(endpoint.createdAt),
  lastUpdatedTimestamp: toTimestamp(endpoint.updatedAt),
});

/** Since when an endpoint is shown as it is at a moment: keys end by themselves. */
export const lastChangedAt = ({ updatedAt, disabledAt, keys }: PushEndpoint, now: Date): number => {
  const moments = [updatedAt, disabledAt, ...keys.flatMap(({ madeAt, endsAt }) => [madeAt, endsAt])];
  return Math.max(...moments.map((moment) => moment?.getTime() ?? 0).filter((ms) => ms <= now.getTime()));
};
