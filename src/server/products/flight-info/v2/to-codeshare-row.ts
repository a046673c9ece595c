import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import type { Codeshare } from '#store/flights/codeshares.ts';

/** Renders the list row of a codeshare from that of its operating flight: the same flight under another designator and key. */
export const renderCodeshareRow = (
  operatingRow: string,
  { carrier, flightNumber, suffix, key, operator }: Codeshare,
): string => {
  const row: FlightInstance = JSON.parse(operatingRow);
  const operatingFlight = {
    code: operator.code,
    serviceNumber: String(row.flightNumber),
    suffix: row.serviceSuffix ?? '',
  };
  return JSON.stringify({
    ...row,
    carrier,
    serviceSuffix: suffix,
    flightNumber,
    // An operator that the operating flight discloses, such as a regional partner, takes precedence.
    codeshare: { operatingAirlineDisclosure: operator, ...row.codeshare, marketingFlights: [], operatingFlight },
    scheduleInstanceKey: key,
  } satisfies FlightInstance);
};
