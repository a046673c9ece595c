import type { ListQuery as NextQuery } from '../v2/parse-query.ts';
import type { z } from 'zod';
import type { zListFlightInstancesQuery } from '#generated/flight-info/v1/zod.gen.ts';

/** The validated query of the search, as the contract of v1 types it. */
export type ListQuery = z.output<typeof zListFlightInstancesQuery>;

type CodeType = NextQuery['CodeType'];

/**
 * Returns the code systems for v2, which uses the same ones for airports and carriers; v1 airports are always IATA. No code
 * matches twice: the forms that v1 allows (IATA airports of three letters, IATA carriers of two characters, ICAO carriers of
 * three letters) each belong to one system.
 */
const toCodeTypes = ({ DepartureAirport, ArrivalAirport, IataCarrierCode, IcaoCarrierCode }: ListQuery): CodeType => {
  if (!IcaoCarrierCode) return IataCarrierCode || DepartureAirport || ArrivalAirport ? ['IATA'] : undefined;
  return IataCarrierCode || DepartureAirport || ArrivalAirport ? ['IATA', 'ICAO'] : ['ICAO'];
};

const toCarrierCodes = ({ IataCarrierCode, IcaoCarrierCode }: ListQuery): NextQuery['CarrierCode'] =>
  IataCarrierCode || IcaoCarrierCode ? [...(IataCarrierCode ?? []), ...(IcaoCarrierCode ?? [])] : undefined;

/** Converts a query of v1 to one of v2. */
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
