import type { PropertyChange } from '#products/flight-info-alerts/v1/events/event-properties.ts';
import type { StatusEventBody } from '#products/flight-info-alerts/v1/events/event-content.ts';
import type { Database } from '#store/pool/database.ts';

export type EmittedEvent = {
  readonly flightKey: string;
  readonly version: number;
  readonly madeAt: Date;
  readonly facts: unknown;
  readonly body: StatusEventBody & { readonly changes: readonly PropertyChange[] };
};

type Row = Omit<EmittedEvent, 'body' | 'facts'> & { readonly body: string; readonly facts: string };

/** Lists the status events in their order; schedule events are left out. */
export const listStatusEvents = async (db: Database): Promise<readonly EmittedEvent[]> => {
  const rows = await db<Row[]>`
    select encode(flight_key, 'hex') as "flightKey", version, made_at as "madeAt", facts, body
    from flight_event where kind = 'status' order by seq`;
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts), body: JSON.parse(row.body) }));
};

/** Lists the keys of flights whose versions, over all kinds of events, are not consecutive. */
export const listFlightsWithVersionGaps = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ key: string }[]>`
    select encode(flight_key, 'hex') as key from (
      select flight_key, version, row_number() over (partition by flight_key order by seq) as place from flight_event
    ) as counted where version <> place`;
  return rows.map(({ key }) => key);
};

export const deleteEvents = async (db: Database): Promise<void> => {
  await db`truncate flight_event, event_outbox, event_log, flight_version`;
};

const formatDesignator = ({ carrierCode, flightNumber }: StatusEventBody): string =>
  `${carrierCode.iata ?? carrierCode.icao}${flightNumber}`;

/** The name of each event's flight, and its changes: `name: previous value`, `+name` for added ones. */
export const listEventChanges = async (db: Database): Promise<readonly (readonly string[])[]> =>
  (await listStatusEvents(db)).map(({ body }) => [
    formatDesignator(body),
    ...body.changes.map(({ propertyName, previousValue }) =>
      previousValue === undefined ? `+${propertyName}` : `${propertyName}: ${JSON.stringify(previousValue)}`,
    ),
  ]);
