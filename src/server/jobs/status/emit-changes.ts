import type { EstimateStep } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import { addDays, toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { mapInTurns } from '#lib/map-in-turns.ts';
import {
  buildStatusEvents,
  toNewEvent,
  type FlightWithStatus,
} from '#products/flight-info-alerts/v1/events/build-events.ts';
import type { Sql } from '#store/pool/database.ts';
import { insertCountedEvents, computeRetentionDay } from '#store/events/event-outbox.ts';
import type { FlightStatusRow } from '#store/status/flight-statuses.ts';
import { incrementVersions } from '#store/events/flight-versions.ts';
import { EVENT_RETENTION_DAYS } from '../retention/prune-events.ts';
import type { ReportableFlight } from './flights/flight-snapshots.ts';

/** A flight with its status at one time. */
export type FlightStatusSnapshot = {
  readonly flight: ReportableFlight;
  readonly status: Pick<FlightStatusRow, 'statusJson' | 'seats'>;
};

/** A flight whose status was computed; `before` is undefined if the flight was not known. */
export type StatusTransition = {
  /** The local date on which it departs. */
  readonly departsOn: LocalDate;
  readonly before: FlightStatusSnapshot | undefined;
  readonly after: FlightStatusSnapshot;
  /** The estimates between the two, oldest first; by default none. */
  readonly steps?: readonly EstimateStep[];
};

/** The status of a flight without observations. */
export const NO_STATUS = { statusJson: '', seats: undefined } as const;

const withStatus = ({
  flight: { flight, keys, originalStatusKey },
  status,
}: FlightStatusSnapshot): FlightWithStatus => ({
  flight,
  keys,
  status: { doc: status.statusJson, seats: status.seats, originalStatusKey },
});

export type EmitOptions = {
  readonly clock: () => Date;
  /** The date that decides which flights are too old for events; by default that of the clock. */
  readonly today?: LocalDate | undefined;
};

/**
 * Inserts the events of status changes, one for each designator for which anything changed, in the transaction of the change. It locks the event
 * versions of the flights: call it once, after all other locks. Only a transaction with the exclusive locks on statuses and schedules may call it
 * more often.
 */
export const emitStatusChanges = async (
  sql: Sql,
  changes: readonly StatusTransition[],
  { clock, today }: EmitOptions,
): Promise<void> => {
  const madeAt = clock();
  const oldest = addDays(today ?? toUtcDate(madeAt), -EVENT_RETENTION_DAYS);
  // Older departures emit no events: history, such as an imported file of last year, is stored only.
  const built = await mapInTurns(
    changes.filter(({ departsOn }) => departsOn >= oldest),
    ({ before, after, steps }) => buildStatusEvents(before && withStatus(before), withStatus(after), steps),
  );
  const keyed = built.flat();
  if (keyed.length === 0) return;
  const dated = keyed.map((each) => ({
    ...each,
    key: each.flightKey,
    day: computeRetentionDay({ facts: each.facts, madeAt }),
  }));
  // Two departures can share a key if a number is flown twice on a route within a day; their versions continue each other.
  const versions = new Map(await incrementVersions(sql, dated));
  const events = await mapInTurns(dated, ({ flightKey, event, facts }) => {
    const version = (versions.get(flightKey) ?? 0) + 1;
    versions.set(flightKey, version);
    return toNewEvent({ flightKey, event: { ...event, version }, facts }, madeAt);
  });
  await insertCountedEvents(sql, events);
};
