import type { Designator } from '#domain/schedule/schedule.ts';
import type { Sql } from '../pool/database.ts';

/** Returns flights as a derived table `flight` with designator, flight_number and suffix. */
export const toFlightTable = (sql: Sql, flights: readonly Designator[]) => sql`
  unnest(${flights.map(({ carrier }) => carrier)}::text[], ${flights.map(({ flightNumber }) => flightNumber)}::smallint[],
    ${flights.map(({ suffix }) => suffix)}::text[]) as flight(designator, flight_number, suffix)`;
