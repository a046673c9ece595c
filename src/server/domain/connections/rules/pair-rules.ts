import type { Designator } from '#domain/schedule/schedule.ts';
import { findServiceType, type ServiceClass } from '#domain/schedule/service-types.ts';
import type { ConnectingFlight } from '../flights/connecting-flight.ts';
import type { CarrierRelations, ConnectionType } from './carrier-relations.ts';
import {
  isInternational,
  interpretRestrictions,
  listTrafficRejections,
  type ConnectingEnd,
} from './traffic-rejections.ts';
import type { RuleName } from './rule-verdict.ts';

/** The permitted use of a pair of flights, according to the rules that depend neither on airports nor on times. */
export type PairUse = {
  /** Both false when the pair is forbidden. */
  readonly passenger: boolean;
  readonly cargo: boolean;
  readonly type: ConnectionType;
  /** The first of the rules `service`, `codeshare`, `partners` and `traffic-restriction` that forbids it. */
  readonly forbiddenBy: RuleName | undefined;
};

/** Lists what a flight carries commercially: passengers, cargo, both, or nothing. */
export const listServiceClasses = ({ serviceType }: Pick<ConnectingFlight, 'serviceType'>): readonly ServiceClass[] =>
  findServiceType(serviceType)?.classes ?? [];

/** Returns whether a flight of a service type can be part of a connection. */
export const isConnectingServiceType = (serviceType: string): boolean => listServiceClasses({ serviceType }).length > 0;

/** Lists the service classes that two flights have in common. */
export const listCommonClasses = (flight1: ConnectingFlight, flight2: ConnectingFlight): readonly ServiceClass[] => {
  const classes = listServiceClasses(flight2);
  return listServiceClasses(flight1).filter((serviceClass) => classes.includes(serviceClass));
};

/** Returns whether the rule `codeshare` is met: a marketing flight connects only with flights of the same designator. */
export const isCodeshareAllowed = (flight1: ConnectingFlight, flight2: ConnectingFlight): boolean =>
  flight1.carrier === flight2.carrier || !(flight1.isMarketing || flight2.isMarketing);

const isSame = (one: Designator, other: Designator): boolean =>
  one.flightNumber === other.flightNumber && one.carrier === other.carrier && one.suffix === other.suffix;

/** Returns whether two flights are the same flight, under any of their designators (rule `same-flight`). */
export const isSameFlight = (flight1: ConnectingFlight, flight2: ConnectingFlight): boolean =>
  isSame(flight1, flight2) || isSame(flight1.operating, flight2.operating);

/** Applies the rules that depend neither on times nor on the positions of airports. */
export const computePairUse = (
  flight1: ConnectingFlight,
  flight2: ConnectingFlight,
  relations: CarrierRelations,
): PairUse => {
  const type = relations.getConnectionType(flight1.carrier, flight2.carrier);
  const forbidden = (forbiddenBy: RuleName): PairUse => ({ passenger: false, cargo: false, type, forbiddenBy });
  const classes = listCommonClasses(flight1, flight2);
  if (classes.length === 0) return forbidden('service');
  if (!isCodeshareAllowed(flight1, flight2)) return forbidden('codeshare');
  if (!relations.canSellTogether(flight1, flight2)) return forbidden('partners');
  const allowed = classes.filter((service) => listTrafficRejections(flight1, flight2, service).length === 0);
  if (allowed.length === 0) return forbidden('traffic-restriction');
  return { passenger: allowed.includes('Passenger'), cargo: allowed.includes('Cargo'), type, forbiddenBy: undefined };
};

/** Restrictions are compared by the applied code; order and repetition are irrelevant. */
const computeTrafficKey = (flight: ConnectingFlight, end: ConnectingEnd): string => {
  if (flight.restrictions.length === 0) return '';
  const texts = listServiceClasses(flight).flatMap((service) =>
    interpretRestrictions(flight, end, service).map(
      ({ readAs, holdsHere }) => `${service}:${readAs}${holdsHere ? '' : '~'}`,
    ),
  );
  return [...new Set(texts)].toSorted().join(',');
};

const computeKey = (flight: ConnectingFlight, end: ConnectingEnd): string =>
  [
    flight.carrier,
    flight.isMarketing ? 'marketing' : '',
    flight.operatingCarrier,
    listServiceClasses(flight).join(','),
    isInternational(flight) ? 'international' : '',
    computeTrafficKey(flight, end),
  ].join('|');

/** Returns a key: flights of equal keys have, as leg 1, the same uses with every leg 2. */
export const computeLeg1Key = (flight: ConnectingFlight): string => computeKey(flight, 'off');

/** Returns a key: flights of equal keys have, as leg 2, the same uses with every leg 1. */
export const computeLeg2Key = (flight: ConnectingFlight): string => computeKey(flight, 'board');
