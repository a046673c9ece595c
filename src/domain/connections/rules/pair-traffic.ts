import type { Restriction } from '../../schedule/schedule.ts';
import type { ServiceClass } from '../../schedule/service-types.ts';
import { trafficRestrictionOf } from '../../schedule/traffic-restrictions.ts';
import type { ConnectingFlight } from '../connecting-flight.ts';

/** Which end of a flight connects: the off point of leg 1, the board point of leg 2. */
export type ConnectingEnd = 'off' | 'board';

/** A restriction as it bears on one service at the connecting end of a flight. */
export type TrafficReading = {
  readonly service: ServiceClass;
  readonly code: string;
  /** The code that is read: for cargo it can be another than the filed one. */
  readonly readAs: string;
  /** Whether it holds at the connecting end, or only at the other end of the flight. */
  readonly holdsHere: boolean;
};

/** Why a restriction does not let a connection be: what the other flight would have to be, or that nothing helps. */
export type TrafficRefusal = TrafficReading & {
  readonly leg: 1 | 2;
  readonly reason: 'never' | 'not-online' | 'not-international' | 'not-domestic' | 'no-local-sale' | 'both-qualified';
};

/** International, unless the countries of its two ends are known to be the same. */
export const isInternational = ({ airports }: Pick<ConnectingFlight, 'airports'>): boolean => {
  const board = airports[0].countryCode;
  return board === '' || board !== airports.at(-1)?.countryCode;
};

const bearsOn = (service: ServiceClass, { passenger, cargo, mail }: Restriction, serviceType: string): boolean => {
  if (service === 'Passenger') return passenger;
  return cargo || (mail && serviceType === 'M');
};

/** The restrictions of a flight that bear on a connection for one service, in the order in which they are filed. */
export const trafficReadingsOf = (
  { restrictions, serviceType }: ConnectingFlight,
  end: ConnectingEnd,
  service: ServiceClass,
): readonly TrafficReading[] =>
  restrictions
    .filter(
      (restriction) => bearsOn(service, restriction, serviceType) && (restriction.boardPoint || restriction.offPoint),
    )
    .map((restriction) => ({
      service,
      code: restriction.code,
      readAs: (service === 'Cargo' && trafficRestrictionOf(restriction.code)?.asCargo) || restriction.code,
      holdsHere: end === 'off' ? restriction.offPoint : restriction.boardPoint,
    }));

type Other = { readonly isOnline: boolean; readonly isInternational: boolean };

/** What a restriction of one flight says to the other; undefined when it allows the connection. */
const reasonOf = (
  { readAs, holdsHere }: TrafficReading,
  other: Other,
): Exclude<TrafficRefusal['reason'], 'both-qualified'> | undefined => {
  const restriction = trafficRestrictionOf(readAs);
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

const isQualified = ({ readAs, holdsHere }: TrafficReading): boolean =>
  holdsHere && trafficRestrictionOf(readAs)?.qualified === true;

/** The restrictions that forbid a connection for one service, those of leg 1 first; none when it is allowed. */
export const trafficRefusalsOf = (
  flight1: ConnectingFlight,
  flight2: ConnectingFlight,
  service: ServiceClass,
): readonly TrafficRefusal[] => {
  if (flight1.restrictions.length === 0 && flight2.restrictions.length === 0) return [];
  const first = trafficReadingsOf(flight1, 'off', service);
  const second = trafficReadingsOf(flight2, 'board', service);
  const isOnline = flight1.carrier === flight2.carrier;
  const bothQualified = first.some(isQualified) && second.some(isQualified);
  const refusals = (readings: readonly TrafficReading[], leg: 1 | 2): readonly TrafficRefusal[] => {
    const other = { isOnline, isInternational: isInternational(leg === 1 ? flight2 : flight1) };
    return readings.flatMap((reading) => {
      const reason = reasonOf(reading, other) ?? (bothQualified && isQualified(reading) ? 'both-qualified' : undefined);
      return reason === undefined ? [] : [{ ...reading, leg, reason }];
    });
  };
  return [...refusals(first, 1), ...refusals(second, 2)];
};
