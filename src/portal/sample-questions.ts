/** What a sample asks, where the document's own examples would find nothing in the demo world or too much. */
export type SampleQuestion = {
  /** Parts of the query after `version`, as a shell writes them between double quotes. */
  readonly query?: string;
  /** Values of parts of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** The name of the example of the body; the first one where there is none of that name. */
  readonly body?: string;
};

const today = '$(date -u +%F)';

/** By product and operation; all versions of a product that have the operation are asked by the names that they know. */
export const sampleQuestions: Readonly<Record<string, SampleQuestion>> = {
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
  // The account of the demo world has an alert that covers the first example.
  'flight-info-alerts/v1/createAlert': { body: 'globalAlert' },
  'flight-info-alerts/v1/listEvents': { query: 'After=0&Limit=3' },
};

/** How the value of a variable is found: the first `property` in the answer to a question. */
export type Finder = { readonly property: string; readonly target: string; readonly asksAccount?: boolean };

/** By variable; one that is not here has to be filled in, and `hints` says from where. */
export const finders: Readonly<Record<string, Finder>> = {
  SCHEDULE_INSTANCE_KEY: {
    property: 'scheduleInstanceKey',
    target: `/flight-instances?version=v2&DepartureDateTime=${today}&DepartureAirport=LHR&CodeType=IATA&Limit=1`,
  },
  FINGERPRINT: { property: 'fingerprint', target: '/flights?version=v1&IataCarrierCode=X2&FlightNumber=101&Limit=1' },
  ALERT_ID: { property: 'alertId', target: '/flight-info-alerts/alerts?version=v1', asksAccount: true },
  ENDPOINT_ID: { property: 'endpointId', target: '/flight-info-alerts/endpoints?version=v1', asksAccount: true },
  EVENT_ID: {
    property: 'messageId',
    target: '/flight-info-alerts/events?version=v1&After=0&Limit=1',
    asksAccount: true,
  },
};

export const hints: Readonly<Record<string, string>> = {
  ACCOUNT_ID: 'the accountId in the answer to createProfile; a server with the demo world tells one when it starts',
};
