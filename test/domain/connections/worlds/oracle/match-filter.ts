import type { ConnectionFilter } from '../../../../../src/domain/connections/search/connection-filter.ts';
import { board, off } from './flights.ts';
import type { Group } from './group-connections.ts';
import { getDay } from './judge.ts';

const isIn = (list: readonly string[] | undefined, code: string): boolean => list === undefined || list.includes(code);
const cityIsIn = (list: readonly string[] | undefined, city: string): boolean =>
  list === undefined || (city !== '' && list.includes(city));

/** Returns whether a connection matches a filter: by any of its dates, and by the elapsed time of its first date. */
export const matchesFilter = (group: Group, filter: ConnectionFilter): boolean => {
  const [{ one, other, judged }] = group;
  const [origin, arrival, departure, destination] = [
    board(one.flight),
    off(one.flight),
    board(other.flight),
    off(other.flight),
  ];
  const { dates, viaPoints, interAirport } = filter;
  return (
    isIn(filter.departureAirports, origin.iata) &&
    cityIsIn(filter.departureCities, origin.cityCode) &&
    isIn(filter.arrivalAirports, destination.iata) &&
    cityIsIn(filter.arrivalCities, destination.cityCode) &&
    (viaPoints === undefined || [arrival.iata, departure.iata].some((code) => viaPoints.includes(code))) &&
    isIn(filter.leg1Carriers, one.flight.carrier) &&
    isIn(filter.leg2Carriers, other.flight.carrier) &&
    (dates === undefined || group.some((dated) => getDay(dated.one) >= dates.from && getDay(dated.one) <= dates.to)) &&
    (judged.circuity ?? 0) <= (filter.maxCircuity ?? 250) &&
    isIn(filter.types, judged.type) &&
    judged.minutes >= (filter.minConnectingMinutes ?? 0) &&
    judged.minutes <= (filter.maxConnectingMinutes ?? 1440) &&
    (interAirport === undefined || interAirport === (arrival.iata !== departure.iata)) &&
    other.arrivesUtc - one.departsUtc <= (filter.maxElapsedMinutes ?? Infinity) &&
    (filter.service === undefined || judged.services.includes(filter.service))
  );
};
