import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';

/** An example request: `query` is the part after the `?`. */
export type ExampleQuery = { readonly path: string; readonly description: string; readonly query: string };

/** Returns requests that have results in the demo world on any day; `unscheduled` needs the status messages of the last two days. */
export const buildExamples = (today: LocalDate) => {
  const day = formatDate(today);
  return {
    departures: {
      path: '/flight-instances',
      description: 'departures from London Heathrow today, with their latest status',
      query: `version=v2&DepartureDateTime=${day}&DepartureAirport=LHR&CodeType=IATA&Content=Status`,
    },
    dateLine: {
      path: '/flight-instances',
      description: 'Auckland to Honolulu across the date line: arrives the day before it departs',
      query: `version=v2&DepartureDateTime=${day}&DepartureAirport=AKL&ArrivalAirport=HNL&CodeType=IATA`,
    },
    unscheduled: {
      path: '/flight-instances',
      description:
        'flights outside schedules: charters, business aviation and recovery flights, with links to maps of flights in the air',
      query: `version=v2&DepartureDateTime=${formatDate(addDays(today, -1))}/${day}&FlightType=Unscheduled,GA&Content=Status,Map`,
    },
    schedules: {
      path: '/flights',
      description: 'the schedule of a flight number: periods, days of operation, times and seats',
      query: 'version=v1&IataCarrierCode=X2&FlightNumber=101&Content=Seats',
    },
    connections: {
      path: '/flight-connections',
      description: 'connections from London to Sydney departing today, with dates and minimum connecting times',
      query: `version=v1&DepartureCity=LON&ArrivalAirport=SYD&DepartureDate=${day}`,
    },
    locations: {
      path: '/locations',
      description:
        'locations within 60 km of a point in London, nearest first, with codes, time zones and data sources',
      query: 'version=v1&Near=51.5,-0.12&WithinKm=60&Content=Provenance',
    },
    events: {
      path: '/flight-info-alerts/events',
      description: 'event stream of the demo account: schedule and status changes of flights from London Heathrow',
      query: 'version=v1&After=0',
    },
  } satisfies Readonly<Record<string, ExampleQuery>>;
};
