import {
  createConnectionMasterData,
  type ConnectionMasterData,
} from '../../domain/connections/flights/connection-master-data.ts';
import type { MctFile } from '../../domain/connections/mct/mct-record.ts';
import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { DateSpan } from '../../domain/schedule/departure-span.ts';
import { carrierIn, type Directory } from '../../domain/master-data/directory.ts';
import { designatorKey } from '../../domain/schedule/flight-references.ts';
import type { CarrierFacts } from '../../domain/master-data/master-data-facts.ts';
import { membershipOn } from '../../domain/master-data/on-day.ts';
import type { Itinerary } from '../../domain/schedule/schedule.ts';
import { allCarriers } from '../../store/master-data/carriers.ts';
import type { Sql } from '../../store/pool/database.ts';
import { equipmentEntries, factsOfCarriers, factsOfLocations } from '../../store/master-data/master-records.ts';
import { readMctFile } from '../../store/connections/mct.ts';
import { currentItineraries } from '../../store/schedules/schedules.ts';
import { readDirectory } from '../cache/directory.ts';

/** What connections are made of beside the schedules. */
export type ConnectionSources = {
  readonly places: ConnectionMasterData;
  readonly mct: MctFile;
  /** The alliance of a carrier on the day, by the designator that means it in schedules. */
  readonly alliances: Readonly<Record<string, string>>;
};

const alliancesOn = (
  designators: readonly string[],
  day: LocalDate,
  { directory, facts }: { readonly directory: Directory; readonly facts: ReadonlyMap<number, CarrierFacts> },
): Readonly<Record<string, string>> => {
  const entries = designators.flatMap((designator) => {
    const owner = carrierIn(directory, designator);
    const membership = owner && membershipOn(facts.get(owner.id)?.memberships ?? [], formatDate(day));
    return membership ? [[designator, membership.alliance] as const] : [];
  });
  return Object.fromEntries(entries);
};

/** Reads master data and minimum connecting times; alliances are those of `day`. */
export const readConnectionSources = async (sql: Sql, day: LocalDate): Promise<ConnectionSources> => {
  const directory = await readDirectory(sql);
  const regions = await factsOfLocations(sql);
  const facts = await factsOfCarriers(sql);
  const bodies = new Map((await equipmentEntries(sql)).map(({ iata, facts: { body } }) => [iata, body]));
  const designators = (await allCarriers(sql)).flatMap(({ iata, icao }) => [iata, icao]).filter((code) => code !== '');
  return {
    places: createConnectionMasterData({
      directory,
      regionOf: (id) => regions.get(id)?.region,
      bodyOf: (equipment) => (equipment === '' ? undefined : bodies.get(equipment)),
    }),
    mct: await readMctFile(sql),
    alliances: alliancesOn([...new Set(designators)], day, { directory, facts }),
  };
};

/** The itineraries in force that can depart on some dates, those of one flight designator together, by itinerary variation. */
export async function* readFlightsInForce(sql: Sql, { from, to }: DateSpan): AsyncGenerator<readonly Itinerary[]> {
  let flight: Itinerary[] = [];
  let name = '';
  for await (const { itinerary } of currentItineraries(sql, { from, to, without: [] })) {
    const next = designatorKey(itinerary.legs[0]);
    if (next !== name && flight.length > 0) {
      yield flight;
      flight = [];
    }
    name = next;
    flight.push(itinerary);
  }
  if (flight.length > 0) yield flight;
}
