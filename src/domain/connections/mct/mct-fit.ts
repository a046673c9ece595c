import type { ConnectionAirport } from '../connecting-flight.ts';
import type { MctEnd } from './mct-end.ts';
import type { MctRecord, MctSide } from './mct-record.ts';
import { isInRegion } from './region-countries.ts';

const fits = (asked: string, told: string): boolean => asked === '' || asked === told;

/** Marketing flights go by the number they are sold under only where the record names their seller (SSIM chapter 8). */
const numberAsked = ({ isCodeshare, carrier }: MctSide, end: MctEnd): number =>
  isCodeshare && carrier !== '' ? end.flightNumber : end.operating.flightNumber;

/** The carrier that a side asks for, of the two that a flight can have: the one that sells it, or the one that operates it. */
const carrierAsked = ({ isCodeshare }: MctSide, end: MctEnd): string =>
  isCodeshare ? end.carrier : end.operating.carrier;

/** Whether a flight is what a record asks of the flight on one side of the connection; its status is not looked at. */
export const sideFits = (side: MctSide, end: MctEnd): boolean => {
  const { flights } = side;
  const number = numberAsked(side, end);
  return (
    (!side.isCodeshare || end.isMarketing) &&
    fits(side.carrier, carrierAsked(side, end)) &&
    fits(side.operator, end.operating.carrier) &&
    (flights === undefined || (flights.from <= number && number <= flights.to)) &&
    fits(side.terminal, end.terminal) &&
    fits(side.station, end.beyond.iata) &&
    fits(side.stateCode, end.beyond.stateCode) &&
    fits(side.countryCode, end.beyond.countryCode) &&
    (side.region === '' || isInRegion(end.beyond.countryCode, side.region)) &&
    fits(side.equipment, end.equipment.type) &&
    fits(side.body, end.equipment.body)
  );
};

/** Whether a record can apply at a connection point, as far as its suppression region, country and state go. */
export const placeFits = (record: MctRecord, point: ConnectionAirport): boolean =>
  fits(record.suppressionStateCode, point.stateCode) &&
  fits(record.suppressionCountryCode, point.countryCode) &&
  (record.suppressionRegion === '' || isInRegion(point.countryCode, record.suppressionRegion));
