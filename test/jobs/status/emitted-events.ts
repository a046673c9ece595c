import type { PropertyChange } from '../../../src/domain/events/property-changes.ts';
import type { StatusEventBody } from '../../../src/products/flight-info-alerts/v1/events/event-body.ts';
import type { Database } from '../../../src/store/pool/database.ts';

/** A status event as it was written. */
export type Told = {
  readonly flightKey: string;
  readonly version: number;
  readonly madeAt: Date;
  readonly facts: unknown;
  readonly body: StatusEventBody & { readonly changes: readonly PropertyChange[] };
};

type Row = Omit<Told, 'body' | 'facts'> & { readonly body: string; readonly facts: string };

/** The status events that were written, in the order in which they were; those of schedules are others' concern. */
export const statusEventsTold = async (db: Database): Promise<readonly Told[]> => {
  const rows = await db<Row[]>`
    select encode(flight_key, 'hex') as "flightKey", version, made_at as "madeAt", facts, body
    from flight_event where kind = 'status' order by seq`;
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts), body: JSON.parse(row.body) }));
};

/** Every event of every flight counts one up, whatever its kind: the keys of flights of which that does not hold. */
export const flightsMiscounted = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ key: string }[]>`
    select encode(flight_key, 'hex') as key from (
      select flight_key, version, row_number() over (partition by flight_key order by seq) as place from flight_event
    ) as counted where version <> place`;
  return rows.map(({ key }) => key);
};

/** Forgets all events. */
export const forgetEvents = async (db: Database): Promise<void> => {
  await db`truncate flight_event, event_outbox, event_log, flight_version`;
};

const nameOf = ({ carrierCode, flightNumber }: StatusEventBody): string =>
  `${carrierCode.iata ?? carrierCode.icao}${flightNumber}`;

/** The name of each event's flight, and its changes: `name: previous value`, `+name` for what was added. */
export const newsTold = async (db: Database): Promise<readonly (readonly string[])[]> =>
  (await statusEventsTold(db)).map(({ body }) => [
    nameOf(body),
    ...body.changes.map(({ propertyName, previousValue }) =>
      previousValue === undefined ? `+${propertyName}` : `${propertyName}: ${JSON.stringify(previousValue)}`,
    ),
  ]);
