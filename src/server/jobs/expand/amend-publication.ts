import { findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import type { CarrierSchedule, Itinerary } from '#domain/schedule/schedule.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import { upsertFiledSeason } from '#store/schedules/filed-seasons.ts';
import { replaceCancellations } from '#store/status/schedule-cancellations.ts';
import {
  deleteFiledFlights,
  insertFiledFlight,
  listAmendedFlights,
  listAmendments,
  updateScheduleFile,
} from '#store/schedules/schedule-messages.ts';
import { applyStoredAmendments } from './apply-stored-amendments.ts';

type AmendedPublication = {
  readonly schedules: readonly CarrierSchedule[];
  /** The amendments that caused itineraries; those of the file have none. */
  readonly amendmentOf: ReadonlyMap<Itinerary, number>;
  /** Whether cancellations were added or withdrawn. */
  readonly hasCancellations: boolean;
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
  for (const { carrier, createdOn = today } of filed) await updateScheduleFile(sql, carrier, createdOn);
  for (const { carrier, from, to } of filed) await upsertFiledSeason(sql, carrier, { from, to });
  await deleteFiledFlights(sql, designators);
  const flights = await listAmendedFlights(sql, designators);
  const amendmentOf = new Map<Itinerary, number>();
  if (flights.length === 0) {
    const cancelledDates = await replaceCancellations(sql, { designators }, []);
    return { schedules: filed, amendmentOf, hasCancellations: cancelledDates.length > 0 };
  }
  const names = new Set(flights.map(toDesignatorKey));
  const byFlight = Map.groupBy(
    filed.flatMap(({ itineraries }) => itineraries.filter(({ legs: [first] }) => names.has(toDesignatorKey(first)))),
    ({ legs: [first] }) => toDesignatorKey(first),
  );
  for (const flight of flights) await insertFiledFlight(sql, flight, byFlight.get(toDesignatorKey(flight)) ?? []);
  const amendments = await listAmendments(sql, flights);
  const zoneOf = (station: string): string | undefined => findStation(masterDataIndex, station)?.zone;
  const amended = await applyStoredAmendments(sql, { filed: byFlight, amendments, zoneOf });
  const isReplaced = new Set(designators);
  const cancelledDates = await replaceCancellations(
    sql,
    { designators },
    amended.cancellationRows.filter(({ flight }) => isReplaced.has(flight.carrier)),
  );
  const inForce = [...amended.flights.values()].flat();
  for (const { itinerary, amendmentId } of inForce)
    if (amendmentId !== undefined) amendmentOf.set(itinerary, amendmentId);
  const itinerariesOf = ({ carrier, itineraries }: CarrierSchedule): readonly Itinerary[] => [
    ...itineraries.filter(({ legs: [first] }) => !names.has(toDesignatorKey(first))),
    ...inForce.flatMap(({ itinerary }) => (itinerary.legs[0].carrier === carrier ? itinerary : [])),
  ];
  const schedules = filed.map((schedule) => ({ ...schedule, itineraries: itinerariesOf(schedule) }));
  return { schedules, amendmentOf, hasCancellations: cancelledDates.length > 0 };
};
