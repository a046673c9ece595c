import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';

/** An example request: `query` is the part after `/flight-instances?`. */
export type ExampleQuery = { readonly description: string; readonly query: string };

/** Returns queries of Flight Info that have results in the demo world on any day. */
export const buildFlightInfoExamples = (today: LocalDate): readonly ExampleQuery[] => {
  const day = formatDate(today);
  return [
    {
      description: 'departures from London Heathrow today, with their latest status',
      query: `version=v2&DepartureDateTime=${day}&DepartureAirport=LHR&CodeType=IATA&Content=Status`,
    },
    {
      description: 'Auckland to Honolulu across the date line: arrives the day before it departs',
      query: `version=v2&DepartureDateTime=${day}&DepartureAirport=AKL&ArrivalAirport=HNL&CodeType=IATA`,
    },
  ];
};

/** Returns a query that has results once the status messages of the last two days are stored. */
export const buildUnscheduledExample = (today: LocalDate): ExampleQuery => ({
  description:
    'flights outside schedules: charters, business aviation and recovery flights, with links to maps of flights in the air',
  query: `version=v2&DepartureDateTime=${formatDate(addDays(today, -1))}/${formatDate(today)}&FlightType=Unscheduled,GA&Content=Status,Map`,
});

/** An example of Schedules: `query` is the part after `/flights?`. */
export const schedulesExample: ExampleQuery = {
  description: 'the schedule of a flight number: periods, days of operation, times and seats',
  query: 'version=v1&IataCarrierCode=X2&FlightNumber=101&Content=Seats',
};

/** An example of Master Data: `query` is the part after `/locations?`. */
export const masterDataExample: ExampleQuery = {
  description: 'locations within 60 km of a point in London, nearest first, with codes, time zones and data sources',
  query: 'version=v1&Near=51.5,-0.12&WithinKm=60&Content=Provenance',
};

/** Returns an example of Connections: `query` is the part after `/flight-connections?`. */
export const buildConnectionsExample = (today: LocalDate): ExampleQuery => ({
  description: 'connections from London to Sydney departing today, with dates and minimum connecting times',
  query: `version=v1&DepartureCity=LON&ArrivalAirport=SYD&DepartureDate=${formatDate(today)}`,
});

/** An example of Flight Info Alerts: `query` is the part after `/flight-info-alerts/events?`. */
export const alertsExample: ExampleQuery = {
  description: 'event stream of the demo account: schedule and status changes of flights from London Heathrow',
  query: 'version=v1&After=0',
};
