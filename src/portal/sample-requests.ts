/** Parameters of a code sample, where the examples of the document match nothing in the demo world, or too much. */
export type SampleRequest = {
  /** The query after `version`, for a shell within double quotes. */
  readonly query?: string;
  /** Values of path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** The name of the body example; without it, the first one. */
  readonly body?: string;
};

const today = '$(date -u +%F)';

/** Sample requests by product, version and operation. */
export const sampleRequests: Readonly<Record<string, SampleRequest>> = {
  'flight-info/v1/listFlightInstances': { query: `DepartureDate=${today}&DepartureAirport=LHR&Limit=3` },
  'flight-info/v2/listFlightInstances': {
    query: `DepartureDateTime=${today}&DepartureAirport=LHR&CodeType=IATA&Content=Status&Limit=3`,
  },
  'flight-info/v2/getFlightInstance': { query: 'Content=Status' },
  'schedules/v1/listSchedules': { query: 'IataCarrierCode=X2&FlightNumber=101&Content=Seats' },
  'connections/v1/listConnections': { query: `DepartureCity=LON&ArrivalAirport=SYD&DepartureDate=${today}&Limit=3` },
  'connections/v1/explainConnection': {
    query: `Leg1CarrierCode=X2&Leg1FlightNumber=101&Leg2CarrierCode=YF&Leg2FlightNumber=3&DepartureDate=${today}`,
  },
  'master-data/v1/listLocations': { query: 'Near=51.5,-0.12&WithinKm=60&Limit=3' },
  'master-data/v1/listCarriers': { query: 'CarrierCode=X2,YF' },
  'master-data/v1/listEquipment': { query: 'Body=Wide&Limit=3' },
  'master-data/v1/getLocation': { path: { code: 'LHR' } },
  'master-data/v1/getCarrier': { path: { code: 'X2' } },
  'master-data/v1/getEquipment': { path: { code: '789' } },
  // The demo account already has an alert like the first example.
  'flight-info-alerts/v1/createAlert': { body: 'globalAlert' },
  'flight-info-alerts/v1/listEvents': { query: 'After=0&Limit=3' },
};

/** Where a shell variable gets its value: the first `property` in the response to `target`. */
export type VariableSource = { readonly property: string; readonly target: string; readonly needsAccount?: boolean };

/** Sources by variable; the reader fills in others, which `variableHints` explains. */
export const variableSources: Readonly<Record<string, VariableSource>> = {
  SCHEDULE_INSTANCE_KEY: {
    property: 'scheduleInstanceKey',
    target: `/flight-instances?version=v2&DepartureDateTime=${today}&DepartureAirport=LHR&CodeType=IATA&Limit=1`,
  },
  FINGERPRINT: { property: 'fingerprint', target: '/flights?version=v1&IataCarrierCode=X2&FlightNumber=101&Limit=1' },
  ALERT_ID: { property: 'alertId', target: '/flight-info-alerts/alerts?version=v1', needsAccount: true },
  ENDPOINT_ID: { property: 'endpointId', target: '/flight-info-alerts/endpoints?version=v1', needsAccount: true },
  EVENT_ID: {
    property: 'messageId',
    target: '/flight-info-alerts/events?version=v1&After=0&Limit=1',
    needsAccount: true,
  },
};

/** Explanations of variables that the reader fills in. */
export const variableHints: Readonly<Record<string, string>> = {
  ACCOUNT_ID: 'the accountId in the answer to createProfile; a server with the demo world tells one when it starts',
};
