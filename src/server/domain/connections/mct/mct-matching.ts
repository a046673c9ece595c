import type { ConnectionAirport } from '../flights/connecting-flight.ts';
import type { MctEnd } from './mct-end.ts';
import type { MctRecord, MctSide } from './mct-record.ts';
import { isInRegion } from './region-countries.ts';

const matchesField = (criterion: string, value: string): boolean => criterion === '' || criterion === value;

/** The marketing flight number counts only when the record names the marketing carrier (SSIM chapter 8). */
const comparedFlightNumber = ({ isCodeshare, carrier }: MctSide, end: MctEnd): number | undefined =>
  isCodeshare && carrier !== '' ? end.flightNumber : end.operatingNumber;

/** The carrier of the flight that the criterion refers to: the marketing or the operating carrier. */
const comparedCarrier = ({ isCodeshare }: MctSide, end: MctEnd): string =>
  isCodeshare ? end.carrier : end.operatingCarrier;

/** Returns whether a flight matches the criteria for one side of the connection, apart from its status. */
export const matchesSide = (side: MctSide, end: MctEnd): boolean => {
  const { flights } = side;
  const number = comparedFlightNumber(side, end);
  return (
    (!side.isCodeshare || end.isMarketing) &&
    matchesField(side.carrier, comparedCarrier(side, end)) &&
    matchesField(side.operator, end.operatingCarrier) &&
    (flights === undefined || (number !== undefined && flights.from <= number && number <= flights.to)) &&
    matchesField(side.terminal, end.terminal) &&
    matchesField(side.station, end.beyond.iata) &&
    matchesField(side.stateCode, end.beyond.stateCode) &&
    matchesField(side.countryCode, end.beyond.countryCode) &&
    (side.region === '' || isInRegion(end.beyond.countryCode, side.region)) &&
    matchesField(side.equipment, end.equipment.type) &&
    matchesField(side.body, end.equipment.body)
  );
};

/** Returns whether a connection point is in the suppression region, country and state of a record. */
export const matchesSuppressionArea = (record: MctRecord, point: ConnectionAirport): boolean =>
  matchesField(record.suppressionStateCode, point.stateCode) &&
  matchesField(record.suppressionCountryCode, point.countryCode) &&
  (record.suppressionRegion === '' || isInRegion(point.countryCode, record.suppressionRegion));
