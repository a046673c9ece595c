import type { Designator } from '../../schedule/schedule.ts';
import { serviceTypeOf, type ServiceClass } from '../../schedule/service-types.ts';
import type { ConnectingFlight } from '../connecting-flight.ts';
import type { CarrierTies } from './cooperation.ts';
import { isInternational, trafficReadingsOf, trafficRefusalsOf, type ConnectingEnd } from './pair-traffic.ts';
import type { RuleName } from './rule-names.ts';
import type { ConnectionType } from '../wanted-connections.ts';

/** What a pair of flights can be used for, as far as neither place nor time have a say. */
export type PairUse = {
  /** Both false when the pair is forbidden. */
  readonly passenger: boolean;
  readonly cargo: boolean;
  readonly type: ConnectionType;
  /** The first of the rules `service`, `codeshare`, `partners` and `traffic-restriction` that forbids it. */
  readonly forbiddenBy: RuleName | undefined;
};

/** What a flight carries for money: passengers, cargo, both, or nothing. */
export const serviceClassesOf = ({ serviceType }: Pick<ConnectingFlight, 'serviceType'>): readonly ServiceClass[] =>
  serviceTypeOf(serviceType)?.classes ?? [];

/** The classes that two flights have in common. */
export const commonClassesOf = (flight1: ConnectingFlight, flight2: ConnectingFlight): readonly ServiceClass[] => {
  const classes = serviceClassesOf(flight2);
  return serviceClassesOf(flight1).filter((serviceClass) => classes.includes(serviceClass));
};

/** The rule `codeshare`: a marketing flight connects with flights under its own designator only. */
export const isCodeshareAllowed = (flight1: ConnectingFlight, flight2: ConnectingFlight): boolean =>
  flight1.carrier === flight2.carrier || !(flight1.isMarketing || flight2.isMarketing);

const isSame = (one: Designator, other: Designator): boolean =>
  one.flightNumber === other.flightNumber && one.carrier === other.carrier && one.suffix === other.suffix;

/** The rule `same-flight`: a flight does not connect with itself, whatever it is sold as. */
export const isSameFlight = (flight1: ConnectingFlight, flight2: ConnectingFlight): boolean =>
  isSame(flight1, flight2) || isSame(flight1.operating, flight2.operating);

/** Judges a pair by all rules that depend neither on time nor on where the airports are. */
export const pairUse = (flight1: ConnectingFlight, flight2: ConnectingFlight, ties: CarrierTies): PairUse => {
  const type = ties.typeOf(flight1.carrier, flight2.carrier);
  const forbidden = (forbiddenBy: RuleName): PairUse => ({ passenger: false, cargo: false, type, forbiddenBy });
  const classes = commonClassesOf(flight1, flight2);
  if (classes.length === 0) return forbidden('service');
  if (!isCodeshareAllowed(flight1, flight2)) return forbidden('codeshare');
  if (!ties.maySellTogether(flight1, flight2)) return forbidden('partners');
  const allowed = classes.filter((service) => trafficRefusalsOf(flight1, flight2, service).length === 0);
  if (allowed.length === 0) return forbidden('traffic-restriction');
  return { passenger: allowed.includes('Passenger'), cargo: allowed.includes('Cargo'), type, forbiddenBy: undefined };
};

/** Restrictions count by what they are read as; in which order, and how often, changes nothing. */
const trafficKeyOf = (flight: ConnectingFlight, end: ConnectingEnd): string => {
  if (flight.restrictions.length === 0) return '';
  const texts = serviceClassesOf(flight).flatMap((service) =>
    trafficReadingsOf(flight, end, service).map(
      ({ readAs, holdsHere }) => `${service}:${readAs}${holdsHere ? '' : '~'}`,
    ),
  );
  return [...new Set(texts)].toSorted().join(',');
};

const keyOf = (flight: ConnectingFlight, end: ConnectingEnd): string =>
  [
    flight.carrier,
    flight.isMarketing ? 'marketing' : '',
    flight.operating.carrier,
    serviceClassesOf(flight).join(','),
    isInternational(flight) ? 'international' : '',
    trafficKeyOf(flight, end),
  ].join('|');

/** Flights of equal keys have, as leg 1, equal uses with every leg 2. */
export const leg1KeyOf = (flight: ConnectingFlight): string => keyOf(flight, 'off');

/** Flights of equal keys have, as leg 2, equal uses with every leg 1. */
export const leg2KeyOf = (flight: ConnectingFlight): string => keyOf(flight, 'board');
