import {
  createConnectionMasterData,
  toConnectionCarrier,
  type ConnectionMasterData,
} from '#domain/connections/flights/connection-master-data.ts';
import type { CancelledLegs } from '#domain/connections/flights/connecting-records.ts';
import type { MctFile } from '#domain/connections/mct/mct-record.ts';
import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { DateSpan } from '#domain/time/period.ts';
import { findCarrier, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { type CarrierFacts, findMembershipOn } from '#domain/master-data/master-data-facts.ts';
import { toLegKey } from '#domain/schedule/messages/cancellations.ts';
import type { Itinerary } from '#domain/schedule/schedule.ts';
import { listCarriers } from '#store/master-data/carriers.ts';
import type { Sql } from '#store/pool/database.ts';
import { listEquipmentEntries, readCarrierFacts, readLocationFacts } from '#store/master-data/master-data-facts.ts';
import { readMctFile } from '#store/connections/mct.ts';
import { readCurrentItineraries } from '#store/schedules/schedules.ts';
import { listCancelledLegs } from '#store/status/schedule-cancellations.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';

/** The inputs of a connection set other than schedules. */
export type ConnectionSources = {
  readonly masterData: ConnectionMasterData;
  readonly mct: MctFile;
  /** The alliance of each carrier on a day, by the code of the carrier in connections. */
  readonly alliances: Readonly<Record<string, string>>;
};

const findAlliances = (
  designators: readonly string[],
  day: LocalDate,
  {
    masterDataIndex,
    facts,
  }: { readonly masterDataIndex: MasterDataIndex; readonly facts: ReadonlyMap<number, CarrierFacts> },
): Readonly<Record<string, string>> => {
  const entries = designators.flatMap((designator) => {
    const owner = findCarrier(masterDataIndex, designator);
    const membership = owner && findMembershipOn(facts.get(owner.id)?.memberships ?? [], formatDate(day));
    return membership ? [[toConnectionCarrier(masterDataIndex, designator), membership.alliance] as const] : [];
  });
  return Object.fromEntries(entries);
};

/** Reads master data and minimum connecting times; alliances are those of `day`. */
export const readConnectionSources = async (sql: Sql, day: LocalDate): Promise<ConnectionSources> => {
  const masterDataIndex = await readMasterDataIndex(sql);
  const regions = await readLocationFacts(sql);
  const facts = await readCarrierFacts(sql);
  const bodies = new Map((await listEquipmentEntries(sql)).map(({ iata, facts: { body } }) => [iata, body]));
  const designators = (await listCarriers(sql)).flatMap(({ iata, icao }) => [iata, icao]).filter((code) => code !== '');
  return {
    masterData: createConnectionMasterData({
      masterDataIndex,
      regionOf: (id) => regions.get(id)?.region,
      bodyOf: (equipment) => (equipment === '' ? undefined : bodies.get(equipment)),
    }),
    mct: await readMctFile(sql),
    alliances: findAlliances([...new Set(designators)], day, { masterDataIndex, facts }),
  };
};

const ALWAYS: DateSpan = { from: localDate('0001-01-01'), to: localDate('9999-12-31') };

/** Reads all itineraries in force, grouped by flight designator, in order of itinerary variation. */
export async function* readFlightsInForce(sql: Sql): AsyncGenerator<readonly Itinerary[]> {
  let flight: Itinerary[] = [];
  let key = '';
  for await (const { itinerary } of readCurrentItineraries(sql, { ...ALWAYS, without: [] })) {
    const next = toDesignatorKey(itinerary.legs[0]);
    if (next !== key && flight.length > 0) {
      yield flight;
      flight = [];
    }
    key = next;
    flight.push(itinerary);
  }
  if (flight.length > 0) yield flight;
}

/** Reads the legs that schedule messages cancel, by designator key. */
export const readCancelledLegs = async (sql: Sql): Promise<ReadonlyMap<string, CancelledLegs>> => {
  const byFlight = new Map<string, Map<LocalDate, Set<string>>>();
  for (const { flight, originDate, ...leg } of await listCancelledLegs(sql)) {
    const key = toDesignatorKey(flight);
    const byDate = byFlight.get(key) ?? new Map<LocalDate, Set<string>>();
    byFlight.set(key, byDate.set(originDate, (byDate.get(originDate) ?? new Set()).add(toLegKey(leg))));
  }
  return byFlight;
};
