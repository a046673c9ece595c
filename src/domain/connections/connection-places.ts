import { stationIn, type Directory } from '../master-data/directory.ts';
import type { ZoneOf } from '../schedule/instances.ts';
import type { EquipmentFacts, LocationFacts } from '../master-data/master-data-facts.ts';
import type { ConnectionAirport, SectorEquipment } from './connecting-flight.ts';
import { stateCodeOf } from './mct/state-code.ts';

/** What the rules of connections need of master data, by the codes that schedules file. The same code has one and the same object. */
export type ConnectionPlaces = {
  /** A station that no master data know is an airport of which only the code is known. */
  readonly airport: (station: string) => ConnectionAirport;
  readonly equipment: (type: string) => SectorEquipment;
  readonly zoneOf: ZoneOf;
};

const bodies = { Narrow: 'N', Wide: 'W', '': '' } as const;

/** Answers from what was found before: schedules name the same few codes by the million. */
const once = <T>(find: (code: string) => T): ((code: string) => T) => {
  const known = new Map<string, T>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const found = find(code);
    known.set(code, found);
    return found;
  };
};

/** Master data as connections need them; `regionOf` answers by location id, `bodyOf` by IATA code of an aircraft type. */
export const newConnectionPlaces = ({
  directory,
  regionOf,
  bodyOf,
}: {
  readonly directory: Directory;
  readonly regionOf: (locationId: number) => LocationFacts['region'] | undefined;
  readonly bodyOf: (equipment: string) => EquipmentFacts['body'] | undefined;
}): ConnectionPlaces => ({
  airport: once((iata) => {
    const location = stationIn(directory, iata);
    return {
      iata,
      cityCode: location?.cityCode ?? '',
      countryCode: location?.countryCode ?? '',
      stateCode: location ? stateCodeOf(regionOf(location.id)?.code ?? '') : '',
      latitude: location?.latitude,
      longitude: location?.longitude,
    };
  }),
  equipment: once((type) => ({ type, body: bodies[bodyOf(type) ?? ''] })),
  zoneOf: (station) => stationIn(directory, station)?.zone,
});
