import { findReferenceCarrier, findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { listMarketingCarriers } from '#domain/schedule/segments.ts';
import type { CarrierSchedule } from '#domain/schedule/schedule.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { getOrInsertCarrier } from '#store/master-data/carriers.ts';
import type { Sql } from '#store/pool/database.ts';
import { getOrInsertLocation } from '#store/master-data/locations.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';

const collectStations = (schedules: readonly CarrierSchedule[]): ReadonlySet<string> => {
  const stations = new Set<string>();
  for (const { itineraries } of schedules)
    for (const { legs } of itineraries)
      for (const { departure, arrival } of legs) stations.add(departure.station).add(arrival.station);
  return stations;
};

/** Lists the carriers of schedules, and those whose marketing flights their operating flights name. */
const collectCarriers = (schedules: readonly CarrierSchedule[]): ReadonlySet<string> => {
  const carriers = new Set(schedules.map(({ carrier }) => carrier));
  for (const { itineraries } of schedules)
    for (const itinerary of itineraries) for (const code of listMarketingCarriers(itinerary)) carriers.add(code);
  return carriers;
};

/**
 * Inserts the carriers and stations of schedules that master data lack, with a remark for each; returns the complete
 * master data index.
 */
export const addMissingMasterData = async (
  sql: Sql,
  schedules: readonly CarrierSchedule[],
  report: LoadReport,
): Promise<MasterDataIndex> => {
  const before = await readMasterDataIndex(sql);
  const carriers = [...collectCarriers(schedules)].filter((code) => !findReferenceCarrier(before, code));
  const stations = [...collectStations(schedules)].filter((code) => !findStation(before, code)).toSorted();
  for (const code of carriers) {
    await getOrInsertCarrier(sql, code.length === 3 ? { icao: code } : { iata: code });
    report.entries.push({
      severity: 'notice',
      field: 'carrier',
      value: code,
      reason: 'carrier-unknown',
      message: 'the carrier is not in the master data; it was added with its code only',
    });
  }
  for (const code of stations) {
    await getOrInsertLocation(sql, { iata: code });
    report.entries.push({
      severity: 'notice',
      field: 'station',
      value: code,
      reason: 'station-unknown',
      message:
        'the station is not in the master data; it was added with its code only, and its times use the filed UTC variations',
    });
  }
  return carriers.length + stations.length > 0 ? readMasterDataIndex(sql) : before;
};
