import type { FlightInstancePage } from '../../../../generated/flight-info/v1/types.gen.ts';
import type { FlightInstancePage as NextPage } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { Rendered } from '../../../http/response/rendered.ts';
import type { RequestContext } from '../../../http/router/request-context.ts';
import type { Deps } from '../v2/deps.ts';
import { listFlightInstances as listNext } from '../v2/list-flight-instances.ts';
import { ask } from './parse-query.ts';
import type { ListQuery } from './routes.ts';
import { showRefusal } from './to-error.ts';
import { show } from './to-flight-instance.ts';

/** Whoever rendered the bytes has vouched for their shape. */
const parsed = ({ bytes }: Rendered<NextPage>): NextPage => {
  const page: NextPage = JSON.parse(new TextDecoder().decode(bytes));
  return page;
};

/**
 * GET /flight-instances: v1 is v2 seen through two conversions, with no query and no rule of its own. Cursors are sealed for
 * the version in `context`, so that those of one version open nothing in the other. Reading and writing
 * a page of 1,000 again costs 12 ms, 27 ms with statuses: a version that ends may cost that.
 */
export const listFlightInstances = async (
  query: ListQuery,
  context: RequestContext,
  deps: Deps,
): Promise<FlightInstancePage> => {
  try {
    return show(parsed(await listNext(ask(query), context, deps)));
  } catch (error) {
    throw showRefusal(error);
  }
};
