import type { Position } from '../../../../domain/master-data/distance.ts';
import type { UtcMillisecond, UtcSecond } from '../../../../domain/status/instants.ts';
import type { FlightState } from '../../../../domain/status/flight-view.ts';
import type { DiversionType } from '../../../../domain/status/message.ts';

/** An airport as the map needs it. */
export type MapStation = Position & {
  /** As a reader knows it, e.g. `LHR`. */
  readonly code: string;
  /** The airport's name. */
  readonly name: string;
  /** The city it serves, where that is known. */
  readonly city: string | undefined;
  /** IANA name of its time zone. */
  readonly zone: string;
};

/** When an aircraft takes off, as it is known now. */
export type TakeOffTimes = {
  readonly scheduledOut: UtcSecond | undefined;
  readonly estimatedOut: UtcSecond | undefined;
  readonly estimatedOff: UtcSecond | undefined;
  readonly actualOut: UtcSecond | undefined;
  readonly actualOff: UtcSecond | undefined;
};

/** When an aircraft lands, as it is known now. */
export type LandingTimes = {
  readonly estimatedOn: UtcSecond | undefined;
  readonly estimatedIn: UtcSecond | undefined;
  readonly actualOn: UtcSecond | undefined;
  readonly actualIn: UtcSecond | undefined;
};

/** A landing at another airport than the one scheduled. */
export type MapLanding = LandingTimes & {
  /** Undefined while nobody has said where, or when the place is not known by its coordinates. */
  readonly station: MapStation | undefined;
  readonly type: DiversionType;
  /** When the flight took off again from there. */
  readonly actualOff: UtcSecond | undefined;
};

/** All that is known of a flight and matters to its map. Instants are UTC. */
export type FlightMapSource = {
  /** Carrier and number as they are printed, e.g. `ZX 101`. */
  readonly designator: string;
  /** Local date of scheduled departure, `YYYY-MM-DD`. */
  readonly departsOn: string;
  readonly state: FlightState;
  readonly departure: MapStation;
  /** The airport at which it was scheduled to arrive. */
  readonly arrival: MapStation;
  readonly takeOff: TakeOffTimes;
  /** Scheduled time at the gate of the arrival airport. */
  readonly scheduledIn: UtcSecond | undefined;
  /** At the arrival airport. */
  readonly destination: LandingTimes;
  /** Landings elsewhere, in the order in which they are made. */
  readonly landings: readonly MapLanding[];
  /** Which of `landings` the flight is bound for or stands at; undefined when that is the scheduled arrival. */
  readonly boundFor: number | undefined;
  /** When the newest of this became known. */
  readonly updatedAt: UtcMillisecond;
};
