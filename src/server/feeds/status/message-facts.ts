import type { Seats } from '#domain/schedule/schedule.ts';
import { truncateToSecond, type UtcSecond } from '#domain/status/instants.ts';
import {
  type FlightFacts,
  type LandingFacts,
  normalizeRegistration,
  type ProcessEvent,
  type ReportedValue,
} from '#domain/status/message.ts';
import { withoutUndefined } from '#lib/without-undefined.ts';
import type { MessageFieldError } from './message-errors.ts';
import { toDiversionId, type WireMessage } from './message-schema.ts';
import { toInstant } from './wire-values.ts';

/** Up to four instants in wire format, in the order in which they must happen. */
type StageTimes = readonly (string | null | undefined)[];

/** Returns the second of an instant that the schema has validated; throws when it is invalid. */
export const toUtcSecond = (text: string): UtcSecond => truncateToSecond(toInstant(text));

const isInOrder = (times: readonly ReportedValue<UtcSecond>[], isKept: (stage: number) => boolean): boolean => {
  let latest = Number.NEGATIVE_INFINITY;
  for (let stage = 0; stage < times.length; stage += 1) {
    const time = times[stage];
    if (typeof time !== 'number' || !isKept(stage)) continue;
    if (time < latest) return false;
    latest = time;
  }
  return true;
};

/**
 * Selects the stages to keep so that they are in order, by bits, the first stage the highest. It keeps as many as possible, so that one
 * error does not remove three consistent times; of equally many it keeps the earlier ones, which were observed first.
 */
const selectLargestOrder = (times: readonly ReportedValue<UtcSecond>[]): ((stage: number) => boolean) => {
  const isSelectedBy = (bits: number) => (stage: number) => ((bits >> (times.length - 1 - stage)) & 1) === 1;
  let best = isSelectedBy(0);
  let most = 0;
  for (let bits = (1 << times.length) - 1; bits > 0; bits -= 1) {
    const isKept = isSelectedBy(bits);
    const count = times.filter((time, stage) => typeof time === 'number' && isKept(stage)).length;
    if (count > most && isInOrder(times, isKept)) [best, most] = [isKept, count];
  }
  return best;
};

/**
 * Returns the seconds of consecutive instants, which may be equal. An instant out of order is left out like an absent one, and
 * added to `fieldErrors` with the name that `nameOf` returns for its stage.
 */
const selectTimesInOrder = (
  texts: StageTimes,
  nameOf: (stage: number) => string,
  fieldErrors: MessageFieldError[],
): readonly ReportedValue<UtcSecond>[] => {
  if (texts.every((text) => text === undefined)) return [];
  const times = texts.map((text) => (typeof text === 'string' ? toUtcSecond(text) : text));
  if (isInOrder(times, () => true)) return times;
  const isKept = selectLargestOrder(times);
  const names = times.flatMap((time, stage) => (typeof time === 'number' && isKept(stage) ? [nameOf(stage)] : []));
  return times.map((time, stage) => {
    if (typeof time !== 'number' || isKept(stage)) return time;
    fieldErrors.push({
      reason: 'out-of-order',
      field: nameOf(stage),
      value: texts[stage] ?? '',
      message: `${nameOf(stage)} is out of order with ${names.join(', ')}: ${texts[stage]}.`,
    });
    return undefined;
  });
};

type WireDiversion = NonNullable<WireMessage['diversions']>[number];
type WireType = { readonly iata?: string | undefined; readonly icao?: string | undefined };

const flightStages = ['departure.K.out', 'departure.K.off', 'arrival.K.on', 'arrival.K.in'];
const landingStages = ['K.on', 'K.in', 'onward.K.out', 'onward.K.off'];

const createStageNames = (stages: readonly string[], kind: 'estimated' | 'actual') => {
  const names = stages.map((stage) => stage.replace('K', kind));
  return (stage: number): string => names[stage] ?? '';
};

const flightNames = {
  estimated: createStageNames(flightStages, 'estimated'),
  actual: createStageNames(flightStages, 'actual'),
};
const landingNames = {
  estimated: createStageNames(landingStages, 'estimated'),
  actual: createStageNames(landingStages, 'actual'),
};

/** Returns the codes of an aircraft type in upper case, '' when absent. */
export const toTypeCodes = ({ iata = '', icao = '' }: WireType) => ({
  iata: iata.toUpperCase(),
  icao: icao.toUpperCase(),
});

/** Whether an object has no members, which reports nothing; null would delete a value. */
const isEmpty = (members: object | null | undefined): boolean =>
  typeof members === 'object' && members !== null && Object.keys(members).length === 0;

const toAircraftType = (type: WireType | null | undefined): FlightFacts['aircraftType'] =>
  isEmpty(type) ? undefined : type && toTypeCodes(type);

const toSeats = (seats: WireMessage['seats']): ReportedValue<Seats> => {
  if (isEmpty(seats)) return undefined;
  return (
    seats && {
      first: seats.firstClass,
      business: seats.businessClass,
      premiumEconomy: seats.premiumEconomyClass,
      economyPlus: seats.economyPlusClass,
      economy: seats.economyClass,
      total: seats.totalSeats,
    }
  );
};

/** Returns actual out and off. A return to the gate deletes both, and contradicts times in the same message. */
const listActualDepartures = ({ departure, returnedToGate }: WireMessage, fieldErrors: MessageFieldError[]) => {
  const { out, off } = departure?.actual ?? {};
  if (returnedToGate === undefined) return [out, off];
  for (const [name, value] of Object.entries({ out, off }))
    if (typeof value === 'string')
      fieldErrors.push({
        reason: 'contradiction',
        field: `departure.actual.${name}`,
        value,
        message: `departure.actual.${name} must not be combined with returnedToGate, which deletes it: ${value}.`,
      });
  return [null, null];
};

const toProcessEvent = <Status extends string>(
  event: ReportedValue<{ readonly status: Status; readonly at: string }>,
): ReportedValue<ProcessEvent<Status>> => event && { status: event.status, at: toUtcSecond(event.at) };

/** Returns the facts of a message about its scheduled flight. Times out of order are left out and added to `fieldErrors`. */
export const toFlightFacts = (message: WireMessage, fieldErrors: MessageFieldError[]): FlightFacts => {
  const { departure, arrival, aircraft } = message;
  const expected = [
    departure?.estimated?.out,
    departure?.estimated?.off,
    arrival?.estimated?.on,
    arrival?.estimated?.in,
  ];
  const observed = [...listActualDepartures(message, fieldErrors), arrival?.actual?.on, arrival?.actual?.in];
  const [estimatedOut, estimatedOff, estimatedOn, estimatedIn] = selectTimesInOrder(
    expected,
    flightNames.estimated,
    fieldErrors,
  );
  const [actualOut, actualOff, actualOn, actualIn] = selectTimesInOrder(observed, flightNames.actual, fieldErrors);
  return withoutUndefined<FlightFacts>({
    estimatedOut,
    estimatedOff,
    actualOut,
    actualOff,
    estimatedOn,
    estimatedIn,
    actualOn,
    actualIn,
    departureTerminal: departure?.terminal,
    departureGate: departure?.gate,
    departureStand: departure?.stand,
    checkInCounter: departure?.checkInCounter,
    checkIn: toProcessEvent(departure?.checkIn),
    boarding: toProcessEvent(departure?.boarding),
    arrivalTerminal: arrival?.terminal,
    arrivalGate: arrival?.gate,
    arrivalStand: arrival?.stand,
    baggage: arrival?.baggage,
    plannedDepartureTerminal: departure?.planned?.terminal,
    plannedDepartureGate: departure?.planned?.gate,
    plannedDepartureStand: departure?.planned?.stand,
    plannedCheckInCounter: departure?.planned?.checkInCounter,
    plannedArrivalTerminal: arrival?.planned?.terminal,
    plannedArrivalGate: arrival?.planned?.gate,
    plannedArrivalStand: arrival?.planned?.stand,
    plannedBaggage: arrival?.planned?.baggage,
    registration: aircraft?.registration && normalizeRegistration(aircraft.registration),
    aircraftType: toAircraftType(aircraft?.type),
    seats: toSeats(message.seats),
    cancelled: message.cancelled,
    proposed: message.proposed,
    hidden: message.hidden,
  });
};

const toLandingFacts = (
  diversion: WireDiversion,
  path: string,
  fieldErrors: MessageFieldError[],
): LandingFacts<string> => {
  const { estimated, actual, onward } = diversion;
  const expected = [estimated?.on, estimated?.in, onward?.estimated?.out, onward?.estimated?.off];
  const observed = [actual?.on, actual?.in, onward?.actual?.out, onward?.actual?.off];
  const toFullName = (nameOf: (stage: number) => string) => (stage: number) => `${path}.${nameOf(stage)}`;
  const [estimatedOn, estimatedIn, estimatedOut, estimatedOff] = selectTimesInOrder(
    expected,
    toFullName(landingNames.estimated),
    fieldErrors,
  );
  const [actualOn, actualIn, actualOut, actualOff] = selectTimesInOrder(
    observed,
    toFullName(landingNames.actual),
    fieldErrors,
  );
  return {
    id: toDiversionId(diversion),
    ...withoutUndefined<Omit<LandingFacts<string>, 'id'>>({
      airport: diversion.airport && diversion.airport.toUpperCase(),
      type: diversion.type,
      estimatedOn,
      estimatedIn,
      actualOn,
      actualIn,
      continues: diversion.continues,
      estimatedOut,
      estimatedOff,
      actualOut,
      actualOff,
    }),
  };
};

/** Returns the diversions of a message in its order. Times out of order are left out and added to `fieldErrors`. */
export const toLandings = (
  { diversions = [] }: WireMessage,
  fieldErrors: MessageFieldError[],
): readonly LandingFacts<string>[] =>
  diversions.map((diversion, index) => toLandingFacts(diversion, `diversions.${index}`, fieldErrors));
