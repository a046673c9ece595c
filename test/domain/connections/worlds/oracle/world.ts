import type { MctDefaults, MctFile } from '#domain/connections/mct/mct-record.ts';
import type { Designator, Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';

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

/** The input of a connection build. Days count from 1970-01-01. */
export type World = {
  readonly stations: readonly Station[];
  /** By IATA type; a type without an entry has an unknown body. */
  readonly bodies: Readonly<Record<string, 'W' | 'N' | ''>>;
  /** By designator. */
  readonly alliances: Readonly<Record<string, string>>;
  readonly itineraries: readonly Itinerary[];
  /** Flights that messages cancel, by the local date on which their aircraft would leave its first station: all legs, or one. */
  readonly cancelled: readonly {
    readonly flight: Designator;
    readonly date: number;
    readonly leg: ScheduleLeg | undefined;
  }[];
  readonly mct: MctFile;
  readonly defaults: MctDefaults;
  /** First local departure date of a leg 1, and the number of dates. */
  readonly from: number;
  readonly days: number;
};

const codes = { cityCode: '', countryCode: '', stateCode: '' };
const nowhere = { ...codes, latitude: undefined, longitude: undefined, zone: undefined };

/** Returns the master data of a code; an unknown location has only its code. */
export const getStation = (world: World, iata: string): Station =>
  world.stations.find((station) => station.iata === iata) ?? { ...nowhere, iata };
