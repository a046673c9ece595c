import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { buildExamples, type ExampleQuery } from '#demo/world/example-queries.ts';

/** Returns queries of Flight Info that have results in the demo world on any day: those of the server and one for each feature. */
export const buildFlightInfoQueries = (today: LocalDate): readonly Omit<ExampleQuery, 'path'>[] => {
  const { departures, dateLine } = buildExamples(today);
  const day = formatDate(today);
  const week = `${day}/${formatDate(addDays(today, 6))}`;
  const fortnight = `${day}/${formatDate(addDays(today, 13))}`;
  return [
    departures,
    dateLine,
    {
      description: 'one flight with two marketing flights of other carriers',
      query: `version=v2&DepartureDateTime=${day}&CarrierCode=X2&CodeType=IATA&FlightNumber=101`,
    },
    {
      description: 'a flight with two stops: each leg and the whole flight',
      query: `version=v2&DepartureDateTime=${day}&CarrierCode=YF&CodeType=IATA&FlightNumber=3`,
    },
    {
      description: 'marketing flights from New York airports to London, with seats',
      query: `version=v2&DepartureDateTime=${day}&DepartureAirport=JFK,EWR,LGA&ArrivalAirport=LHR,LGW&CodeType=IATA&Codeshare=Marketing`,
    },
    {
      description: 'freighters from Anchorage, by ICAO code',
      query: `version=v2&DepartureDateTime=${week}&DepartureAirport=PANC&CodeType=ICAO&ServiceType=Cargo`,
    },
    {
      description: 'Los Angeles to Sydney: departs in the evening and arrives two days later',
      query: `version=v2&DepartureDateTime=${day}T20:00/${day}T23:59&DepartureAirport=LAX&ArrivalAirport=SYD&CodeType=IATA`,
    },
    {
      description: 'early arrivals in Nepal',
      query: `version=v2&ArrivalDateTime=${day}T00:00/${day}T14:00&ArrivalCountryCode=NP`,
    },
    {
      description: 'an airport whose FAA code is not its IATA code (Saipan, GSN)',
      query: `version=v2&DepartureDateTime=${day}&ArrivalAirport=GSN&CodeType=FAA`,
    },
    {
      description: 'a charter to Antarctica, every other Saturday',
      query: `version=v2&DepartureDateTime=${fortnight}&ArrivalAirport=TNM&CodeType=IATA&ServiceType=C`,
    },
    {
      description: 'a bus between two airports of one city',
      query: `version=v2&DepartureDateTime=${day}&DepartureAirport=LHR&ArrivalAirport=LGW&CodeType=IATA&ServiceType=U`,
    },
  ];
};
