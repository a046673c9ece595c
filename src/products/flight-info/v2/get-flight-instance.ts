import type { FlightInstance } from '../../../../generated/flight-info/v2/types.gen.ts';
import { formatDate, parseDate } from '../../../domain/time/dates.ts';
import { invalidParameters, Problem } from '../../../http/response/problem.ts';
import { type HttpResponse, renderedResponse } from '../../../http/response/http-response.ts';
import type { RequestContext } from '../../../http/request/request-context.ts';
import { findInstance } from '../../../store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';
import { renderRows } from './render-rows.ts';
import type { GetInput } from './routes.ts';

/** GET /flight-instances/{departureDate}/{scheduleInstanceKey}: one flight with all its data. */
export const getFlightInstance = async (
  { params: { departureDate, scheduleInstanceKey }, query }: GetInput,
  context: RequestContext,
  deps: Deps,
): Promise<HttpResponse<200, FlightInstance>> => {
  const date = parseDate(departureDate);
  if (date === undefined)
    throw invalidParameters({ departureDate: [`must be a date of the calendar, not '${departureDate}'`] });
  const instance = await findInstance(deps.sql, { date, key: Buffer.from(scheduleInstanceKey, 'hex') });
  if (!instance) throw new Problem('not-found', `No flight with this key departs on ${formatDate(date)}.`);
  const withHistory = query.Content?.includes('StatusHistory') ?? false;
  const content = { status: withHistory ? 'history' : 'latest', withSeats: true, withMap: true } as const;
  const [row] = await renderRows([instance], content, { context, deps });
  return renderedResponse(row ?? instance.rowJson);
};
