import type { LegEnd, ScheduleLeg } from '../../../../../src/domain/schedule/schedule.ts';
import { offsetAt, utcOfLocal } from './clock.ts';
import { restrictionsOfRun, type Filed } from './restrictions.ts';
import { firstOf, lastOf, singles, textsTold, textTold, type Run } from './told.ts';
import { stationOf, type Station, type World } from './world.ts';

export type Name = { readonly carrier: string; readonly flightNumber: number; readonly suffix: string };

/** A board and off point of an itinerary. */
export type Flight = Name & {
  readonly isMarketing: boolean;
  readonly operating: Name;
  readonly service: string;
  /** Board point, stops, off point. */
  readonly stations: readonly Station[];
  readonly types: readonly string[];
  readonly departureTerminal: string;
  readonly arrivalTerminal: string;
  readonly departureStatus: string;
  readonly arrivalStatus: string;
  readonly restrictions: readonly Filed[];
};

/** A flight on one day, minutes since 1970-01-01, passenger times. */
export type Instance = {
  readonly flight: Flight;
  readonly departsLocal: number;
  readonly departsUtc: number;
  readonly arrivesLocal: number;
  readonly arrivesUtc: number;
};

export const nameText = ({ carrier, flightNumber, suffix }: Name): string => `${carrier}/${flightNumber}${suffix}`;

export const board = ({ stations }: Flight): Station => stations[0] ?? fail();
export const off = ({ stations }: Flight): Station => stations.at(-1) ?? fail();
const fail = (): never => {
  throw new Error('a flight has stations');
};

/** Reads a list of flights as elements 10 and 50 give it: items of eight characters, joined by strokes. */
export const namesIn = (text: string): readonly Name[] =>
  text.split('/').flatMap((item) => {
    if (item.trim() === '') return [];
    const padded = item.padEnd(8);
    const carrier = padded.slice(0, 3).trim();
    return [{ carrier, flightNumber: Number(padded.slice(3, 7)), suffix: padded.slice(7, 8).trim() }];
  });

const listed = (run: Run): readonly Name[] => textsTold(run, 50).flatMap(namesIn);

/** The flight named for the pair itself, else one that is named for each of its legs. */
const operatingOf = (run: Run): Name | undefined => {
  const [own] = listed(run);
  if (own || run.legs.length === 1) return own;
  const [first = [], ...others] = singles(run).map(listed);
  return first.find((name) => others.every((names) => names.some((each) => nameText(each) === nameText(name))));
};

const terminalOf = (told: string | undefined, filed: string): string => {
  const text = told === undefined ? filed : told.trim();
  return text === '0' && told !== undefined ? '' : text;
};

const flightOf = (run: Run, world: World): Flight => {
  const [first, last] = [firstOf(run), lastOf(run)];
  const name = { carrier: first.carrier, flightNumber: first.flightNumber, suffix: first.suffix };
  const named = operatingOf(run);
  const isMarketing =
    named !== undefined ||
    singles(run).some((leg) => textTold(leg, 50) !== undefined || 'LZ'.includes(firstOf(leg).disclosure || '-'));
  const status = textTold(run, 220)?.trim() ?? '';
  return {
    ...name,
    isMarketing,
    operating: named ?? name,
    service: first.serviceType,
    stations: [first.departure.station, ...run.legs.map(({ arrival }) => arrival.station)].map((iata) =>
      stationOf(world, iata),
    ),
    types: singles(run).map((leg) => textTold(leg, 121)?.trim() || firstOf(leg).equipment),
    departureTerminal: terminalOf(textTold(run, 199), first.departure.terminal),
    arrivalTerminal: terminalOf(textTold(run, 198), last.arrival.terminal),
    departureStatus: status.charAt(0) || first.departure.mctStatus,
    arrivalStatus: status.charAt(status.length - 1) || last.arrival.mctStatus,
    restrictions: restrictionsOfRun(run),
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

/** The minute of a day at which passengers leave or come: half a day away from the aircraft at most. */
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
  const utc = mode === 'utc' ? filed : utcOfLocal(zone, filed, end.utcVariationMinutes);
  const local = mode === 'utc' ? filed + offsetAt(zone, utc) : filed;
  return { local, utc, isRight: local - utc === end.utcVariationMinutes };
};

const instancesOf = (run: Run, world: World): readonly Instance[] => {
  const flight = flightOf(run, world);
  const [first, last] = [firstOf(run), lastOf(run)];
  const mode = first.timeMode;
  const zoneAt = (end: LegEnd): string | undefined => stationOf(world, end.station).zone;
  return filedDays(first).map((day) => {
    const arrivalDay = day - first.departure.dateVariation + last.arrival.dateVariation;
    const departs = day * 1440 + passengerMinute(first.departure);
    const arrives = arrivalDay * 1440 + passengerMinute(last.arrival);
    let departure = byZone(departs, first.departure, { mode, zone: zoneAt(first.departure) });
    let arrival = byZone(arrives, last.arrival, { mode, zone: zoneAt(last.arrival) });
    // Where clocks contradict what is filed so that a flight would arrive before it departs, what is filed stands.
    if (!(departure.isRight && arrival.isRight) && arrival.utc <= departure.utc) {
      departure = asFiled(departs, first.departure, mode);
      arrival = asFiled(arrives, last.arrival, mode);
    }
    return {
      flight,
      departsLocal: departure.local,
      departsUtc: departure.utc,
      arrivesLocal: arrival.local,
      arrivesUtc: arrival.utc,
    };
  });
};

/** All flights of a world on all their days, whatever they carry. Each board and off point of a whole itinerary; legs alone of a broken one. */
export const allInstances = (world: World): readonly Instance[] =>
  world.itineraries.flatMap(({ legs, segmentData, complete }) =>
    legs.flatMap((_, from) =>
      legs.flatMap((__, to) => {
        if (to < from || (to > from && !complete)) return [];
        const run = { legs: legs.slice(from, to + 1), data: segmentData };
        if (firstOf(run).departure.station === lastOf(run).arrival.station) return [];
        return instancesOf(run, world);
      }),
    ),
  );
