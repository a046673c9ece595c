import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightPlan, StatusMessage } from '../../../domain/status/message.ts';
import { businessOperators } from '../world/carriers.ts';
import { between, chanceOf } from './chance.ts';
import { later, type DemoReference } from './demo-flight.ts';
import { localDateAt, metresBetween } from './places.ts';
import { toMessages, type Report } from './reports.ts';

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
  const chance = chanceOf(`general aviation|${number}`);
  const departsAt = later((number * EVERY) as UtcSecond, between(chance('at'), 0, 20));
  const operator = businessOperators[place % 2] ?? businessOperators[0];
  const minutes = OVERHEAD + ((metresBetween(from, to) ?? 0) / 1000 / cruiseKmh) * 60;
  return {
    number,
    reference: {
      by: 'designator',
      carrier: operator.icao,
      // Ten days pass before a number comes again, so that no clock change brings two of them into one local day.
      flightNumber: 201 + place + 20 * (Math.floor((number * EVERY) / A_DAY) % 10),
      suffix: '',
      originDate: localDateAt(from, departsAt),
      departureAirport: from,
      arrivalAirport: to,
    },
    plan: {
      flightType: 'GA',
      departureAirport: from,
      arrivalAirport: to,
      departsAt,
      arrivesAt: later(departsAt, minutes),
      serviceType: '',
      aircraftType: { iata: '', icao },
      recovers: undefined,
    },
    // The United States never issue the letter I, so these belong to nobody.
    registration: `N${210 + 17 * place}${operator.icao.slice(0, 1)}I`,
  };
};

/** Every other one is filed on the evening before, UTC; the others some hours ahead. So there is always one waiting. */
const filedAt = ({ number, plan }: Filed, share: number): UtcSecond => {
  if (number % 2 !== 0) return later(plan.departsAt, -between(share, 180, 300));
  const midnight = (Math.floor((number * EVERY) / A_DAY) * A_DAY) as UtcSecond;
  return later(midnight, -between(share, 130, 240));
};

const lifeOf = (filed: Filed): readonly StatusMessage[] => {
  const { number, reference, plan, registration } = filed;
  const { departsAt, arrivesAt = departsAt } = plan;
  const chance = chanceOf(`general aviation|${number}`);
  const off = later(departsAt, between(chance('off'), -5, 20));
  const airborne = (arrivesAt - departsAt) * between(chance('airborne'), 0.99, 1.05);
  const on = later(off, airborne / 60);
  const seen = Math.round(between(chance('seen'), 30, 100));
  const underWay = [0.3, 0.65, 0.9].map((share): Report => {
    const at = later(off, (airborne * share) / 60);
    return { at, facts: { estimatedOn: later(on, between(chance(`way ${share}`), -0.1, 0.1) * ((on - at) / 60)) } };
  });
  const reports: readonly Report[] = [
    { at: filedAt(filed, chance('filed')), facts: { proposed: true, estimatedOff: departsAt, estimatedOn: arrivesAt } },
    { at: later(departsAt, -between(chance('ready'), 25, 60)), facts: { registration, estimatedOff: off } },
    { at: (off + seen) as UtcSecond, facts: { proposed: false, actualOff: off, estimatedOn: arrivesAt } },
    ...underWay,
    { at: (on + seen) as UtcSecond, facts: { actualOn: on } },
  ];
  return toMessages(reports, { reference, plan });
};

/** The lives of the business aviation flights that are to leave between two instants: one every two hours, each longer than that. */
export const businessFlights = (from: UtcSecond, to: UtcSecond): readonly (readonly StatusMessage[])[] => {
  const first = Math.ceil(from / EVERY);
  const count = Math.max(0, Math.floor(to / EVERY) - first + 1);
  return Array.from({ length: count }, (_, index) => lifeOf(fileFlight(first + index)));
};
