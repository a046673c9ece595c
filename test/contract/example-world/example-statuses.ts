type Observation = readonly [observedAt: string, facts: object];

const numbered = (flightNumber: number, originDate: string, departureAirport: string) => {
  return { carrier: 'ZX', flightNumber, originDate, departureAirport };
};
const dreamliner = { iata: '789', icao: 'B789' };
const of101 = { ...numbered(101, '2027-03-01', 'LHR'), arrivalAirport: 'JFK' };
const of117 = { ...numbered(117, '2027-02-28', 'LHR'), arrivalAirport: 'JFK' };

/** ZX 101 of 1 March departs a little late, takes off and is expected early. */
const tookOff: readonly Observation[] = [
  [
    '2027-03-01T09:30:00Z',
    {
      aircraft: { registration: 'G-ZXAB', type: dreamliner },
      departure: {
        terminal: '5',
        gate: 'B36',
        stand: '336',
        checkInCounter: 'C',
        checkIn: { status: 'Open', at: '2027-03-01T08:00:00Z' },
        estimated: { out: '2027-03-01T11:00:00Z' },
      },
      arrival: {
        terminal: '8',
        gate: '4',
        stand: '4L',
        estimated: { on: '2027-03-01T18:48:00Z', in: '2027-03-01T19:00:00Z' },
      },
    },
  ],
  [
    '2027-03-01T11:04:31.400Z',
    {
      departure: {
        checkIn: { status: 'Closed', at: '2027-03-01T10:15:00Z' },
        boarding: { status: 'GateClosed', at: '2027-03-01T10:52:00Z' },
        actual: { out: '2027-03-01T11:04:00Z' },
      },
    },
  ],
  [
    '2027-03-01T11:19:05.123Z',
    {
      departure: { actual: { off: '2027-03-01T11:19:00Z' } },
      arrival: { baggage: '6', estimated: { on: '2027-03-01T18:42:00Z', in: '2027-03-01T18:54:00Z' } },
    },
  ],
];

/** ZX 117 of 28 February takes off, is diverted to Boston, and arrives at the gate there. */
const diverted: readonly Observation[] = [
  [
    '2027-02-28T17:21:40Z',
    {
      aircraft: { registration: 'G-ZXAC', type: dreamliner },
      departure: { terminal: '5', actual: { out: '2027-02-28T17:00:00Z', off: '2027-02-28T17:21:00Z' } },
      arrival: { terminal: '8', gate: '12', estimated: { on: '2027-03-01T01:00:00Z', in: '2027-03-01T01:12:00Z' } },
    },
  ],
  ['2027-03-01T00:52:08Z', { diversions: [{ number: 1, airport: 'BOS', estimated: { on: '2027-03-01T01:15:00Z' } }] }],
  [
    '2027-03-01T01:31:40.002Z',
    {
      arrival: { terminal: 'E', gate: 'E11' },
      diversions: [{ number: 1, airport: 'BOS', actual: { on: '2027-03-01T01:16:00Z', in: '2027-03-01T01:30:00Z' } }],
    },
  ],
];

const recovery: Observation = [
  '2027-03-01T02:05:11Z',
  {
    plan: {
      flightType: 'Unscheduled',
      departs: { airport: 'BOS', at: '2027-03-01T05:30:00Z' },
      arrives: { airport: 'JFK', at: '2027-03-01T06:45:00Z' },
      serviceType: 'J',
      aircraftType: dreamliner,
      recovers: of117,
    },
  },
];

const business: Observation = [
  '2027-02-28T22:10:00Z',
  {
    proposed: true,
    departure: { estimated: { off: '2027-03-01T14:10:00Z' } },
    arrival: { estimated: { on: '2027-03-01T14:55:00Z' } },
    plan: {
      flightType: 'GA',
      departs: { airport: 'TEB', at: '2027-03-01T14:00:00Z' },
      arrives: { airport: '2G4', at: '2027-03-01T15:05:00Z' },
      aircraftType: { icao: 'C56X' },
    },
  },
];

/** The observations of the example flights up to noon UTC of 1 March 2027. */
export const exampleMessages: readonly { readonly flight: object; readonly observations: readonly Observation[] }[] = [
  { flight: of101, observations: tookOff },
  { flight: of117, observations: diverted },
  { flight: numbered(9117, '2027-03-01', 'BOS'), observations: [recovery] },
  { flight: { ...numbered(42, '2027-03-01', 'TEB'), carrier: 'XJQ' }, observations: [business] },
];
