import { Problem } from '../../../../http/response/problem.ts';
import { readStreamBounds, listAccountEvents, type AccountEvent } from '../../../../store/events/account-events.ts';
import type { Sql } from '../../../../store/pool/database.ts';

/** Where a caller begins to read: the parameter he says it with, and what it says; undefined for the oldest event. */
export type StartPosition = { readonly parameter: string; readonly position: string | undefined };

/** What a caller gets first: the events after a number of the stream, and that number. */
export type StreamStart = { readonly after: number; readonly events: readonly AccountEvent[] };

const findStart = async (sql: Sql, stream: number, position: string | undefined): Promise<number> => {
  if (position !== undefined && position !== 'end') return Number(position);
  const { oldest, last } = await readStreamBounds(sql, stream);
  return position === 'end' ? last : oldest - 1;
};

const positionAhead = ({ parameter }: StartPosition, after: number, last: number): Problem => {
  const fault = `is ${after}, beyond the end of the stream: its last event has position ${last}`;
  return new Problem('cursor-invalid', `${parameter} ${fault}.`, { errors: { [parameter]: [fault] } });
};

const positionGone = (after: number, oldest: number): Problem =>
  new Problem(
    'cursor-expired',
    `The events after position ${after} are no longer kept. The oldest position that can be read is ${oldest}: go on after ${oldest - 1}.`,
  );

/** Begins to read a stream. Throws the Problem that it has not come so far, or that the next event is no longer kept. */
export const readStart = async (
  sql: Sql,
  beginning: StartPosition,
  { stream, limit }: { readonly stream: number; readonly limit: number },
): Promise<StreamStart> => {
  let after = await findStart(sql, stream, beginning.position);
  for (;;) {
    const page = await listAccountEvents(sql, { stream, after, limit });
    if (page.kind === 'events') return { after, events: page.events };
    if (page.kind === 'ahead') throw positionAhead(beginning, after, page.last);
    if (beginning.position !== undefined) throw positionGone(after, page.oldest);
    // What was the oldest a moment ago has just been deleted.
    after = page.oldest - 1;
  }
};
