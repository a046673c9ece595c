import type { LiveFacts } from './live-row.ts';

/** The status codes, with the fact at each end of the leg. */
export const avinorCodes: Readonly<
  Record<string, { readonly meaning: string; readonly departure?: keyof LiveFacts; readonly arrival?: keyof LiveFacts }>
> = {
  E: { meaning: 'expected time, also on time', departure: 'estimatedOut', arrival: 'estimatedIn' },
  D: { meaning: 'departed', departure: 'actualOut' },
  A: { meaning: 'landed', arrival: 'actualOn' },
  C: { meaning: 'canceled', departure: 'cancelled', arrival: 'cancelled' },
  N: { meaning: 'new information: no fact, counted' },
  O: { meaning: 'arrived, in the schema only: no fact, counted' },
};

/** Elements of a row; others are counted. */
export const avinorElements: Readonly<Record<string, string>> = {
  airline: '`flight.carrier`',
  flight_id: '`flight.flightNumber` and `suffix`, without the carrier at its start and without leading zeros',
  dom_int: 'not taken',
  schedule_time: 'scheduled time of the leg at this airport',
  arr_dep: 'the end of the leg',
  airport: 'last station of a departure, first station of an arrival; with `via_airport` it gives the leg',
  via_airport: 'stations between, in flight order; the leg is to the first one, or from the last one',
  check_in: '`departure.checkInCounter`',
  gate: '`departure.gate` or `arrival.gate`',
  belt: '`arrival.baggage`',
  status: 'times and cancellation, see the codes',
  delayed: 'not taken: it follows from the estimate',
  codeshareAirlineDesignators: 'carriers of `plan.codeshares`',
  codeshareFlightNumbers: 'numbers of `plan.codeshares`',
  codeshareOperationalSuffixs: 'suffixes of `plan.codeshares`',
  codeshareAirlineNames: 'not taken',
};

/** Status texts and the facts that they give; `HH:MM` may be followed by `(DD/MM/YYYY)`. */
export const hkiaTexts: readonly {
  readonly text: string;
  readonly direction: 'departure' | 'arrival' | 'both';
  readonly fact: keyof LiveFacts | '';
  readonly value?: string;
}[] = [
  { text: 'Dep HH:MM', direction: 'departure', fact: 'actualOut' },
  { text: 'At gate HH:MM', direction: 'arrival', fact: 'actualIn' },
  { text: 'Landed HH:MM', direction: 'arrival', fact: 'actualOn' },
  { text: 'Est at HH:MM', direction: 'departure', fact: 'estimatedOut' },
  { text: 'Est at HH:MM', direction: 'arrival', fact: 'estimatedIn' },
  { text: 'Cancelled', direction: 'both', fact: 'cancelled', value: 'true' },
  { text: 'Boarding', direction: 'departure', fact: 'boarding', value: 'Boarding' },
  { text: 'Final Call', direction: 'departure', fact: 'boarding', value: 'FinalCall' },
  { text: 'Gate Closed', direction: 'departure', fact: 'boarding', value: 'GateClosed' },
  { text: 'Boarding Soon', direction: 'both', fact: '' },
  { text: 'Delayed', direction: 'both', fact: '' },
];

/** Members of a row; others are counted. */
export const hkiaMembers: Readonly<Record<string, string>> = {
  time: 'with the date of the day that encloses the row: the scheduled time in Hong Kong',
  flight: 'the first is the flight, the others are `plan.codeshares`; the ICAO code of the airline is the carrier',
  status: 'times, boarding and cancellation, see the texts',
  statusCode: 'not taken: always null',
  destination: 'stations of a departure, in flight order; the leg is to the first one',
  origin: 'stations of an arrival, in flight order; the leg is from the last one',
  terminal: '`departure.terminal`, without the `T`',
  gate: '`departure.gate`',
  aisle: '`departure.checkInCounter`',
  stand: '`arrival.stand`',
  baggage: '`arrival.baggage`',
  hall: 'not taken',
};

/** The codes of `flightLegStatus`. Others are counted. */
export const swedaviaCodes: Readonly<Record<string, { readonly meaning: string; readonly fact?: 'cancelled' }>> = {
  SCH: { meaning: 'scheduled: no fact' },
  ACT: { meaning: 'active: no fact' },
  CAN: { meaning: 'canceled', fact: 'cancelled' },
  DEL: { meaning: 'deleted from the plan of the airport, which is not a cancellation: no fact, counted' },
  DEP: { meaning: 'departed: no fact, the time is in `actualUtc`' },
  LAN: { meaning: 'landed: no fact, the time is in `actualUtc`' },
};
