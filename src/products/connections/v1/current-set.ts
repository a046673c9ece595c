import type { PublishedConnections } from '../../../domain/connections/set/connection-set.ts';
import { addDays, formatDate } from '../../../domain/time/dates.ts';
import { cursorGone } from '../../../http/handler/cursor.ts';
import { Problem } from '../../../http/response/problem.ts';
import type { Deps } from './deps.ts';

/** A first build takes some seconds, of the whole world some minutes: who asks again at once only waits more often. */
const BUILD_RETRY_SECONDS = 30;
/** A set that is published is in the memory of every server some seconds later. */
const LOAD_RETRY_SECONDS = 5;

const unavailable = (why: string, seconds: number): Problem =>
  new Problem('unavailable', `${why} Try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });

/** The set that is served now. Throws Problem `unavailable` until the first one is published. */
export const getCurrentSet = ({ connections }: Pick<Deps, 'connections'>): PublishedConnections => {
  const served = connections();
  if (served) return served;
  throw unavailable('The connections are being built.', BUILD_RETRY_SECONDS);
};

/**
 * The set that a walk began in. Throws Problem `cursor-gone` when it is no longer kept, and `unavailable` when another server has it
 * already and this one does not.
 */
export const getSetOfCursor = (
  id: number,
  { connections, connectionsById }: Pick<Deps, 'connections' | 'connectionsById'>,
  parameter: string,
): PublishedConnections => {
  const current = getCurrentSet({ connections });
  const found = connectionsById(id);
  if (found) return found;
  if (id > current.id) throw unavailable('The set of the cursor is being loaded.', LOAD_RETRY_SECONDS);
  throw cursorGone(parameter);
};

/** The first and the last local date of departure of a set, `YYYY-MM-DD`. */
export const toSetDates = ({
  set,
}: Pick<PublishedConnections, 'set'>): { readonly startDate: string; readonly endDate: string } => ({
  startDate: formatDate(set.from),
  endDate: formatDate(addDays(set.from, set.days - 1)),
});

/** The headers by which an answer says which set it comes from. */
export const setHeaders = (published: PublishedConnections): Readonly<Record<string, string>> => {
  const { startDate, endDate } = toSetDates(published);
  return { 'Connections-Set': String(published.id), 'Connections-Set-Dates': `${startDate}/${endDate}` };
};
