import type { Config } from '#config.ts';
import { createTargetGuard, parseTarget, type TargetGuard } from '#delivery/webhook/target-guard.ts';
import type { HealthFinding } from '#domain/health/data-health.ts';
import { listEndpointSummaries } from '#store/deliveries/endpoints.ts';
import type { Sql } from '#store/pool/database.ts';
import { findReadableKeyFile } from './configured-secrets.ts';

const repeatsHost = 'links repeat the Host header of each request';
const setPublicUrl = `${repeatsHost}; set PUBLIC_URL to the address that clients use`;

/** Returns the warning about a proxy that was noticed by a header of a request. */
export const formatProxyWarning = (header: string): string =>
  `warning: a request came through a proxy (${header}), and PUBLIC_URL is not set: ${setPublicUrl}\n`;

const assessPublicUrl = ({ publicUrl, trustedProxies }: Config): HealthFinding => {
  const name = 'public-url';
  if (publicUrl !== undefined) return { name, level: 'ok', text: `links begin with ${publicUrl}` };
  return trustedProxies.length === 0
    ? { name, level: 'ok', text: `PUBLIC_URL is not set: ${repeatsHost}` }
    : { name, level: 'warning', text: `TRUSTED_PROXIES is set, and PUBLIC_URL is not: ${setPublicUrl}` };
};

/** Creates the guard of webhooks. Throws a RangeError that names the variable and the invalid value. */
export const createConfiguredGuard = ({ allow, ports }: Config['webhooks']): TargetGuard => {
  try {
    return createTargetGuard({ allow, ports });
  } catch (cause) {
    throw cause instanceof RangeError ? new RangeError(`WEBHOOK_ALLOW: ${cause.message}`, { cause }) : cause;
  }
};

/** Finds active endpoints that the variables do not permit, as far as this is known without a DNS lookup. */
const assessWebhooks = async ({ webhooks }: Config, sql: Sql): Promise<HealthFinding> => {
  const name = 'webhooks';
  let guard: TargetGuard;
  try {
    guard = createConfiguredGuard(webhooks);
  } catch (error) {
    return { name, level: 'failure', text: error instanceof Error ? error.message : String(error) };
  }
  const used = (await listEndpointSummaries(sql)).filter((one) => one.active && one.disabledFor === undefined);
  const rejected = used.filter(({ url }) => 'error' in parseTarget(url, guard)).map(({ id }) => id);
  const variables = 'WEBHOOK_ALLOW and WEBHOOK_PORTS permit';
  if (rejected.length === 0) return { name, level: 'ok', text: `${variables} all active endpoints` };
  const ids = `${rejected.slice(0, 3).join(', ')}${rejected.length > 3 ? ', ...' : ''}`;
  return { name, level: 'warning', text: `${variables} no delivery to ${rejected.length} active endpoints: ${ids}` };
};

/** Returns the release of the IANA time zone database from which this process computes UTC times. */
const findTimeZoneRelease = (): HealthFinding => ({
  name: 'time zones',
  level: 'ok',
  text: `release ${process.versions['tz'] ?? 'unknown'} of the time zone database`,
});

/** Reports the key file of the secrets when other users of the host can read it. */
const listKeyFileFindings = async (config: Config): Promise<readonly HealthFinding[]> => {
  const found = await findReadableKeyFile(config);
  if (!found) return [];
  const text = `other users than the owner can read the key of the secrets: '${found.path}' has the mode ${found.mode}; set it to 0600`;
  return [{ name: 'key file', level: 'warning', text }];
};

/** Assesses settings against each other and against the stored endpoints, and names the data of the runtime. */
export const assessDeployment = async (config: Config, sql: Sql): Promise<readonly HealthFinding[]> => [
  assessPublicUrl(config),
  await assessWebhooks(config, sql),
  findTimeZoneRelease(),
  ...(await listKeyFileFindings(config)),
];
