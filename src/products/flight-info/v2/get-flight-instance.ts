import type { FlightInstance } from '../../../../generated/flight-info/v2/types.gen.ts';
import { formatDate, parseDate } from '../../../domain/dates.ts';
import { invalidParameters, Problem } from '../../../http/problem.ts';
import { rendered, type Rendered } from '../../../http/rendered.ts';
import { findInstance } from '../../../store/flight-instances.ts';
import type { Deps } from './deps.ts';
import type { GetInput } from './routes.ts';

/** GET /flight-instances/{departureDate}/{scheduleInstanceKey}: one flight with everything that is known of it. */
export const getFlightInstance = async (
  { departureDate, scheduleInstanceKey }: GetInput['params'],
  { sql }: Deps,
): Promise<Rendered<FlightInstance>> => {
  const date = parseDate(departureDate);
  if (date === undefined)
    throw invalidParameters({ departureDate: [`must be a date of the calendar, not '${departureDate}'`] });
  const found = await findInstance(sql, { date, key: Buffer.from(scheduleInstanceKey, 'hex') });
  if (!found) throw new Problem('not-found', `No flight with this key departs on ${formatDate(date)}.`);
  const members = [
    found.doc.slice(0, -1),
    ...(found.details === undefined ? [] : [found.details]),
    ...(found.seats === undefined ? [] : [`"seatingCapacity":${found.seats}`]),
    '"statusDetails":[]}',
  ];
  return rendered(Buffer.from(members.join(',')));
};
