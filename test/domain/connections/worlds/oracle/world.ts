import type { MctDefaults, MctFile } from '../../../../../src/domain/connections/mct/mct-record.ts';
import type { Itinerary } from '../../../../../src/domain/schedule/schedule.ts';

/** An airport of master data; codes are '' where unknown. */
export type Station = {
  readonly iata: string;
  readonly cityCode: string;
  readonly countryCode: string;
  readonly stateCode: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly zone: string | undefined;
};

/** All that connections are made from. Days count from 1970-01-01. */
export type World = {
  readonly stations: readonly Station[];
  /** By IATA type; a type that is not in it has no known body. */
  readonly bodies: Readonly<Record<string, 'W' | 'N' | ''>>;
  /** By designator. */
  readonly alliances: Readonly<Record<string, string>>;
  readonly itineraries: readonly Itinerary[];
  readonly mct: MctFile;
  readonly defaults: MctDefaults;
  /** First local date of departure of a leg 1, and how many there are. */
  readonly from: number;
  readonly days: number;
};

/** What master data has for a code; a place nobody knows has only its code. */
export const getStation = (world: World, iata: string): Station =>
  world.stations.find((station) => station.iata === iata) ?? {
    iata,
    cityCode: '',
    countryCode: '',
    stateCode: '',
    latitude: undefined,
    longitude: undefined,
    zone: undefined,
  };
