import { toDate, type LocalDate, type UtcMinute } from '#domain/time/dates.ts';
import { minuteToSecond, type UtcMillisecond, type UtcSecond } from '#domain/status/instants.ts';
import type {
  DesignatorReference,
  FlightFacts,
  UnscheduledFlightDescription,
  LandingFacts,
  StatusMessage,
} from '#domain/status/message.ts';
import { toLocalMinute } from '#domain/time/zones.ts';
import type { GateTimes } from './gate-times.ts';
import type { DiversionLanding } from './diversion-landings.ts';
import { formatRowId, type BtsRow } from './bts-row.ts';

/** A row with its times in UTC; `times.on` and `times.in` are those at the destination. */
export type ResolvedRow = {
  readonly row: BtsRow;
  readonly times: GateTimes;
  readonly landings: readonly DiversionLanding[];
};

type MessageParts = Pick<StatusMessage, 'facts' | 'landings' | 'plan' | 'flight'> & {
  readonly id: string;
  /** Replaces the last event of a flight without events. */
  readonly departsAt: UtcSecond;
};

const toUtcSecond = (minute: UtcMinute | undefined): UtcSecond | undefined =>
  minute === undefined ? undefined : minuteToSecond(minute);

const toFlightReference = (
  row: BtsRow,
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
  row: BtsRow,
  times: Pick<UnscheduledFlightDescription, 'departsAt' | 'arrivesAt' | 'recovers'>,
): UnscheduledFlightDescription => ({
  flightType: 'Unscheduled',
  departureAirport,
  arrivalAirport: row.destination,
  serviceType: 'J',
  aircraftType: { iata: '', icao: '' },
  ...times,
});

/** `hasContinued` is true when the flight itself departed from its last landing. */
const toLandingFacts = (
  landings: readonly DiversionLanding[],
  hasContinued: boolean,
): readonly LandingFacts<string>[] =>
  landings.map(({ airport, on, off }, index) => {
    const landed = { id: String(index + 1), airport, actualOn: minuteToSecond(on) };
    const continues = index < landings.length - 1 || hasContinued;
    return continues ? { ...landed, continues, actualOff: toUtcSecond(off) } : { ...landed, continues };
  });

/** The file has no times of observation, so that of a message is its last event, which is the same for each import. */
const toStatusMessage = ({ departsAt, ...message }: MessageParts): StatusMessage => {
  const { actualOut, actualOff, actualOn, actualIn } = message.facts;
  const landed = message.landings.flatMap((landing) => [landing.actualOn, landing.actualOff]);
  const events = [actualOut, actualOff, ...landed, actualOn, actualIn].filter((at) => typeof at === 'number');
  const last = events.length === 0 ? departsAt : Math.max(...events);
  return { source: 'bts', observedAt: (last * 1000) as UtcMillisecond, ...message };
};

/**
 * Returns the index of the landing from which another aircraft continued; undefined when there was no change. Further changes of
 * aircraft are ignored, since one flight recovers another.
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
 * Returns the message of the flight that recovered the passengers with another aircraft. It departs under the same number, perhaps
 * from the same airport as the original flight; the suffix R distinguishes the two.
 */
const toRecoveryMessages = (
  resolvedRow: ResolvedRow,
  changeIndex: number,
  recovers: DesignatorReference,
): readonly StatusMessage[] => {
  const { row, times, landings } = resolvedRow;
  const from = landings[changeIndex];
  if (from?.off === undefined) return [];
  const flight = toFlightReference(row, {
    suffix: 'R',
    date: toDate(toLocalMinute(from.zone, from.off)),
    airport: from.airport,
  });
  const rest = landings.slice(changeIndex + 1);
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

/** The landing of a diversion in a file without columns for landings, which has no airport. */
const unknownLanding = ({ times }: ResolvedRow): readonly LandingFacts<string>[] => [
  { id: '1', continues: times.on !== undefined },
];

/** Returns the message of the flight of a row, and that of its recovery flight, if any. */
export const toStatusMessages = (resolvedRow: ResolvedRow): readonly StatusMessage[] => {
  const { row, times, landings } = resolvedRow;
  const flight = toFlightReference(row, { suffix: '', date: row.date, airport: row.origin });
  const changeIndex = findAircraftChange(resolvedRow);
  const ownLandings = changeIndex === undefined ? landings : landings.slice(0, changeIndex + 1);
  const hasContinued = changeIndex === undefined && ownLandings.at(-1)?.off !== undefined;
  const departsAt = minuteToSecond(times.departsAt);
  const facts: FlightFacts = {
    actualOut: toUtcSecond(times.out),
    actualOff: toUtcSecond(times.off),
    ...(changeIndex === undefined ? { actualOn: toUtcSecond(times.on), actualIn: toUtcSecond(times.in) } : {}),
    registration: row.registration,
    ...(row.cancelled ? { cancelled: true } : {}),
  };
  const message = toStatusMessage({
    id: `bts:${formatRowId(row)}`,
    flight,
    facts,
    landings:
      row.diverted && ownLandings.length === 0
        ? unknownLanding(resolvedRow)
        : toLandingFacts(ownLandings, hasContinued),
    plan: toFlightPlan(flight, row, { departsAt, arrivesAt: minuteToSecond(times.arrivesAt), recovers: undefined }),
    departsAt,
  });
  return changeIndex === undefined ? [message] : [message, ...toRecoveryMessages(resolvedRow, changeIndex, flight)];
};
