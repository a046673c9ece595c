import type { getFlightInstanceRoute } from '#generated/flight-info/v2/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { formatDate, parseDate } from '#domain/time/dates.ts';
import { invalidParameters, Problem } from '#http/response/problem.ts';
import { sendRendered } from '#http/context/body.ts';
import { findInstance } from '#store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';
import { renderRows } from './render-rows.ts';

/** GET /flight-instances/{departureDate}/{scheduleInstanceKey}: one flight with all its data. */
export const getFlightInstance = async (c: OperationContext<typeof getFlightInstanceRoute>, deps: Deps) => {
  const { departureDate, scheduleInstanceKey } = c.req.valid('param');
  const date = parseDate(departureDate);
  if (date === undefined)
    throw invalidParameters({ departureDate: [`must be a date of the calendar, not '${departureDate}'`] });
  const withHistory = c.req.valid('query').Content?.includes('StatusHistory') ?? false;
  const content = { status: withHistory ? 'history' : 'latest', withSeats: true, withMap: true } as const;
  const row = await readFromReplica(c, deps.sql, async (sql) => {
    const instance = await findInstance(sql, { date, key: Buffer.from(scheduleInstanceKey, 'hex') });
    if (!instance) throw new Problem('not-found', `No flight with this key departs on ${formatDate(date)}.`);
    const [rendered] = await renderRows([instance], content, { variables: c.var, deps: { ...deps, sql } });
    return rendered ? Buffer.concat(rendered) : instance.rowJson;
  });
  return sendRendered<FlightInstance>(c, row);
};
