import type { LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { getOffset, toUtc } from './clock.ts';
import { listRestrictions, type FiledRestriction } from './restrictions.ts';
import { firstLegOf, lastLegOf, splitLegs, listTexts, findText, type LegRun } from './segment-texts.ts';
import { getStation, type Station, type World } from './world.ts';

export type OracleDesignator = { readonly carrier: string; readonly flightNumber: number; readonly suffix: string };

/** A board and off point of an itinerary. */
export type Flight = OracleDesignator & {
  readonly isMarketing: boolean;
  readonly operating: OracleDesignator;
  readonly operatingCarrier: string;
  /** Undefined when only the carrier is known. */
  readonly operatingNumber: number | undefined;
  readonly service: string;
  /** Board point, stops, off point. */
  readonly stations: readonly Station[];
  readonly types: readonly string[];
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  readonly departureStatus: string;
  readonly arrivalStatus: string;
  readonly restrictions: readonly FiledRestriction[];
};

/** A flight on one day, minutes since 1970-01-01, passenger times. */
export type Instance = {
  readonly flight: Flight;
  readonly departsLocal: number;
  readonly departsUtc: number;
  readonly arrivesLocal: number;
  readonly arrivesUtc: number;
};

export const formatDesignator = ({ carrier, flightNumber, suffix }: OracleDesignator): string =>
  `${carrier}/${flightNumber}${suffix}`;

export const board = ({ stations }: Flight): Station => stations[0] ?? fail();
export const off = ({ stations }: Flight): Station => stations.at(-1) ?? fail();
const fail = (): never => {
  throw new Error('a flight has stations');
};

/** Reads a list of flights as elements 10 and 50 give it: items of eight characters, joined by strokes. */
export const listDesignators = (text: string): readonly OracleDesignator[] =>
  text.split('/').flatMap((item) => {
    if (item.trim() === '') return [];
    const padded = item.padEnd(8);
    const carrier = padded.slice(0, 3).trim();
    return [{ carrier, flightNumber: Number(padded.slice(3, 7)), suffix: padded.slice(7, 8).trim() }];
  });

const listed = (run: LegRun): readonly OracleDesignator[] => listTexts(run, 50).flatMap(listDesignators);

/** Returns the flight filed for the pair itself, else the one that is filed for each of its legs. */
const operatingOf = (run: LegRun): OracleDesignator | undefined => {
  const [own] = listed(run);
  if (own || run.legs.length === 1) return own;
  const [first = [], ...others] = splitLegs(run).map(listed);
  return first.find((name) =>
    others.every((names) => names.some((each) => formatDesignator(each) === formatDesignator(name))),
  );
};

const codeOf = (company: string): string => company.split('/')[0]?.trim() ?? '';

/** The operator of a leg by byte 149, `L` or `Z`: the aircraft owner or the company of element 127, whichever is filed. */
export const operatorOf = (leg: LegRun, whole: LegRun = leg): string => {
  const { disclosure, aircraftOwner } = firstLegOf(leg);
  const company = findText(whole, 127) ?? findText(leg, 127);
  if (disclosure === 'L') return aircraftOwner.code || codeOf(company ?? '');
  return disclosure === 'Z' ? codeOf(company ?? aircraftOwner.code) : '';
};

/** The operator of all legs; '' when they have several or none. */
const disclosedOf = (run: LegRun): string => {
  const operators = new Set(splitLegs(run).map((leg) => operatorOf(leg, run)));
  return operators.size === 1 ? ([...operators][0] ?? '') : '';
};

const terminalOf = (override: string | undefined, filed: string): string => {
  const text = override === undefined ? filed : override.trim();
  return text === '0' && override !== undefined ? '' : text;
};

const flightOf = (run: LegRun, world: World): Flight => {
  const [first, last] = [firstLegOf(run), lastLegOf(run)];
  const name = { carrier: first.carrier, flightNumber: first.flightNumber, suffix: first.suffix };
  const named = operatingOf(run);
  const disclosed = disclosedOf(run);
  const isMarketing =
    named !== undefined ||
    splitLegs(run).some((leg) => findText(leg, 50) !== undefined || 'LZ'.includes(firstLegOf(leg).disclosure || '-'));
  const statusOf = (filed: LegRun): string => findText(filed, 220)?.trim() ?? '';
  const [status, ofFirst, ofLast] = [run, { ...run, legs: [first] }, { ...run, legs: [last] }].map(statusOf);
  const startOf = (text = ''): string => text.charAt(0);
  const endOf = (text = ''): string => text.charAt(text.length - 1);
  return {
    ...name,
    isMarketing,
    operating: named ?? name,
    operatingCarrier: named?.carrier ?? (disclosed || name.carrier),
    operatingNumber:
      named?.flightNumber ?? (disclosed === '' || disclosed === name.carrier ? name.flightNumber : undefined),
    service: first.serviceType,
    stations: [first.departure.station, ...run.legs.map(({ arrival }) => arrival.station)].map((iata) =>
      getStation(world, iata),
    ),
    types: splitLegs(run).map((leg) => findText(leg, 121)?.trim() || firstLegOf(leg).equipment),
    departureTerminal: terminalOf(findText(run, 199), first.departure.terminal),
    arrivalTerminal: terminalOf(findText(run, 198), last.arrival.terminal),
    departureStatus: startOf(status) || startOf(ofFirst) || first.departure.mctStatus,
    arrivalStatus: endOf(status) || endOf(ofLast) || last.arrival.mctStatus,
    restrictions: listRestrictions(run),
  };
};

/** The days on which a leg departs: weekday by weekday, every other week from the first date if so filed. */
const filedDays = ({ period }: ScheduleLeg): readonly number[] => {
  const days = [];
  for (let day: number = period.from; day <= period.to; day += 1) {
    const weekday = (new Date(day * 86_400_000).getUTCDay() + 6) % 7;
    const week = Math.floor((day - period.from) / 7);
    if ((period.days >> weekday) % 2 === 1 && (period.everyWeeks === 1 || week % 2 === 0)) days.push(day);
  }
  return days;
};

/** The minute of a day at which passengers depart or arrive: up to half a day from the aircraft time. */
const passengerMinute = ({ passengerMinutes, aircraftMinutes }: LegEnd): number => {
  const candidates = [passengerMinutes - 1440, passengerMinutes, passengerMinutes + 1440];
  const near = candidates.filter((minute) => Math.abs(minute - aircraftMinutes) <= 720);
  return near.includes(passengerMinutes) ? passengerMinutes : (near[0] ?? passengerMinutes);
};

type Moment = { readonly local: number; readonly utc: number; readonly isRight: boolean };

const asFiled = (filed: number, { utcVariationMinutes }: LegEnd, mode: string): Moment =>
  mode === 'utc'
    ? { local: filed + utcVariationMinutes, utc: filed, isRight: true }
    : { local: filed, utc: filed - utcVariationMinutes, isRight: true };

const byZone = (filed: number, end: LegEnd, { mode, zone }: { mode: string; zone: string | undefined }): Moment => {
  if (zone === undefined) return asFiled(filed, end, mode);
  const utc = mode === 'utc' ? filed : toUtc(zone, filed, end.utcVariationMinutes);
  const local = mode === 'utc' ? filed + getOffset(zone, utc) : filed;
  return { local, utc, isRight: local - utc === end.utcVariationMinutes };
};

type LegTimes = { readonly departure: Moment; readonly arrival: Moment };

/** The times of one leg: as filed if by the zones it would arrive before it departs. */
const legTimes = ({ departure, arrival, timeMode: mode }: ScheduleLeg, origin: number, world: World): LegTimes => {
  const filed = (end: LegEnd): number => (origin + end.dateVariation) * 1440 + passengerMinute(end);
  const zoned = (end: LegEnd): Moment => byZone(filed(end), end, { mode, zone: getStation(world, end.station).zone });
  const [left, landed] = [zoned(departure), zoned(arrival)];
  return (left.isRight && landed.isRight) || landed.utc > left.utc
    ? { departure: left, arrival: landed }
    : { departure: asFiled(filed(departure), departure, mode), arrival: asFiled(filed(arrival), arrival, mode) };
};

/** The local date on which the aircraft of an itinerary leaves its first station, for an origin date as filed. */
const localOriginOf = ({ departure, timeMode }: ScheduleLeg, origin: number, world: World): number => {
  const filed = (origin + departure.dateVariation) * 1440 + departure.aircraftMinutes;
  const { zone } = getStation(world, departure.station);
  const offset = zone === undefined ? departure.utcVariationMinutes : getOffset(zone, filed);
  return Math.floor((timeMode === 'utc' ? filed + offset : filed) / 1440) - departure.dateVariation;
};

const isSameLeg = (one: ScheduleLeg, other: ScheduleLeg): boolean =>
  one.departure.station === other.departure.station && one.arrival.station === other.arrival.station;

const instancesOf = (run: LegRun, world: World, head: ScheduleLeg): readonly Instance[] => {
  const flight = flightOf(run, world);
  const [first, last] = [firstLegOf(run), lastLegOf(run)];
  const cancelled = world.cancelled.filter((one) => formatDesignator(one.flight) === formatDesignator(flight));
  const isFlown = (day: number): boolean => {
    const date = localOriginOf(head, day - first.departure.dateVariation, world);
    return cancelled.every(
      ({ date: of, leg }) => of !== date || (leg !== undefined && !run.legs.some((one) => isSameLeg(one, leg))),
    );
  };
  const days = filedDays(first).filter(isFlown);
  return days.map((day) => {
    const origin = day - first.departure.dateVariation;
    let { departure } = legTimes(first, origin, world);
    let { arrival } = legTimes(last, origin, world);
    // A flight of several legs can still arrive before it departs: then all its times are as filed.
    if (run.legs.length > 1 && arrival.utc <= departure.utc) {
      const filed = (end: LegEnd): number => (origin + end.dateVariation) * 1440 + passengerMinute(end);
      departure = asFiled(filed(first.departure), first.departure, first.timeMode);
      arrival = asFiled(filed(last.arrival), last.arrival, last.timeMode);
    }
    const times = { departsLocal: departure.local, departsUtc: departure.utc };
    return { flight, ...times, arrivesLocal: arrival.local, arrivesUtc: arrival.utc };
  });
};

/** Returns all flights of a world on all their days, without those with a cancelled leg. Each board and off point of a complete itinerary; single legs of an incomplete one. */
export const listInstances = (world: World): readonly Instance[] =>
  world.itineraries.flatMap(({ legs, segmentData, complete }) =>
    legs.flatMap((_, from) =>
      legs.flatMap((__, to) => {
        if (to < from || (to > from && !complete)) return [];
        const run = { legs: legs.slice(from, to + 1), data: segmentData };
        if (firstLegOf(run).departure.station === lastLegOf(run).arrival.station) return [];
        return instancesOf(run, world, legs[0]);
      }),
    ),
  );
