/** Parameters of a code sample, where the examples of the document match nothing in the demo world, or too much. */
export type SampleRequest = {
  /** The query after `version`; `{today}` is the current UTC date. */
  readonly query?: string;
  /** Values of path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** The name of the body example; without it, the first one. */
  readonly body?: string;
};

/** Sample requests by product, version and operation. */
export const sampleRequests: Readonly<Record<string, SampleRequest>> = {
  'flight-info/v1/listFlightInstances': { query: 'DepartureDate={today}&DepartureAirport=LHR&Limit=3' },
  'flight-info/v2/listFlightInstances': {
    query: 'DepartureDateTime={today}&DepartureAirport=LHR&CodeType=IATA&Content=Status&Limit=3',
  },
  'flight-info/v2/getFlightInstance': { query: 'Content=Status', path: { departureDate: '{today}' } },
  'schedules/v1/listSchedules': { query: 'IataCarrierCode=X2&FlightNumber=101&Content=Seats' },
  'connections/v1/listConnections': { query: 'DepartureCity=LON&ArrivalAirport=SYD&DepartureDate={today}&Limit=3' },
  'connections/v1/explainConnection': {
    query: 'Leg1CarrierCode=X2&Leg1FlightNumber=101&Leg2CarrierCode=YF&Leg2FlightNumber=3&DepartureDate={today}',
  },
  'master-data/v1/listLocations': { query: 'Near=51.5,-0.12&WithinKm=60&Limit=3' },
  'master-data/v1/listCarriers': { query: 'CarrierCode=X2,YF' },
  'master-data/v1/listEquipment': { query: 'Body=Wide&Limit=3' },
  'master-data/v1/getLocation': { path: { code: 'LHR' } },
  'master-data/v1/getCarrier': { path: { code: 'X2' } },
  'master-data/v1/getEquipment': { path: { code: '789' } },
  'master-data/v1/getSource': { path: { name: 'avinor' } },
  // The demo account already has an alert like the first example.
  'flight-info-alerts/v1/createAlert': { body: 'globalAlert' },
  'flight-info-alerts/v1/listEvents': { query: 'After=0&Limit=3' },
};

/** Where the reader finds the identifiers of a sample, which it reads from environment variables. */
export const variableHints: Readonly<Record<string, string>> = {
  accountId: 'the accountId from createProfile; a demo server prints one at its start',
  alertId: 'an alertId from createAlert or listAlerts',
  endpointId: 'an endpointId from createPushEndpoint or listPushEndpoints',
  eventId: 'the messageId of an event from listEvents',
  fingerprint: 'the fingerprint of a schedule from listSchedules',
  scheduleInstanceKey: 'the scheduleInstanceKey of a flight from listFlightInstances',
};
