import { Problem } from '../../../../http/response/problem.ts';
import { type AccountEvent, listAccountEvents, readStreamBounds } from '../../../../store/events/account-events.ts';
import type { Sql } from '../../../../store/pool/database.ts';

/** Where a caller starts to read: the parameter's name and value; undefined means the oldest event. */
export type StartPosition = { readonly parameter: string; readonly position: string | undefined };

/** The first events that a caller receives, and the position after which they start. */
export type StreamStart = { readonly after: number; readonly events: readonly AccountEvent[] };

const findStart = async (sql: Sql, stream: number, position: string | undefined): Promise<number> => {
  if (position !== undefined && position !== 'end') return Number(position);
  const { oldest, last } = await readStreamBounds(sql, stream);
  return position === 'end' ? last : oldest - 1;
};

const positionAheadProblem = ({ parameter }: StartPosition, after: number, last: number): Problem => {
  const violation = `is ${after}, beyond the end of the stream: its last event has position ${last}`;
  return new Problem('cursor-invalid', `${parameter} ${violation}.`, { errors: { [parameter]: [violation] } });
};

const positionExpiredProblem = (after: number, oldest: number): Problem =>
  new Problem(
    'cursor-expired',
    `The events after position ${after} are no longer kept. The oldest position that can be read is ${oldest}: go on after ${oldest - 1}.`,
  );

/** Reads the first events of a caller. Throws a Problem if the position is beyond the end or its next event was pruned. */
export const readStart = async (
  sql: Sql,
  start: StartPosition,
  { stream, limit }: { readonly stream: number; readonly limit: number },
): Promise<StreamStart> => {
  let after = await findStart(sql, stream, start.position);
  for (;;) {
    const page = await listAccountEvents(sql, { stream, after, limit });
    if (page.kind === 'events') return { after, events: page.events };
    if (page.kind === 'ahead') throw positionAheadProblem(start, after, page.last);
    if (start.position !== undefined) throw positionExpiredProblem(after, page.oldest);
    // The oldest event was pruned between the two queries.
    after = page.oldest - 1;
  }
};
