import type { LocalDate } from '#domain/time/dates.ts';
import { toKilometers } from '#domain/master-data/distance.ts';
import { findTrafficRestriction } from '#domain/schedule/traffic-restrictions.ts';
import {
  computeCircuity,
  computeFlownMetres,
  isCircuityAllowed,
  MAX_CIRCUITY_PERCENT,
  listUnknownPositions,
} from './circuity.ts';
import type { ConnectingFlight } from '../flights/connecting-flight.ts';
import {
  type ConnectionPoint,
  toConnectionPoint,
  isConnectionPoint,
  isInterAirport,
  MAX_CONNECTING_MINUTES,
} from './connection-point.ts';
import type { CarrierRelations } from './carrier-relations.ts';
import { toArrivalEnd, toDepartureEnd } from '../mct/mct-end.ts';
import { findMctRule } from '../mct/mct-rules.ts';
import { getStationMct, type MctTable } from '../mct/mct-table.ts';
import { listCommonClasses, isCodeshareAllowed, isSameFlight, listServiceClasses } from './pair-rules.ts';
import { listTrafficRejections, type TrafficRejection } from './traffic-rejections.ts';
import type { RuleFigures, RuleVerdict } from './rule-verdict.ts';

/** Two flights, each on one date. */
export type ConnectionCase = {
  readonly flight1: ConnectingFlight;
  readonly flight2: ConnectingFlight;
  /** Elapsed minutes from the arrival of leg 1 to the departure of leg 2; negative when leg 2 departs earlier. */
  readonly minutes: number;
  /** The local date on which leg 1 arrives. */
  readonly arrivesOn: LocalDate;
};

/** The minimum connecting times and carrier relations that the rules use. */
export type ConnectionRules = { readonly mct: MctTable; readonly relations: CarrierRelations };

const evaluateService = ({ flight1, flight2 }: ConnectionCase): RuleVerdict => {
  const figures = (flight: ConnectingFlight) => ({
    serviceType: flight.serviceType,
    classes: listServiceClasses(flight),
  });
  return {
    rule: 'service',
    allowed: listCommonClasses(flight1, flight2).length > 0,
    figures: { leg1: figures(flight1), leg2: figures(flight2) },
  };
};

const evaluateSameFlight = ({ flight1, flight2 }: ConnectionCase): RuleVerdict => {
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

const evaluatePoint = (point: ConnectionPoint): RuleVerdict => ({
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

/** Circuity requires known positions and flights that meet at a connection point. */
const evaluateRoute = ({ flight1, flight2 }: ConnectionCase): readonly RuleVerdict[] => {
  const unknown = [...new Set([...listUnknownPositions(flight1), ...listUnknownPositions(flight2)])];
  const position: RuleVerdict = { rule: 'position', allowed: unknown.length === 0, figures: { unknown } };
  if (unknown.length > 0 || !isConnectionPoint(toConnectionPoint(flight1, flight2))) return [position];
  const circuity = computeCircuity(flight1, flight2);
  const metres = circuity?.metres ?? (computeFlownMetres(flight1) ?? 0) + (computeFlownMetres(flight2) ?? 0);
  const figures: RuleFigures['circuity'] = {
    origin: flight1.airports[0].iata,
    destination: flight2.airports.at(-1)?.iata ?? '',
    kilometers: toKilometers(metres),
    directKilometers: toKilometers(circuity?.directMetres ?? 0),
    percent: circuity?.percent,
    maxPercent: MAX_CIRCUITY_PERCENT,
  };
  return [position, { rule: 'circuity', allowed: isCircuityAllowed(circuity), figures }];
};

const evaluateCarriers = (
  { flight1, flight2 }: ConnectionCase,
  relations: CarrierRelations,
): readonly RuleVerdict[] => {
  const figures = ({ carrier, isMarketing }: ConnectingFlight) => ({ carrier, isMarketing });
  const rejections = relations.listRejections(flight1, flight2);
  return [
    {
      rule: 'codeshare',
      allowed: isCodeshareAllowed(flight1, flight2),
      figures: { leg1: figures(flight1), leg2: figures(flight2) },
    },
    { rule: 'partners', allowed: rejections.length === 0, figures: { rejections } },
  ];
};

const evaluateTraffic = ({ flight1, flight2 }: ConnectionCase): RuleVerdict => {
  const airportOf = ({ leg, holdsHere }: TrafficRejection): string => {
    const { airports } = leg === 1 ? flight1 : flight2;
    return ((leg === 1) === holdsHere ? airports.at(-1) : airports[0])?.iata ?? '';
  };
  const classes = listCommonClasses(flight1, flight2).map((service) => ({
    service,
    rejections: listTrafficRejections(flight1, flight2, service),
  }));
  const allowedClasses = classes.filter(({ rejections }) => rejections.length === 0).map(({ service }) => service);
  const rejections = classes
    .flatMap((entry) => entry.rejections)
    .map((rejection) => ({
      ...rejection,
      meaning: findTrafficRestriction(rejection.readAs)?.meaning ?? '',
      airport: airportOf(rejection),
    }));
  return {
    rule: 'traffic-restriction',
    allowed: allowedClasses.length > 0,
    figures: { passenger: allowedClasses.includes('Passenger'), cargo: allowedClasses.includes('Cargo'), rejections },
  };
};

const evaluateTimes = (
  { flight1, flight2, minutes, arrivesOn }: ConnectionCase,
  point: ConnectionPoint,
  table: MctTable,
): readonly RuleVerdict[] => {
  const station = getStationMct(table, point.arrival, point.departure);
  const rule = findMctRule(station.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2)), arrivesOn);
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
 * Returns the result of each rule for two flights, in the order of the rules; they connect when all rules allow it. Rules that cannot be evaluated
 * are left out: circuity without positions, traffic restrictions without a common service; without a connection point both of these and all times.
 */
export const evaluateRules = (
  candidate: ConnectionCase,
  { mct, relations }: ConnectionRules,
): readonly RuleVerdict[] => {
  const point = toConnectionPoint(candidate.flight1, candidate.flight2);
  const service = evaluateService(candidate);
  const meeting = evaluatePoint(point);
  return [
    service,
    evaluateSameFlight(candidate),
    meeting,
    ...evaluateRoute(candidate),
    ...evaluateCarriers(candidate, relations),
    ...(service.allowed && meeting.allowed ? [evaluateTraffic(candidate)] : []),
    ...(meeting.allowed ? evaluateTimes(candidate, point, mct) : []),
  ];
};
