import type { Restriction } from '#domain/schedule/schedule.ts';
import type { ServiceClass } from '#domain/schedule/service-types.ts';
import { findTrafficRestriction } from '#domain/schedule/traffic-restrictions.ts';
import type { ConnectingFlight } from '../flights/connecting-flight.ts';

/** The end of a flight that connects: the off point of leg 1, the board point of leg 2. */
export type ConnectingEnd = 'off' | 'board';

/** A restriction in its effect on one service at the connecting end of a flight. */
export type InterpretedRestriction = {
  readonly service: ServiceClass;
  readonly code: string;
  /** The code whose meaning applies; for cargo it can differ from the filed one. */
  readonly readAs: string;
  /** Whether it holds at the connecting end, or only at the other end of the flight. */
  readonly holdsHere: boolean;
};

/** A restriction that forbids the connection, and why: the property the other flight lacks, or `never`. */
export type TrafficRejection = InterpretedRestriction & {
  readonly leg: 1 | 2;
  readonly reason: 'never' | 'not-online' | 'not-international' | 'not-domestic' | 'no-local-sale' | 'both-qualified';
};

/** Returns whether a flight is international: its end points are not known to be in the same country. */
export const isInternational = ({ airports }: Pick<ConnectingFlight, 'airports'>): boolean => {
  const board = airports[0].countryCode;
  return board === '' || board !== airports.at(-1)?.countryCode;
};

const appliesTo = (service: ServiceClass, { passenger, cargo, mail }: Restriction, serviceType: string): boolean => {
  if (service === 'Passenger') return passenger;
  return cargo || (mail && serviceType === 'M');
};

/** Returns the restrictions of a flight that apply to a connection for one service, in filing order. */
export const interpretRestrictions = (
  { restrictions, serviceType }: ConnectingFlight,
  end: ConnectingEnd,
  service: ServiceClass,
): readonly InterpretedRestriction[] =>
  restrictions
    .filter(
      (restriction) => appliesTo(service, restriction, serviceType) && (restriction.boardPoint || restriction.offPoint),
    )
    .map((restriction) => ({
      service,
      code: restriction.code,
      readAs: (service === 'Cargo' && findTrafficRestriction(restriction.code)?.asCargo) || restriction.code,
      holdsHere: end === 'off' ? restriction.offPoint : restriction.boardPoint,
    }));

type OtherFlight = { readonly isOnline: boolean; readonly isInternational: boolean };

/** Returns why a restriction forbids the connection, given the other flight; undefined when it allows it. */
const findRejectionReason = (
  { readAs, holdsHere }: InterpretedRestriction,
  other: OtherFlight,
): Exclude<TrafficRejection['reason'], 'both-qualified'> | undefined => {
  const restriction = findTrafficRestriction(readAs);
  if (restriction === undefined) return 'never';
  if (!holdsHere) return restriction.localSale === 'yes' ? undefined : 'no-local-sale';
  switch (restriction.connection) {
    case 'any':
      return undefined;
    case 'online':
      return other.isOnline ? undefined : 'not-online';
    case 'international':
      return other.isInternational ? undefined : 'not-international';
    case 'international-online':
      if (!other.isInternational) return 'not-international';
      return other.isOnline ? undefined : 'not-online';
    case 'domestic':
      return other.isInternational ? 'not-domestic' : undefined;
    case 'none':
    case 'by-traffic':
      return 'never';
  }
};

const isQualified = ({ readAs, holdsHere }: InterpretedRestriction): boolean =>
  holdsHere && findTrafficRestriction(readAs)?.qualified === true;

/** Lists the restrictions that forbid a connection for one service, those of leg 1 first; empty when it is allowed. */
export const listTrafficRejections = (
  flight1: ConnectingFlight,
  flight2: ConnectingFlight,
  service: ServiceClass,
): readonly TrafficRejection[] => {
  if (flight1.restrictions.length === 0 && flight2.restrictions.length === 0) return [];
  const first = interpretRestrictions(flight1, 'off', service);
  const second = interpretRestrictions(flight2, 'board', service);
  const isOnline = flight1.carrier === flight2.carrier;
  const bothQualified = first.some(isQualified) && second.some(isQualified);
  const rejections = (interpreted: readonly InterpretedRestriction[], leg: 1 | 2): readonly TrafficRejection[] => {
    const other = { isOnline, isInternational: isInternational(leg === 1 ? flight2 : flight1) };
    return interpreted.flatMap((restriction) => {
      const reason =
        findRejectionReason(restriction, other) ??
        (bothQualified && isQualified(restriction) ? 'both-qualified' : undefined);
      return reason === undefined ? [] : [{ ...restriction, leg, reason }];
    });
  };
  return [...rejections(first, 1), ...rejections(second, 2)];
};
