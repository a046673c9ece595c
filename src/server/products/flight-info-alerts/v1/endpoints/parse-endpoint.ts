import { checkTarget, type TargetGuard } from '#delivery/webhook/target-guard.ts';
import { findHeaderError } from '#delivery/webhook/custom-header.ts';
import type { ParameterErrors } from '#http/response/problem.ts';
import type { EndpointSettings } from '#store/deliveries/endpoints.ts';
import type { z } from 'zod';
import type { zUpdatePushEndpointBody } from '#generated/flight-info-alerts/v1/zod.gen.ts';

/** The validated body of a change of an endpoint. */
export type EndpointBody = z.output<typeof zUpdatePushEndpointBody>;

/** Returns the settings of an endpoint with the members of a body applied. */
export const parseEndpointSettings = (
  before: EndpointSettings,
  { url, description, header, ordering, active }: EndpointBody,
): EndpointSettings => ({
  url: url ?? before.url,
  description: description === undefined ? before.description : (description ?? ''),
  header: header === undefined ? before.header : (header ?? undefined),
  ordering: ordering ?? before.ordering,
  active: active ?? before.active,
});

/**
 * Returns the violations of new settings by member; an unchanged URL is not checked again. Resolves the host name: do not
 * call it inside a transaction.
 */
export const validateSettings = async (
  { url, header }: Pick<EndpointSettings, 'url' | 'header'>,
  { before, guard }: { readonly before: EndpointSettings | undefined; readonly guard: TargetGuard },
): Promise<ParameterErrors> => {
  const headerError = header && findHeaderError(header);
  const urlError = url === before?.url ? undefined : await checkTarget(url, guard);
  return {
    ...(urlError && { url: [`is not accepted: ${urlError.message}`] }),
    ...(headerError !== undefined && { header: [`is not accepted: ${headerError}`] }),
  };
};
