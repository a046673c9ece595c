import type { ConnectionFilter } from '../../../../../src/domain/connections/search/connection-filter.ts';
import { board, off } from './flights.ts';
import type { Group } from './group-connections.ts';
import { getDay } from './judge.ts';

const isIn = (list: readonly string[] | undefined, code: string): boolean => list === undefined || list.includes(code);
const cityIsIn = (list: readonly string[] | undefined, city: string): boolean =>
  list === undefined || (city !== '' && list.includes(city));

/** Whether a connection is what is wanted: some of its dates if dates are, and the elapsed time of its first date. */
export const matchesFilter = (group: Group, wanted: ConnectionFilter): boolean => {
  const [{ one, other, judged }] = group;
  const [origin, arrival, departure, destination] = [
    board(one.flight),
    off(one.flight),
    board(other.flight),
    off(other.flight),
  ];
  const { dates, viaPoints, interAirport } = wanted;
  return (
    isIn(wanted.departureAirports, origin.iata) &&
    cityIsIn(wanted.departureCities, origin.cityCode) &&
    isIn(wanted.arrivalAirports, destination.iata) &&
    cityIsIn(wanted.arrivalCities, destination.cityCode) &&
    (viaPoints === undefined || [arrival.iata, departure.iata].some((code) => viaPoints.includes(code))) &&
    isIn(wanted.leg1Carriers, one.flight.carrier) &&
    isIn(wanted.leg2Carriers, other.flight.carrier) &&
    (dates === undefined || group.some((dated) => getDay(dated.one) >= dates.from && getDay(dated.one) <= dates.to)) &&
    (judged.circuity ?? 0) <= (wanted.maxCircuity ?? 250) &&
    isIn(wanted.types, judged.type) &&
    judged.minutes >= (wanted.minConnectingMinutes ?? 0) &&
    judged.minutes <= (wanted.maxConnectingMinutes ?? 1440) &&
    (interAirport === undefined || interAirport === (arrival.iata !== departure.iata)) &&
    other.arrivesUtc - one.departsUtc <= (wanted.maxElapsedMinutes ?? Infinity) &&
    (wanted.service === undefined || judged.services.includes(wanted.service))
  );
};
