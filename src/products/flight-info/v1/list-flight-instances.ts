import type { FlightInstancePage } from '../../../../generated/flight-info/v1/types.gen.ts';
import type { FlightInstancePage as NextPage } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { invalidParameters, Problem } from '../../../http/response/problem.ts';
import type { HttpResponse } from '../../../http/response/http-response.ts';
import type { Deps } from '../v2/deps.ts';
import { listFlightInstances as listNext } from '../v2/list-flight-instances.ts';
import { toNextQuery } from './parse-query.ts';
import type { ListQuery } from './routes.ts';
import { toPage } from './to-flight-instance.ts';

const toOwnNames = (text: string): string => text.replaceAll(/\b(Departure|Arrival)DateTime\b/g, '$1Date');

/** Converts an error of v2 to v1: parameters have the names that the v1 caller sent. */
const toOwnError = (error: unknown): unknown => {
  if (!(error instanceof Problem) || error.kind !== 'invalid-parameter' || !error.errors) return error;
  return invalidParameters(
    Object.fromEntries(
      Object.entries(error.errors).map(([name, messages]) => [toOwnNames(name), messages.map(toOwnNames)]),
    ),
  );
};

/** Parses a page that v2 rendered: its shape needs no validation. */
const parsePage = (response: HttpResponse<200, NextPage>): NextPage => {
  const page: NextPage = JSON.parse(new TextDecoder().decode(response.getBytes()));
  return page;
};

/**
 * GET /flight-instances: v1 is v2 behind two conversions, without queries or rules of its own. Cursors are bound to the
 * version in `context`. Parsing and rendering a page of 1,000 again costs 12 ms, 27 ms with statuses: acceptable for a
 * deprecated version.
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
