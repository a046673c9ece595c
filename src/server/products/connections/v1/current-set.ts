import type { PublishedConnections } from '#domain/connections/set/connection-set.ts';
import { addDays, formatDate } from '#domain/time/dates.ts';
import { cursorGoneProblem } from '#http/handler/cursor.ts';
import { Problem } from '#http/response/problem.ts';
import type { Deps } from './deps.ts';

/** Retry-After while the first set is built: seconds for a small schedule, minutes for a worldwide one. */
const BUILD_RETRY_SECONDS = 30;
/** Retry-After while a server loads a published set: some seconds. */
const LOAD_RETRY_SECONDS = 5;

const unavailableProblem = (reason: string, seconds: number): Problem =>
  new Problem('unavailable', `${reason} Retry in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });

/** Returns the current set. Throws Problem `unavailable` until the first one is published. */
export const getCurrentSet = ({ connections }: Pick<Deps, 'connections'>): PublishedConnections => {
  const current = connections();
  if (current) return current;
  throw unavailableProblem('The connection set is being built.', BUILD_RETRY_SECONDS);
};

/**
 * Returns the set of a cursor's first page. Throws Problem `cursor-gone` if it is no longer in memory, and `unavailable` if
 * another server has loaded it and this one has not.
 */
export const getSetOfCursor = (
  id: number,
  { connections, connectionsById }: Pick<Deps, 'connections' | 'connectionsById'>,
  parameter: string,
): PublishedConnections => {
  const current = getCurrentSet({ connections });
  const set = connectionsById(id);
  if (set) return set;
  if (id > current.id)
    throw unavailableProblem('The connection set of the cursor is being loaded.', LOAD_RETRY_SECONDS);
  throw cursorGoneProblem(parameter);
};

/** Returns the first and the last local departure date of a set, `YYYY-MM-DD`. */
export const toSetDates = ({
  set,
}: Pick<PublishedConnections, 'set'>): { readonly startDate: string; readonly endDate: string } => ({
  startDate: formatDate(set.from),
  endDate: formatDate(addDays(set.from, set.days - 1)),
});

/** Returns the headers that identify the set of a response. */
export const createSetHeaders = (published: PublishedConnections): Readonly<Record<string, string>> => {
  const { startDate, endDate } = toSetDates(published);
  return { 'Connections-Set': String(published.id), 'Connections-Set-Dates': `${startDate}/${endDate}` };
};
