import type { FlightInstance, ZonedTime } from '#generated/flight-info/v2/types.gen.ts';
import { formatClock, type FlownRow } from './flown-rows.ts';
import { formatFlight, readTable, getStatus, formatTimeliness, formatVariation } from './real-world.ts';

type Airport = { readonly codes: object; readonly country: string; readonly zone: string };
export type Airports = ReadonlyMap<string, Airport>;

/** Williston's old airport was closed in 2019 and is not in the current list. */
const williston: Airport = { codes: { iata: 'ISN', icao: 'KISN', faa: 'ISN' }, country: 'US', zone: 'America/Chicago' };

/** The codes of Palm Beach until July 2026; the current list has the code for IATA with the identifiers of its successor, DJT. */
const palmBeach = { iata: 'PBI', icao: 'KPBI', faa: 'PBI' };

/** ISO 3166-1 codes of US territories, which the file counts as the US, by the first letters of ICAO codes. */
const territories: Readonly<Record<string, string>> = { TJ: 'PR', TI: 'VI', PG: 'GU' };

/** Reads the current airports without the tested code. */
export const readAirports = (path: string): Airports => {
  const airports = new Map([['ISN', williston]]);
  for (const cell of readTable(path)) {
    const [iata, icao, faa] = [cell('iata'), cell('icao'), cell('lid')];
    const codes = iata === palmBeach.iata ? palmBeach : { iata, icao, ...(faa !== '' && { faa }) };
    const country = territories[icao.slice(0, 2)] ?? cell('country');
    if (iata !== '') airports.set(iata, { codes, country, zone: cell('tz') });
  }
  return airports;
};

/** Touchdown and gate of a row whose clocks are an hour behind its own delay and its own elapsed time, which agree. */
const inconsistentRows: Readonly<Record<string, readonly [string, string]>> = {
  'VX34 SFO-JFK 2014-01-02': ['1253', '1305'],
};

/** The expected status of a row with landings elsewhere, derived from the row by the rules of the contract. */
export const expectedStatus = (
  { name, origin, destination, stops, reached, cancelled, cell }: FlownRow,
  airports: Airports,
): object => {
  const last = stops.at(-1);
  const at = (reached ? destination : last?.airport) ?? '';
  const [on, arrived] = inconsistentRows[name] ?? [cell('WheelsOn'), cell('ArrTime')];
  return {
    state: cancelled ? 'Canceled' : reached ? 'InGate' : 'Landed',
    diversionAirport: airports.get(last?.airport ?? '')?.codes,
    diversionType: last?.airport === origin ? 'InAirReturn' : reached ? 'TechnicalStop' : 'Unplanned',
    irregularOperationType: 'Diverted',
    airport: airports.get(at)?.codes,
    country: airports.get(at)?.country,
    onGround: reached ? formatClock(on) : last?.clock,
    inGate: reached ? formatClock(arrived) : undefined,
    variation: reached ? formatVariation(cell('DivArrDelay')) : undefined,
    timeliness: reached ? formatTimeliness(cell('DivArrDelay')) : undefined,
  };
};

/** Returns the clock time of an airport; throws if the two forms of an instant differ, or the clock is that of another. */
const getLocalClock = (moment: ZonedTime | undefined, airport: string | undefined, airports: Airports) => {
  if (!moment) return undefined;
  const timeZone = airports.get(airport ?? '')?.zone;
  const clock = moment.local.slice(11, 16);
  const wall = new Date(moment.utc).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  if (Date.parse(moment.local) !== Date.parse(moment.utc) || clock !== wall)
    throw new Error(`${moment.local} is not ${moment.utc} in ${timeZone}`);
  return clock;
};

/** Returns the facts of a flight in the service, in the form of `expectedStatus`. */
export const toComparableStatus = (flight: FlightInstance, airports: Airports): object => {
  const { state, arrival, diversionAirport, diversionType, irregularOperationType } = getStatus(flight);
  const times = arrival?.actualTime;
  const at = arrival?.airport?.iata;
  return {
    state,
    diversionAirport,
    diversionType,
    irregularOperationType,
    airport: arrival?.airport,
    country: arrival?.country?.code,
    onGround: getLocalClock(times?.onGround, at, airports),
    inGate: getLocalClock(times?.inGate, at, airports),
    variation: times?.inGateVariation,
    timeliness: times?.inGateTimeliness,
  };
};

export const getRegistration = (flight: FlightInstance) => getStatus(flight).equipment?.aircraftRegistrationNumber;

/** The recovery flight of a row among all of them, by designator, route and aircraft. */
export const findRecovery = (
  { name, designator, destination, recovery }: FlownRow,
  recoveries: readonly FlightInstance[],
): FlightInstance => {
  const route = `${designator} ${recovery?.from}-${destination} `;
  const [match, ...others] = recoveries.filter(
    (flight) => formatFlight(flight).startsWith(route) && getRegistration(flight) === recovery?.tail,
  );
  if (!match || others.length > 0) throw new Error(`${name} has not one recovery flight`);
  return match;
};
