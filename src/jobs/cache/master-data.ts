import { setImmediate } from 'node:timers/promises';
import { minuteOfInstant } from '../../domain/time/dates.ts';
import { newDirectory, type Directory } from '../../domain/master-data/directory.ts';
import { newCarrierRecords } from '../../domain/master-data/carrier-records.ts';
import { newEquipmentRecords } from '../../domain/master-data/equipment-records.ts';
import { newLocationRecords } from '../../domain/master-data/location-records.ts';
import type { MasterRecords } from '../../domain/master-data/master-records.ts';
import { zoneClock } from '../../domain/time/zone-clock.ts';
import { allCarriers } from '../../store/master-data/carriers.ts';
import { allCities } from '../../store/master-data/cities.ts';
import { allCountries } from '../../store/master-data/countries.ts';
import type { Database } from '../../store/pool/database.ts';
import { allEquipment } from '../../store/master-data/equipment.ts';
import { readInUse } from '../../store/master-data/in-use.ts';
import { allLocations } from '../../store/master-data/locations.ts';
import { equipmentEntries, factsOfCarriers, factsOfLocations } from '../../store/master-data/master-records.ts';

/** Master data in memory: what flights need of them, and all that is known of them. The two share their locations and carriers. */
export type MasterData = { readonly directory: Directory; readonly records: MasterRecords };

/** Reads all master data as they stand at one moment. `clock` tells when they have been read. */
export const readMasterData = async (db: Database, clock: () => Date): Promise<MasterData> => {
  const read = await db.begin('isolation level repeatable read read only', async (sql) => ({
    locations: await allLocations(sql),
    carriers: await allCarriers(sql),
    equipment: await allEquipment(sql),
    inUse: await readInUse(sql),
    cities: await allCities(sql),
    countryNames: await allCountries(sql),
    factsOfLocations: await factsOfLocations(sql),
    factsOfCarriers: await factsOfCarriers(sql),
    equipmentEntries: await equipmentEntries(sql),
  }));
  const { locations, carriers, cities, countryNames } = read;
  const directory = newDirectory(read);
  return {
    directory,
    records: {
      locations: newLocationRecords({ locations, cities, factsOf: read.factsOfLocations }),
      carriers: newCarrierRecords({ carriers, factsOf: read.factsOfCarriers, isInUse: directory.isCarrierInUse }),
      equipment: newEquipmentRecords(read.equipmentEntries),
      countryNames,
      readAt: clock(),
    },
  };
};

/**
 * Reads all master data, and looks at the clocks of their zones once, one after the other: the first look at a zone takes some
 * milliseconds, and the first page of locations would hold up every other request for the time of a hundred.
 */
export const readServedMasterData = async (db: Database, clock: () => Date): Promise<MasterData> => {
  const masterData = await readMasterData(db, clock);
  const now = minuteOfInstant(clock());
  for (const zone of masterData.records.locations.zones()) {
    zoneClock(zone, now);
    await setImmediate();
  }
  return masterData;
};
