import type { ListQuery as NextQuery } from '../v2/routes.ts';
import type { ListQuery } from './routes.ts';

type CodeType = NextQuery['CodeType'];

/**
 * The code systems that v2 has to look in. It reads airports and carriers in the same ones, v1 airports as IATA always;
 * nothing is found twice for that: the forms v1 allows (IATA: airports of three letters, carriers of two characters; ICAO:
 * carriers of three letters) are codes of one system each.
 */
const toCodeTypes = ({ DepartureAirport, ArrivalAirport, IataCarrierCode, IcaoCarrierCode }: ListQuery): CodeType => {
  if (!IcaoCarrierCode) return IataCarrierCode || DepartureAirport || ArrivalAirport ? ['IATA'] : undefined;
  return IataCarrierCode || DepartureAirport || ArrivalAirport ? ['IATA', 'ICAO'] : ['ICAO'];
};

const toCarrierCodes = ({ IataCarrierCode, IcaoCarrierCode }: ListQuery): NextQuery['CarrierCode'] =>
  IataCarrierCode || IcaoCarrierCode ? [...(IataCarrierCode ?? []), ...(IcaoCarrierCode ?? [])] : undefined;

/** The query of v1 as one of v2. */
export const toNextQuery = (query: ListQuery): NextQuery => ({
  version: 'v2',
  DepartureDateTime: query.DepartureDate,
  ArrivalDateTime: query.ArrivalDate,
  DepartureAirport: query.DepartureAirport,
  ArrivalAirport: query.ArrivalAirport,
  CarrierCode: toCarrierCodes(query),
  CodeType: toCodeTypes(query),
  FlightNumber: query.FlightNumber,
  FlightType: query.FlightType,
  IncludeDiverted: false,
  Content: query.Content,
  Limit: query.Limit,
  After: query.After,
});
