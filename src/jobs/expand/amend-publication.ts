import { findStation, type MasterDataIndex } from '../../domain/master-data/master-data-index.ts';
import { toDesignatorKey } from '../../domain/schedule/designators.ts';
import { applyAmendments, type AmendmentOutcome } from '../../domain/schedule/messages/apply-amendments.ts';
import { listAmendmentsInForce } from '../../domain/schedule/messages/precedence.ts';
import type { CarrierSchedule, Itinerary } from '../../domain/schedule/schedule.ts';
import type { LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../../store/pool/database.ts';
import { listSeasonEnds, upsertFiledSeason } from '../../store/schedules/filed-seasons.ts';
import {
  deleteFiledFlights,
  insertFiledFlight,
  listAmendedFlights,
  listAmendments,
  type StoredAmendment,
  supersedeAmendments,
  updateAmendment,
} from '../../store/schedules/schedule-messages.ts';

/** Stores the outcomes of amendments that differ from their state; cancellations only of amendments applied for the first time. */
export const storeOutcomes = async (
  sql: Sql,
  amendments: readonly StoredAmendment[],
  outcomes: readonly AmendmentOutcome[],
): Promise<void> => {
  const before = new Map(amendments.map((amendment) => [amendment.id, amendment]));
  for (const { id, rejection, cancellations } of outcomes) {
    const rejectionJson = rejection && JSON.stringify(rejection);
    const state = rejection ? 'quarantined' : 'applied';
    const known = before.get(id);
    if (known?.state === state && known.rejectionJson === rejectionJson) continue;
    const cancellationsJson = cancellations.length > 0 ? JSON.stringify(cancellations) : undefined;
    await updateAmendment(sql, id, { state, rejectionJson, cancellationsJson });
  }
};

type AmendedPublication = {
  readonly schedules: readonly CarrierSchedule[];
  /** The amendments that caused itineraries; those of the file have none. */
  readonly amendmentOf: ReadonlyMap<Itinerary, number>;
};

/**
 * Applies the schedule messages that are younger than a schedule file to its flights, and marks the older ones as superseded. A message that does
 * not fit the new schedule goes to quarantine; one in quarantine applies if it fits now.
 */
export const amendPublication = async (
  sql: Sql,
  filed: readonly CarrierSchedule[],
  { masterDataIndex, today }: { readonly masterDataIndex: MasterDataIndex; readonly today: LocalDate },
): Promise<AmendedPublication> => {
  const designators = filed.map(({ carrier }) => carrier);
  for (const { carrier, createdOn = today } of filed) await supersedeAmendments(sql, carrier, createdOn);
  for (const { carrier, from, to } of filed) await upsertFiledSeason(sql, carrier, { from, to });
  await deleteFiledFlights(sql, designators);
  const flights = await listAmendedFlights(sql, designators);
  const amendmentOf = new Map<Itinerary, number>();
  if (flights.length === 0) return { schedules: filed, amendmentOf };
  const names = new Set(flights.map(toDesignatorKey));
  const byFlight = Map.groupBy(
    filed.flatMap(({ itineraries }) => itineraries.filter(({ legs: [first] }) => names.has(toDesignatorKey(first)))),
    ({ legs: [first] }) => toDesignatorKey(first),
  );
  for (const flight of flights) await insertFiledFlight(sql, flight, byFlight.get(toDesignatorKey(flight)) ?? []);
  const amendments = await listAmendments(sql, flights);
  const zoneOf = (station: string): string | undefined => findStation(masterDataIndex, station)?.zone;
  const seasonEnds = await listSeasonEnds(
    sql,
    flights.map(({ carrier }) => carrier),
  );
  const amended = applyAmendments(byFlight, listAmendmentsInForce(amendments, undefined), {
    zoneOf,
    seasonEndOf: (carrier) => seasonEnds.get(carrier),
  });
  await storeOutcomes(sql, amendments, amended.outcomes);
  const inForce = [...amended.flights.values()].flat();
  for (const { itinerary, amendmentId } of inForce)
    if (amendmentId !== undefined) amendmentOf.set(itinerary, amendmentId);
  const itinerariesOf = ({ carrier, itineraries }: CarrierSchedule): readonly Itinerary[] => [
    ...itineraries.filter(({ legs: [first] }) => !names.has(toDesignatorKey(first))),
    ...inForce.flatMap(({ itinerary }) => (itinerary.legs[0].carrier === carrier ? itinerary : [])),
  ];
  return { schedules: filed.map((schedule) => ({ ...schedule, itineraries: itinerariesOf(schedule) })), amendmentOf };
};
