import { addDays, type LocalDate, type LocalMinute, MINUTES_A_DAY, type UtcMinute } from '#domain/time/dates.ts';
import { EVERY_DAY } from '#domain/time/period.ts';
import { convertLocalToUtc, getUtcOffset } from '#domain/time/zones.ts';
import { toPassengerMinutes, type ZoneLookup } from '../instances.ts';
import type { Company, Designator, Itinerary, LegEnd, ScheduleLeg, TimeMode } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import { computeElapsed, findVariation } from './flight-schedule.ts';
import type { EquipmentChange, MessageEquipment, MessageLeg, MessageLegEnd } from './schedule-message.ts';

type Clock = { readonly timeMode: TimeMode; readonly firstDate: LocalDate; readonly zoneOf: ZoneLookup };

const noCompany: Company = { code: '', name: '' };

const toLegEnd = (end: MessageLegEnd, existing: LegEnd | undefined, clock: Clock): LegEnd => {
  const { firstDate, timeMode: mode, zoneOf } = clock;
  const variation = findVariation(end, addDays(firstDate, end.dateVariation), { mode, zoneOf });
  if (variation === undefined && existing === undefined)
    throw new AmendmentError('The time zone of the station is unknown.', {
      reason: 'station-unknown',
      field: 'leg',
      value: end.station,
    });
  return {
    station: end.station,
    passengerMinutes: end.passengerMinutes,
    aircraftMinutes: end.aircraftMinutes,
    utcVariationMinutes: variation ?? existing?.utcVariationMinutes ?? 0,
    dateVariation: end.dateVariation,
    terminal: existing?.terminal ?? '',
    mctStatus: existing?.mctStatus ?? '',
  };
};

/** Returns a leg end of an origin date by another clock; `toDate` is the origin date by that clock. */
const convertLegEnd = (end: LegEnd, { fromDate, toDate, mode, zoneOf }: LegConversion): LegEnd => {
  const zone = zoneOf(end.station);
  const from = (fromDate + end.dateVariation) * MINUTES_A_DAY + end.aircraftMinutes;
  const filed = end.utcVariationMinutes;
  const toUtc = (): number =>
    zone === undefined ? from - filed : convertLocalToUtc(zone, from as LocalMinute, filed).utc;
  const toLocal = (): number => from + (zone === undefined ? filed : getUtcOffset(zone, from as UtcMinute));
  const to = (mode === 'utc' ? toUtc() : toLocal()) - toDate * MINUTES_A_DAY;
  const aircraftMinutes = ((to % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY;
  const shift = aircraftMinutes - end.aircraftMinutes;
  return {
    ...end,
    aircraftMinutes,
    passengerMinutes: (end.passengerMinutes + shift + 2 * MINUTES_A_DAY) % MINUTES_A_DAY,
    utcVariationMinutes: mode === 'utc' ? from - toUtc() : toLocal() - from,
    dateVariation: Math.floor(to / MINUTES_A_DAY),
  };
};

export type LegConversion = {
  /** The origin date by the clock of the legs, and by the other clock. */
  readonly fromDate: LocalDate;
  readonly toDate: LocalDate;
  readonly mode: TimeMode;
  readonly zoneOf: ZoneLookup;
};

/** Returns the legs of a single date by another clock. */
export const convertLegs = (legs: Itinerary['legs'], conversion: LegConversion): Itinerary['legs'] => {
  const convert = (leg: ScheduleLeg): ScheduleLeg => ({
    ...leg,
    timeMode: conversion.mode,
    departure: convertLegEnd(leg.departure, conversion),
    arrival: convertLegEnd(leg.arrival, conversion),
  });
  const [first, ...rest] = legs;
  return [convert(first), ...rest.map(convert)];
};

const formatLeg = ({ departure, arrival }: Pick<MessageLeg | ScheduleLeg, 'departure' | 'arrival'>): string =>
  `${departure.station}-${arrival.station}`;

const isDuration = (minutes: number): boolean => minutes > 0 && minutes < MINUTES_A_DAY;

const computePassengerElapsed = (leg: ScheduleLeg): number =>
  computeElapsed(leg) +
  (toPassengerMinutes(leg.arrival) - leg.arrival.aircraftMinutes) -
  (toPassengerMinutes(leg.departure) - leg.departure.aircraftMinutes);

const toUtc = ({ timeMode }: ScheduleLeg, end: LegEnd): number =>
  end.aircraftMinutes + end.dateVariation * MINUTES_A_DAY - (timeMode === 'utc' ? 0 : end.utcVariationMinutes);

/** Throws an AmendmentError unless legs follow each other in place and time and last less than a day. */
const assertChain = (legs: Itinerary['legs']): void => {
  for (const [index, leg] of legs.entries()) {
    const previous = legs[index - 1];
    const reject = (reason: string, message: string): never => {
      throw new AmendmentError(message, { reason, field: 'leg', value: formatLeg(leg) });
    };
    if (!isDuration(computeElapsed(leg)) || !isDuration(computePassengerElapsed(leg)))
      reject('impossible-elapsed-time', `The leg takes ${computeElapsed(leg)} minutes; it must take 1 to 1439.`);
    if (!previous) continue;
    if (previous.arrival.station !== leg.departure.station)
      reject('legs-not-aligned', 'The leg does not depart where the previous one arrives.');
    if (toUtc(leg, leg.departure) < toUtc(previous, previous.arrival))
      reject('legs-not-aligned', 'The leg departs before the previous one arrives.');
  }
};

/** Another aircraft has no registration until the message states it. */
const withRegistration = (leg: ScheduleLeg, registration: string | undefined): ScheduleLeg => {
  const { registration: _, ...rest } = leg;
  return registration === undefined ? rest : { ...rest, registration };
};

const withEquipment = (leg: ScheduleLeg, change: MessageEquipment): ScheduleLeg =>
  withRegistration(
    {
      ...leg,
      serviceType: change.serviceType,
      equipment: change.equipment,
      bookingClasses: change.bookingClasses || leg.bookingClasses,
      bookingModifiers: change.bookingModifiers ?? leg.bookingModifiers,
      configuration: change.configuration,
    },
    change.registration,
  );

/** Placeholder: the period of a leg follows from the dates of its variation. */
const noPeriod = { from: 0 as LocalDate, to: 0 as LocalDate, days: EVERY_DAY, everyWeeks: 1 } as const;

/**
 * Builds the legs of a new routing. `template` is the leg that it replaces, whose equipment holds where the message states none.
 * Throws an AmendmentError.
 */
export const buildLegs = (
  legs: readonly MessageLeg[],
  clock: Clock & {
    readonly flight: Designator;
    readonly line: number;
    readonly variationNumber: number;
    readonly template?: ScheduleLeg | undefined;
  },
): Itinerary['legs'] => {
  const { flight, line, timeMode, template } = clock;
  const [first, ...rest] = legs.map(({ departure, arrival, equipment }, index): ScheduleLeg => {
    const leg: ScheduleLeg = {
      carrier: flight.carrier,
      flightNumber: flight.flightNumber,
      suffix: flight.suffix,
      line,
      itinerary: clock.variationNumber,
      sequence: index + 1,
      serviceType: template?.serviceType ?? 'J',
      timeMode,
      period: noPeriod,
      departure: toLegEnd(departure, undefined, clock),
      arrival: toLegEnd(arrival, undefined, clock),
      equipment: template?.equipment ?? '',
      bookingClasses: template?.bookingClasses ?? '',
      bookingModifiers: '',
      meals: '',
      jointOperators: [],
      secureFlight: '',
      aircraftOwner: template?.aircraftOwner ?? noCompany,
      cockpitCrew: template?.cockpitCrew ?? noCompany,
      cabinCrew: template?.cabinCrew ?? noCompany,
      disclosure: template?.disclosure ?? '',
      trafficRestrictions: '',
      configuration: template?.configuration ?? '',
      electronicTicketing: template?.electronicTicketing,
      inFlightServices: [],
    };
    return equipment ? withEquipment(leg, equipment) : withRegistration(leg, template?.registration);
  });
  if (!first) throw new AmendmentError('The message has no legs.', { reason: 'no-legs', field: 'leg', value: '' });
  const built: Itinerary['legs'] = [first, ...rest];
  assertChain(built);
  return built;
};

/** Changes the times of legs by their pair of stations. Throws an AmendmentError when a leg is not found, or the clock differs. */
export const changeTimes = (
  legs: Itinerary['legs'],
  changes: readonly MessageLeg[],
  clock: Clock,
): Itinerary['legs'] => {
  const open = [...changes];
  const [first, ...rest] = legs.map((leg) => {
    const index = open.findIndex((change) => formatLeg(change) === formatLeg(leg));
    const [change] = index < 0 ? [] : open.splice(index, 1);
    if (!change && leg.timeMode === clock.timeMode) return leg;
    if (!change)
      throw new AmendmentError('The message has another time mode than the schedule and does not state all legs.', {
        reason: 'time-mode',
        field: 'leg',
        value: formatLeg(leg),
      });
    const departure = toLegEnd(change.departure, leg.departure, clock);
    return { ...leg, timeMode: clock.timeMode, departure, arrival: toLegEnd(change.arrival, leg.arrival, clock) };
  });
  if (open[0])
    throw new AmendmentError('The flight has no such leg.', {
      reason: 'no-such-leg',
      field: 'leg',
      value: formatLeg(open[0]),
    });
  if (!first) return legs;
  const changed: Itinerary['legs'] = [first, ...rest];
  assertChain(changed);
  return changed;
};

type LegStations = { readonly departure: { readonly station: string }; readonly arrival: { readonly station: string } };

/** Returns whether a leg change identifier, which is empty for all legs, names a leg. */
export const isInScope = (stations: readonly string[], { departure, arrival }: LegStations): boolean =>
  stations.length === 0 ||
  stations.some((station, index) => station === departure.station && stations[index + 1] === arrival.station);

/** Throws an AmendmentError unless every leg that a leg change identifier names exists. */
export const assertLegsExist = (stations: readonly string[], legs: readonly LegStations[]): void => {
  for (const [index, off] of stations.slice(1).entries()) {
    const pair = [stations[index] ?? '', off];
    if (legs.some((leg) => isInScope(pair, leg))) continue;
    throw new AmendmentError('The flight has no such leg.', {
      reason: 'no-such-leg',
      field: 'leg change identifier',
      value: pair.join('/'),
    });
  }
};

/**
 * Replaces the legs between the first and last station of a leg change identifier by new ones; `build` gets the first leg that it replaces. Throws an
 * AmendmentError.
 */
export const replaceLegs = (
  legs: Itinerary['legs'],
  stations: readonly string[],
  build: (template: ScheduleLeg) => Itinerary['legs'],
): Itinerary['legs'] => {
  const length = stations.length - 1;
  const start = legs.findIndex((_, index) => {
    const some = legs.slice(index, index + length);
    return some.length === length && some.every((leg, at) => isInScope(stations.slice(at, at + 2), leg));
  });
  const template = legs[start];
  if (!template)
    throw new AmendmentError('The flight has no such legs.', {
      reason: 'no-such-leg',
      field: 'leg change identifier',
      value: stations.join('/'),
    });
  const built = build(template);
  const [before, after] = [legs.slice(0, start), legs.slice(start + length)];
  const [first, ...rest] = [...before, ...built, ...after].map((leg, index) => ({ ...leg, sequence: index + 1 }));
  if (!first) return legs;
  const replaced: Itinerary['legs'] = [first, ...rest];
  assertChain(replaced);
  return replaced;
};

/** Changes equipment and configuration (EQT), or the configuration alone (CON). Throws an AmendmentError. */
export const changeEquipment = (
  legs: Itinerary['legs'],
  changes: readonly EquipmentChange[],
  action: 'EQT' | 'CON',
): Itinerary['legs'] => {
  const change = (leg: ScheduleLeg): ScheduleLeg => {
    const found = changes.find(({ stations }) => isInScope(stations, leg));
    if (!found) return leg;
    if (action === 'EQT') return withEquipment(leg, found.equipment);
    const { bookingClasses, bookingModifiers, configuration, equipment, registration } = found.equipment;
    if (equipment !== leg.equipment)
      throw new AmendmentError('CON does not change the aircraft type; EQT does.', {
        reason: 'other-equipment',
        field: 'equipment',
        value: equipment,
      });
    const changed = {
      ...leg,
      bookingClasses: bookingClasses || leg.bookingClasses,
      bookingModifiers: bookingModifiers ?? leg.bookingModifiers,
      configuration,
    };
    return registration === undefined ? changed : withRegistration(changed, registration);
  };
  for (const { stations } of changes) assertLegsExist(stations, legs);
  const [first, ...rest] = legs;
  return [change(first), ...rest.map(change)];
};
