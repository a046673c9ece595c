import type { FlightInstancePage } from '../../../../generated/flight-info/v1/types.gen.ts';
import type { FlightInstancePage as NextPage } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { invalidParameters, Problem } from '../../../http/response/problem.ts';
import type { Rendered } from '../../../http/response/rendered.ts';
import type { Deps } from '../v2/deps.ts';
import { listFlightInstances as listNext } from '../v2/list-flight-instances.ts';
import { toNextQuery } from './parse-query.ts';
import type { ListQuery } from './routes.ts';
import { toPage } from './to-flight-instance.ts';

const toOwnNames = (text: string): string => text.replaceAll(/\b(Departure|Arrival)DateTime\b/g, '$1Date');

/** What v2 threw, as v1 says it: the parameters of a refusal by the names under which the caller sent them. */
const toOwnError = (error: unknown): unknown => {
  if (!(error instanceof Problem) || error.kind !== 'invalid-parameter' || !error.errors) return error;
  return invalidParameters(
    Object.fromEntries(
      Object.entries(error.errors).map(([name, messages]) => [toOwnNames(name), messages.map(toOwnNames)]),
    ),
  );
};

/** Whoever rendered the bytes has vouched for their shape. */
const parsePage = ({ bytes }: Rendered<NextPage>): NextPage => {
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
    return toPage(parsePage(await listNext(toNextQuery(query), context, deps)));
  } catch (error) {
    throw toOwnError(error);
  }
};
