import type { Position } from '#domain/master-data/distance.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { FlightState } from '#domain/status/flight-view.ts';
import type { DiversionType } from '#domain/status/message.ts';

/** An airport with its time zone. */
export type MapStation = Position & {
  /** The IATA code, else ICAO or FAA, e.g. `LHR`. */
  readonly code: string;
  /** The airport's name. */
  readonly name: string;
  /** The city it serves, if known. */
  readonly city: string | undefined;
  /** IANA name of its time zone. */
  readonly zone: string;
};

/** The currently known departure times. */
export type TakeOffTimes = {
  readonly scheduledOut: UtcSecond | undefined;
  readonly estimatedOut: UtcSecond | undefined;
  readonly estimatedOff: UtcSecond | undefined;
  readonly actualOut: UtcSecond | undefined;
  readonly actualOff: UtcSecond | undefined;
};

/** The currently known arrival times. */
export type LandingTimes = {
  readonly estimatedOn: UtcSecond | undefined;
  readonly estimatedIn: UtcSecond | undefined;
  readonly actualOn: UtcSecond | undefined;
  readonly actualIn: UtcSecond | undefined;
};

/** A landing at another airport than the scheduled one. */
export type MapLanding = LandingTimes & {
  /** Undefined until the airport is reported, or if it has no coordinates. */
  readonly station: MapStation | undefined;
  readonly type: DiversionType;
  /** When the flight took off again. */
  readonly actualOff: UtcSecond | undefined;
};

/** The data of a flight for its map. Instants are UTC. */
export type FlightMapSource = {
  /** Carrier and number, e.g. `ZX 101`. */
  readonly designator: string;
  /** Local date of scheduled departure, `YYYY-MM-DD`. */
  readonly departsOn: string;
  readonly state: FlightState;
  readonly departure: MapStation;
  /** The scheduled arrival airport. */
  readonly arrival: MapStation;
  readonly takeOff: TakeOffTimes;
  /** Scheduled time at the gate of the arrival airport. */
  readonly scheduledIn: UtcSecond | undefined;
  /** At the arrival airport. */
  readonly destination: LandingTimes;
  /** Landings at other airports, in time order. */
  readonly landings: readonly MapLanding[];
  /** Index of the landing that the flight is bound for or has made; undefined for the scheduled arrival. */
  readonly boundFor: number | undefined;
  /** When the newest of these data was reported. */
  readonly updatedAt: UtcMillisecond;
};
