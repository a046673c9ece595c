import { toDate, type LocalDate, type UtcMinute } from '../../domain/time/dates.ts';
import { minuteToSecond, type UtcMillisecond, type UtcSecond } from '../../domain/status/instants.ts';
import type {
  FlightFacts,
  FlightPlan,
  FlightReference,
  LandingFacts,
  StatusMessage,
} from '../../domain/status/message.ts';
import { toLocalMinute } from './clock-times.ts';
import type { GateTimes } from './gate-times.ts';
import type { DiversionLanding } from './diversion-landings.ts';
import { formatRowId, type OnTimeFileRow } from './on-time-row.ts';

/** Everything a row tells, in UTC; `times.on` and `times.in` are those at the destination. */
export type ResolvedRow = {
  readonly row: OnTimeFileRow;
  readonly times: GateTimes;
  readonly landings: readonly DiversionLanding[];
};

type DesignatorReference = Extract<FlightReference, { readonly by: 'designator' }>;
type MessageParts = Pick<StatusMessage, 'facts' | 'landings' | 'plan' | 'flight'> & {
  readonly id: string;
  /** Stands in for the last event of a flight without events. */
  readonly departsAt: UtcSecond;
};

const toUtcSecond = (minute: UtcMinute | undefined): UtcSecond | undefined =>
  minute === undefined ? undefined : minuteToSecond(minute);

const toFlightReference = (
  row: OnTimeFileRow,
  from: { suffix: string; date: LocalDate; airport: string },
): DesignatorReference => ({
  by: 'designator',
  carrier: row.carrier,
  flightNumber: row.flightNumber,
  suffix: from.suffix,
  originDate: from.date,
  datedBy: 'departure',
  departureAirport: from.airport,
  arrivalAirport: row.destination,
});

const toFlightPlan = (
  { departureAirport }: DesignatorReference,
  row: OnTimeFileRow,
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
const toLandingFacts = (landings: readonly DiversionLanding[], goesOn: boolean): readonly LandingFacts<string>[] =>
  landings.map(({ airport, on, off }, index) => {
    const landed = { id: String(index + 1), airport, actualOn: minuteToSecond(on) };
    const continues = index < landings.length - 1 || goesOn;
    return continues ? { ...landed, continues, actualOff: toUtcSecond(off) } : { ...landed, continues };
  });

/** The file does not say when anything was known: a flight is told of when its last event has happened, the same each time it is read. */
const toStatusMessage = ({ departsAt, ...message }: MessageParts): StatusMessage => {
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
const findAircraftChange = ({ row, landings }: ResolvedRow): number | undefined => {
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
const toRecoveryMessages = (
  told: ResolvedRow,
  change: number,
  recovers: DesignatorReference,
): readonly StatusMessage[] => {
  const { row, times, landings } = told;
  const from = landings[change];
  if (from?.off === undefined) return [];
  const flight = toFlightReference(row, {
    suffix: 'R',
    date: toDate(toLocalMinute(from.zone, from.off)),
    airport: from.airport,
  });
  const rest = landings.slice(change + 1);
  const departsAt = minuteToSecond(from.off);
  const facts: FlightFacts = {
    actualOff: departsAt,
    actualOn: toUtcSecond(times.on),
    actualIn: toUtcSecond(times.in),
    registration: from.registration,
  };
  return [
    toStatusMessage({
      id: `bts:${formatRowId(row)}:recovery`,
      flight,
      facts,
      landings: toLandingFacts(rest, rest.at(-1)?.off !== undefined),
      plan: toFlightPlan(flight, row, { departsAt, arrivesAt: toUtcSecond(times.in ?? times.on), recovers }),
      departsAt,
    }),
  ];
};

/** A file without columns for landings tells of a diversion, but not where to. */
const unknownLanding = ({ times }: ResolvedRow): readonly LandingFacts<string>[] => [
  { id: '1', continues: times.on !== undefined },
];

/** The message of a row's flight, and a second one of the flight that recovered it, if one did. */
export const toStatusMessages = (told: ResolvedRow): readonly StatusMessage[] => {
  const { row, times, landings } = told;
  const flight = toFlightReference(row, { suffix: '', date: row.date, airport: row.origin });
  const change = findAircraftChange(told);
  const own = change === undefined ? landings : landings.slice(0, change + 1);
  const goesOn = change === undefined && own.at(-1)?.off !== undefined;
  const departsAt = minuteToSecond(times.departsAt);
  const facts: FlightFacts = {
    actualOut: toUtcSecond(times.out),
    actualOff: toUtcSecond(times.off),
    ...(change === undefined ? { actualOn: toUtcSecond(times.on), actualIn: toUtcSecond(times.in) } : {}),
    registration: row.registration,
    ...(row.cancelled ? { cancelled: true } : {}),
  };
  const message = toStatusMessage({
    id: `bts:${formatRowId(row)}`,
    flight,
    facts,
    landings: row.diverted && own.length === 0 ? unknownLanding(told) : toLandingFacts(own, goesOn),
    plan: toFlightPlan(flight, row, { departsAt, arrivesAt: minuteToSecond(times.arrivesAt), recovers: undefined }),
    departsAt,
  });
  return change === undefined ? [message] : [message, ...toRecoveryMessages(told, change, flight)];
};
