import { dateAt, type LocalDate, type UtcMinute } from '../../domain/time/dates.ts';
import { atSecond, type UtcMillisecond, type UtcSecond } from '../../domain/status/instants.ts';
import type {
  FlightFacts,
  FlightPlan,
  FlightReference,
  LandingFacts,
  StatusMessage,
} from '../../domain/status/message.ts';
import { clockAt } from './clock-times.ts';
import type { GateTimes } from './gate-times.ts';
import type { Landing } from './diversion-landings.ts';
import { identityOf, type OnTimeRow } from './on-time-row.ts';

/** Everything a row tells, in UTC; `times.on` and `times.in` are those at the destination. */
export type Told = { readonly row: OnTimeRow; readonly times: GateTimes; readonly landings: readonly Landing[] };

type Designated = Extract<FlightReference, { readonly by: 'designator' }>;
type Part = Pick<StatusMessage, 'facts' | 'landings' | 'plan' | 'flight'> & {
  readonly id: string;
  /** Stands in for the last event of a flight without events. */
  readonly departsAt: UtcSecond;
};

const second = (minute: UtcMinute | undefined): UtcSecond | undefined =>
  minute === undefined ? undefined : atSecond(minute);

const referenceOf = (row: OnTimeRow, from: { suffix: string; date: LocalDate; airport: string }): Designated => ({
  by: 'designator',
  carrier: row.carrier,
  flightNumber: row.flightNumber,
  suffix: from.suffix,
  originDate: from.date,
  datedBy: 'departure',
  departureAirport: from.airport,
  arrivalAirport: row.destination,
});

const planOf = (
  { departureAirport }: Designated,
  row: OnTimeRow,
  times: Pick<FlightPlan, 'departsAt' | 'arrivesAt' | 'recovers'>,
): FlightPlan => ({
  flightType: 'Unscheduled',
  departureAirport,
  arrivalAirport: row.destination,
  serviceType: 'J',
  aircraftType: { iata: '', icao: '' },
  ...times,
});

/** `goesOn` tells whether the flight itself leaves from its last landing. */
const landingFacts = (landings: readonly Landing[], goesOn: boolean): readonly LandingFacts<string>[] =>
  landings.map(({ airport, on, off }, index) => {
    const landed = { id: String(index + 1), airport, actualOn: atSecond(on) };
    const continues = index < landings.length - 1 || goesOn;
    return continues ? { ...landed, continues, actualOff: second(off) } : { ...landed, continues };
  });

/** The file does not say when anything was known: a flight is told of when its last event has happened, the same each time it is read. */
const messageOf = ({ departsAt, ...message }: Part): StatusMessage => {
  const { actualOut, actualOff, actualOn, actualIn } = message.facts;
  const landed = message.landings.flatMap((landing) => [landing.actualOn, landing.actualOff]);
  const events = [actualOut, actualOff, ...landed, actualOn, actualIn].filter((at) => typeof at === 'number');
  const last = events.length === 0 ? departsAt : Math.max(...events);
  return { source: 'bts', observedAt: (last * 1000) as UtcMillisecond, ...message };
};

/**
 * Where another aircraft took over, or undefined when the flight's own went on as far as the flight did. A further change of
 * aircraft would not be told: one flight recovers another.
 */
const changeOf = ({ row, landings }: Told): number | undefined => {
  const index = landings.findIndex(
    ({ off, registration }) =>
      off !== undefined &&
      registration !== undefined &&
      row.registration !== undefined &&
      registration !== row.registration,
  );
  return index === -1 ? undefined : index;
};

/**
 * The flight that took the passengers on with another aircraft. It leaves under the same number, perhaps from the same airport
 * as the flight before it did: the suffix R keeps the two apart.
 */
const recoveryMessage = (told: Told, change: number, recovers: Designated): readonly StatusMessage[] => {
  const { row, times, landings } = told;
  const from = landings[change];
  if (from?.off === undefined) return [];
  const flight = referenceOf(row, { suffix: 'R', date: dateAt(clockAt(from.zone, from.off)), airport: from.airport });
  const rest = landings.slice(change + 1);
  const departsAt = atSecond(from.off);
  const facts: FlightFacts = {
    actualOff: departsAt,
    actualOn: second(times.on),
    actualIn: second(times.in),
    registration: from.registration,
  };
  return [
    messageOf({
      id: `bts:${identityOf(row)}:recovery`,
      flight,
      facts,
      landings: landingFacts(rest, rest.at(-1)?.off !== undefined),
      plan: planOf(flight, row, { departsAt, arrivesAt: second(times.in ?? times.on), recovers }),
      departsAt,
    }),
  ];
};

/** A file without columns for landings tells of a diversion, but not where to. */
const unknownLanding = ({ times }: Told): readonly LandingFacts<string>[] => [
  { id: '1', continues: times.on !== undefined },
];

/** The message of a row's flight, and a second one of the flight that recovered it, if one did. */
export const tellRow = (told: Told): readonly StatusMessage[] => {
  const { row, times, landings } = told;
  const flight = referenceOf(row, { suffix: '', date: row.date, airport: row.origin });
  const change = changeOf(told);
  const own = change === undefined ? landings : landings.slice(0, change + 1);
  const goesOn = change === undefined && own.at(-1)?.off !== undefined;
  const departsAt = atSecond(times.departsAt);
  const facts: FlightFacts = {
    actualOut: second(times.out),
    actualOff: second(times.off),
    ...(change === undefined ? { actualOn: second(times.on), actualIn: second(times.in) } : {}),
    registration: row.registration,
    ...(row.cancelled ? { cancelled: true } : {}),
  };
  const message = messageOf({
    id: `bts:${identityOf(row)}`,
    flight,
    facts,
    landings: row.diverted && own.length === 0 ? unknownLanding(told) : landingFacts(own, goesOn),
    plan: planOf(flight, row, { departsAt, arrivesAt: atSecond(times.arrivesAt), recovers: undefined }),
    departsAt,
  });
  return change === undefined ? [message] : [message, ...recoveryMessage(told, change, flight)];
};
