import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightPlan, StatusMessage } from '../../../domain/status/message.ts';
import { businessOperators } from '../world/carriers.ts';
import { interpolate, createSeededRandom } from '../../../lib/seeded-random.ts';
import { addMinutes, type DemoReference } from './demo-flight.ts';
import { computeDistance, toLocalDate } from './airport-geography.ts';
import { toMessages, type StatusReport } from './status-reports.ts';

type Route = readonly [from: string, to: string, type: string, cruiseKmh: number];

/** One for each two hours of a UTC day; each takes longer than that. 1C5 and N07 are airfields with an FAA code alone. */
const routes: readonly Route[] = [
  ['LAX', 'ORD', 'C68A', 800],
  ['SEA', 'ORD', 'C68A', 800],
  ['ANC', 'SEA', 'C25C', 740],
  ['SFO', 'ORD', 'GL5T', 870],
  ['MIA', 'DEN', 'C68A', 800],
  ['BOS', 'PHX', 'GL5T', 870],
  ['N07', 'MIA', 'PC12', 480],
  ['1C5', 'BOS', 'PC12', 480],
  ['DCA', 'DEN', 'C25C', 740],
  ['1C5', 'DEN', 'PC12', 480],
  ['EWR', 'LAX', 'GL5T', 870],
  ['PHX', 'BOS', 'C68A', 800],
];

/** Flights leave so many seconds apart. */
const EVERY = 7200;
const A_DAY = 86_400;
/** Climb, approach and detours, minutes. */
const OVERHEAD = 15;

type Filed = {
  readonly number: number;
  readonly reference: DemoReference;
  readonly plan: FlightPlan;
  readonly registration: string;
};

const fileFlight = (number: number): Filed => {
  const place = ((number % routes.length) + routes.length) % routes.length;
  const [from, to, icao, cruiseKmh] = routes[place] ?? ['LAX', 'ORD', 'C68A', 800];
  const chance = createSeededRandom(`general aviation|${number}`);
  const departsAt = addMinutes((number * EVERY) as UtcSecond, interpolate(chance('at'), 0, 20));
  const operator = businessOperators[place % 2] ?? '';
  const minutes = OVERHEAD + ((computeDistance(from, to) ?? 0) / 1000 / cruiseKmh) * 60;
  return {
    number,
    reference: {
      by: 'designator',
      carrier: operator,
      // Ten days pass before a number comes again, so that no clock change brings two of them into one local day.
      flightNumber: 201 + place + 20 * (Math.floor((number * EVERY) / A_DAY) % 10),
      suffix: '',
      originDate: toLocalDate(from, departsAt),
      departureAirport: from,
      arrivalAirport: to,
    },
    plan: {
      flightType: 'GA',
      departureAirport: from,
      arrivalAirport: to,
      departsAt,
      arrivesAt: addMinutes(departsAt, minutes),
      serviceType: '',
      aircraftType: { iata: '', icao },
      recovers: undefined,
    },
    // The United States never issue the letter I, so these belong to nobody.
    registration: `N${210 + 17 * place}${operator.slice(0, 1)}I`,
  };
};

/** Every other one is filed on the evening before, UTC; the others some hours ahead. So there is always one waiting. */
const filedAt = ({ number, plan }: Filed, share: number): UtcSecond => {
  if (number % 2 !== 0) return addMinutes(plan.departsAt, -interpolate(share, 180, 300));
  const midnight = (Math.floor((number * EVERY) / A_DAY) * A_DAY) as UtcSecond;
  return addMinutes(midnight, -interpolate(share, 130, 240));
};

const lifeOf = (filed: Filed): readonly StatusMessage[] => {
  const { number, reference, plan, registration } = filed;
  const { departsAt, arrivesAt = departsAt } = plan;
  const chance = createSeededRandom(`general aviation|${number}`);
  const off = addMinutes(departsAt, interpolate(chance('off'), -5, 20));
  const airborne = (arrivesAt - departsAt) * interpolate(chance('airborne'), 0.99, 1.05);
  const on = addMinutes(off, airborne / 60);
  const seen = Math.round(interpolate(chance('seen'), 30, 100));
  const underWay = [0.3, 0.65, 0.9].map((share): StatusReport => {
    const at = addMinutes(off, (airborne * share) / 60);
    return {
      at,
      facts: { estimatedOn: addMinutes(on, interpolate(chance(`way ${share}`), -0.1, 0.1) * ((on - at) / 60)) },
    };
  });
  const reports: readonly StatusReport[] = [
    { at: filedAt(filed, chance('filed')), facts: { proposed: true, estimatedOff: departsAt, estimatedOn: arrivesAt } },
    { at: addMinutes(departsAt, -interpolate(chance('ready'), 25, 60)), facts: { registration, estimatedOff: off } },
    { at: (off + seen) as UtcSecond, facts: { proposed: false, actualOff: off, estimatedOn: arrivesAt } },
    ...underWay,
    { at: (on + seen) as UtcSecond, facts: { actualOn: on } },
  ];
  return toMessages(reports, { reference, plan });
};

/** The lives of the business aviation flights that are to leave between two instants: one every two hours, each longer than that. */
export const buildBusinessFlights = (from: UtcSecond, to: UtcSecond): readonly (readonly StatusMessage[])[] => {
  const first = Math.ceil(from / EVERY);
  const count = Math.max(0, Math.floor(to / EVERY) - first + 1);
  return Array.from({ length: count }, (_, index) => lifeOf(fileFlight(first + index)));
};
