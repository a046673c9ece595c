import type { CarrierRecords } from './carrier-records.ts';
import type { EquipmentRecords } from './equipment-records.ts';
import type { LocationRecords } from './location-records.ts';

/** All records of the Master Data product, in memory. */
export type MasterRecords = {
  readonly locations: LocationRecords;
  readonly carriers: CarrierRecords;
  readonly equipment: EquipmentRecords;
  /** Names of countries by ISO 3166-1 alpha-2 code. */
  readonly countryNames: ReadonlyMap<string, string>;
  /** When the records were read: the earliest possible `Last-Modified` of a response. */
  readonly readAt: Date;
};
