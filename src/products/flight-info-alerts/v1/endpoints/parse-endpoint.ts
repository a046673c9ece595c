import { checkTarget } from '../../../../delivery/webhook/check-target.ts';
import { headerRefusal } from '../../../../delivery/webhook/custom-header.ts';
import type { TargetGuard } from '../../../../delivery/webhook/target-guard.ts';
import type { ParameterErrors } from '../../../../http/response/problem.ts';
import type { EndpointSettings } from '../../../../store/deliveries/endpoints.ts';
import type { UpdatePushEndpointInput } from '../shared/routes.ts';

/** What an endpoint becomes by a body. */
export const parseEndpointSettings = (
  before: EndpointSettings,
  { url, description, header, active }: UpdatePushEndpointInput['body'],
): EndpointSettings => ({
  url: url ?? before.url,
  description: description === undefined ? before.description : (description ?? ''),
  header: header === undefined ? before.header : (header ?? undefined),
  active: active ?? before.active,
});

/**
 * Why events may not be sent so, by the members at fault; nothing of what is as it was before. A name is looked up, so that this takes time
 * and has no place in a transaction.
 */
export const validateSettings = async (
  { url, description, header }: EndpointSettings,
  { before, guard }: { readonly before: EndpointSettings | undefined; readonly guard: TargetGuard },
): Promise<ParameterErrors> => {
  const headerFault = header && headerRefusal(header);
  const urlFault = url === before?.url ? undefined : await checkTarget(url, guard);
  return {
    // The database has no text with it.
    ...(description.includes('\u0000') && { description: ['must not have the character U+0000'] }),
    ...(urlFault && { url: [`is not taken: ${urlFault.message}`] }),
    ...(headerFault !== undefined && { header: [`is not taken: ${headerFault}`] }),
  };
};
