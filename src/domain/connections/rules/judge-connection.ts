import type { LocalDate } from '../../time/dates.ts';
import { inKilometers } from '../../master-data/distance.ts';
import { trafficRestrictionOf } from '../../schedule/traffic-restrictions.ts';
import { circuityOf, flownMetresOf, isCircuityAllowed, MAX_CIRCUITY_PERCENT, unknownPositionsOf } from './circuity.ts';
import type { ConnectingFlight } from '../connecting-flight.ts';
import { MAX_CONNECTING_MINUTES } from '../mct/connecting-time.ts';
import { connectionPointOf, isConnectionPoint, isInterAirport, type ConnectionPoint } from './connection-point.ts';
import type { CarrierTies } from './cooperation.ts';
import { arrivalEndOf, departureEndOf } from '../mct/mct-end.ts';
import { mctRuleOn } from '../mct/mct-rules.ts';
import { mctAt, type MctTable } from '../mct/mct-table.ts';
import { commonClassesOf, isCodeshareAllowed, isSameFlight, serviceClassesOf } from './pair-rules.ts';
import { trafficRefusalsOf, type TrafficRefusal } from './pair-traffic.ts';
import type { RuleFigures, Verdict } from './verdict.ts';

/** Two flights, each of one date. */
export type ConnectionCase = {
  readonly flight1: ConnectingFlight;
  readonly flight2: ConnectingFlight;
  /** From the arrival of leg 1 to the departure of leg 2, in time that really passes; negative when leg 2 is gone by then. */
  readonly minutes: number;
  /** The local date on which leg 1 arrives. */
  readonly arrivesOn: LocalDate;
};

/** What is known of minimum connecting times and of carriers. */
export type ConnectionRules = { readonly mct: MctTable; readonly cooperation: CarrierTies };

const judgeService = ({ flight1, flight2 }: ConnectionCase): Verdict => {
  const figures = (flight: ConnectingFlight) => ({
    serviceType: flight.serviceType,
    classes: serviceClassesOf(flight),
  });
  return {
    rule: 'service',
    allowed: commonClassesOf(flight1, flight2).length > 0,
    figures: { leg1: figures(flight1), leg2: figures(flight2) },
  };
};

const judgeSameFlight = ({ flight1, flight2 }: ConnectionCase): Verdict => {
  const figures = ({ carrier, flightNumber, suffix, operating }: ConnectingFlight) => ({
    flight: { carrier, flightNumber, suffix },
    operating,
  });
  return {
    rule: 'same-flight',
    allowed: !isSameFlight(flight1, flight2),
    figures: { leg1: figures(flight1), leg2: figures(flight2) },
  };
};

const judgePoint = (point: ConnectionPoint): Verdict => ({
  rule: 'connection-point',
  allowed: isConnectionPoint(point),
  figures: {
    arrivalAirport: point.arrival.iata,
    arrivalCity: point.arrival.cityCode,
    departureAirport: point.departure.iata,
    departureCity: point.departure.cityCode,
    isInterAirport: isInterAirport(point),
  },
});

/** How far round the way leads can only be told where all positions are known, and where it is one way: flights that do not meet make none. */
const judgeWay = ({ flight1, flight2 }: ConnectionCase): readonly Verdict[] => {
  const unknown = [...new Set([...unknownPositionsOf(flight1), ...unknownPositionsOf(flight2)])];
  const position: Verdict = { rule: 'position', allowed: unknown.length === 0, figures: { unknown } };
  if (unknown.length > 0 || !isConnectionPoint(connectionPointOf(flight1, flight2))) return [position];
  const circuity = circuityOf(flight1, flight2);
  const metres = circuity?.metres ?? (flownMetresOf(flight1) ?? 0) + (flownMetresOf(flight2) ?? 0);
  const figures: RuleFigures['circuity'] = {
    origin: flight1.airports[0].iata,
    destination: flight2.airports.at(-1)?.iata ?? '',
    kilometers: inKilometers(metres),
    directKilometers: inKilometers(circuity?.directMetres ?? 0),
    percent: circuity?.percent,
    maxPercent: MAX_CIRCUITY_PERCENT,
  };
  return [position, { rule: 'circuity', allowed: isCircuityAllowed(circuity), figures }];
};

const judgeCarriers = ({ flight1, flight2 }: ConnectionCase, cooperation: CarrierTies): readonly Verdict[] => {
  const figures = ({ carrier, isMarketing }: ConnectingFlight) => ({ carrier, isMarketing });
  const refusals = cooperation.refusalsOf(flight1, flight2);
  return [
    {
      rule: 'codeshare',
      allowed: isCodeshareAllowed(flight1, flight2),
      figures: { leg1: figures(flight1), leg2: figures(flight2) },
    },
    { rule: 'partners', allowed: refusals.length === 0, figures: { refusals } },
  ];
};

const judgeTraffic = ({ flight1, flight2 }: ConnectionCase): Verdict => {
  const airportOf = ({ leg, holdsHere }: TrafficRefusal): string => {
    const { airports } = leg === 1 ? flight1 : flight2;
    return ((leg === 1) === holdsHere ? airports.at(-1) : airports[0])?.iata ?? '';
  };
  const classes = commonClassesOf(flight1, flight2).map((service) => ({
    service,
    refusals: trafficRefusalsOf(flight1, flight2, service),
  }));
  const open = classes.filter(({ refusals }) => refusals.length === 0).map(({ service }) => service);
  const refusals = classes
    .flatMap((found) => found.refusals)
    .map((refusal) => ({
      ...refusal,
      meaning: trafficRestrictionOf(refusal.readAs)?.meaning ?? '',
      airport: airportOf(refusal),
    }));
  return {
    rule: 'traffic-restriction',
    allowed: open.length > 0,
    figures: { passenger: open.includes('Passenger'), cargo: open.includes('Cargo'), refusals },
  };
};

const judgeTimes = (
  { flight1, flight2, minutes, arrivesOn }: ConnectionCase,
  point: ConnectionPoint,
  table: MctTable,
): readonly Verdict[] => {
  const station = mctAt(table, point.arrival, point.departure);
  const rule = mctRuleOn(station.rulesFor(arrivalEndOf(flight1), departureEndOf(flight2)), arrivesOn);
  if (rule === undefined) return [];
  const { status, minutes: minimumMinutes, record, suppressedBy } = rule;
  return [
    { rule: 'suppressed', allowed: suppressedBy === undefined, figures: { record: suppressedBy } },
    {
      rule: 'minimum-connecting-time',
      allowed: minutes >= minimumMinutes,
      figures: { status, minimumMinutes, actualMinutes: minutes, isInterAirport: isInterAirport(point), record },
    },
    {
      rule: 'maximum-connecting-time',
      allowed: minutes <= MAX_CONNECTING_MINUTES,
      figures: { actualMinutes: minutes, maximumMinutes: MAX_CONNECTING_MINUTES },
    },
  ];
};

/**
 * What each rule says of two flights, in the order in which rules are applied; they connect when all allow it. Rules that cannot be told
 * are left out: circuity without positions, traffic restrictions without a common service, and without a connection point both of these
 * and all times.
 */
export const judgeConnection = (subject: ConnectionCase, { mct, cooperation }: ConnectionRules): readonly Verdict[] => {
  const point = connectionPointOf(subject.flight1, subject.flight2);
  const service = judgeService(subject);
  const meeting = judgePoint(point);
  return [
    service,
    judgeSameFlight(subject),
    meeting,
    ...judgeWay(subject),
    ...judgeCarriers(subject, cooperation),
    ...(service.allowed && meeting.allowed ? [judgeTraffic(subject)] : []),
    ...(meeting.allowed ? judgeTimes(subject, point, mct) : []),
  ];
};
