import { formatDate } from '../../../domain/time/dates.ts';
import { serviceTypeOf } from '../../../domain/schedule/service-types.ts';
import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightReference } from '../../../domain/status/message.ts';
import { isSurface } from '../world/equipment.ts';

/** The demo world names its flights by designator and departure airport only. */
export type DemoReference = Extract<FlightReference, { by: 'designator' }>;

/** One leg of the demo world on one day, as far as its life depends on it. */
export type DemoFlight = {
  readonly reference: DemoReference;
  /** Scheduled, UTC. */
  readonly departsAt: UtcSecond;
  readonly arrivesAt: UtcSecond;
  /** Each '' when there is none. */
  readonly aircraftType: { readonly iata: string; readonly icao: string };
  /** '' where there is nothing to tell. */
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  readonly serviceType: string;
  /** The leg before under the same designator: this one does not leave before that one is in. */
  readonly follows?: DemoFlight | undefined;
  /** Given for a flight that no schedule holds: since when it is known, and whose passengers it takes on. */
  readonly unscheduled?:
    | { readonly announcedAt: UtcSecond; readonly recovers: FlightReference | undefined }
    | undefined;
};

/** The same for all legs of a flight, and for no other flight. */
export const flightKey = ({ carrier, flightNumber, suffix, originDate }: DemoReference): string =>
  `${carrier}/${flightNumber}${suffix}/${originDate}`;

/** The same for no other leg: no designator of the demo world leaves an airport twice on its way. */
export const legKey = (reference: DemoReference): string => `${flightKey(reference)}/${reference.departureAirport}`;

/** How the messages of a leg begin their ids: `demo:L0/101/2026-11-21/LHR`. */
export const messagePrefix = ({ carrier, flightNumber, suffix, originDate, departureAirport }: DemoReference): string =>
  `demo:${carrier}/${flightNumber}${suffix}/${formatDate(originDate)}/${departureAirport}`;

/** Whether it goes by road or rail: it leaves and arrives, but has neither take-off and touchdown nor a registration. */
export const keepsToTheGround = ({ serviceType, aircraftType }: DemoFlight): boolean =>
  serviceTypeOf(serviceType)?.surface === true || isSurface(aircraftType.iata);

/** Whether it has passengers to tell of gates, counters and baggage. */
export const carriesPassengers = ({ serviceType }: DemoFlight): boolean =>
  serviceTypeOf(serviceType)?.classes.includes('Passenger') === true;

/** So many minutes later, or earlier when negative; rounded to whole minutes, as movements are reported. */
export const later = (at: UtcSecond, minutes: number): UtcSecond => (at + Math.round(minutes) * 60) as UtcSecond;
