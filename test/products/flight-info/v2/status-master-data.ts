import { createMasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import { toInstant } from '#test/domain/status/observations.ts';

type TestLocation = Pick<Location, 'id' | 'iata' | 'icao' | 'faa' | 'countryCode' | 'zone'>;

const nowhere = { name: '', cityCode: '', latitude: undefined, longitude: undefined };

/** IDs 1 to 4 are those of `places` in the tests of the domain; 5 has neither zone nor country, 6 does not exist. */
const locations: readonly TestLocation[] = [
  { id: 1, iata: 'LHR', icao: 'EGLL', faa: '', countryCode: 'GB', zone: 'Europe/London' },
  { id: 2, iata: 'JFK', icao: 'KJFK', faa: 'JFK', countryCode: 'US', zone: 'America/New_York' },
  { id: 3, iata: 'CDG', icao: 'LFPG', faa: '', countryCode: 'FR', zone: 'Europe/Paris' },
  { id: 4, iata: 'LYS', icao: 'LFLL', faa: '', countryCode: 'FR', zone: 'Europe/Paris' },
  { id: 5, iata: '', icao: '', faa: '2G4', countryCode: '', zone: undefined },
  { id: 7, iata: 'KTM', icao: 'VNKT', faa: '', countryCode: 'NP', zone: 'Asia/Kathmandu' },
];

export const masterDataIndex = createMasterDataIndex({
  locations: locations.map((place) => ({ ...nowhere, ...place })),
  carriers: [],
  equipment: [{ iata: '789', icao: 'B789', name: 'Boeing 787-9', cargoTonnes: undefined }],
  inUse: { carriers: new Set(), locations: new Set() },
});

/** London to New York, 11:00 to 14:00 local time, 10:00 to 18:00 UTC. */
export const exampleReference: ScheduleReference = {
  departure: 1,
  arrival: 2,
  scheduledOut: secondToMinute(toInstant('10:00')),
  scheduledIn: secondToMinute(toInstant('18:00')),
  departureOffset: 60,
  arrivalOffset: -240,
  isRecovery: false,
};
