import {
  normalizeRegistration,
  type FlightFacts,
  type LandingFacts,
  type ReportedValue,
} from '../../domain/status/message.ts';
import type { Seats } from '../../domain/schedule/schedule.ts';
import type { MessageFieldError } from './message-errors.ts';
import { toDiversionId, type WireMessage } from './message-schema.ts';
import { selectTimesInOrder } from './time-order.ts';

type WireDiversion = NonNullable<WireMessage['diversions']>[number];
type WireType = { readonly iata?: string | undefined; readonly icao?: string | undefined };

/** The members that something is said of: a fact that is overlaid on others must not hide them with an undefined. */
const withoutUndefined = <T extends object>(members: T): Partial<T> => {
  const found: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) found[name] = members[name];
  return found;
};

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

/** Codes of an aircraft type in capitals, '' where none is given. */
export const toTypeCodes = ({ iata = '', icao = '' }: WireType) => ({
  iata: iata.toUpperCase(),
  icao: icao.toUpperCase(),
});

/** An object without members says nothing; it does not say that nothing is known. */
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

/** After a return to the gate there is no actual time of leaving; one that is given all the same is denied by the return. */
const listActualDepartures = ({ departure, returnedToGate }: WireMessage, faults: MessageFieldError[]) => {
  const { out, off } = departure?.actual ?? {};
  if (returnedToGate === undefined) return [out, off];
  for (const [name, value] of Object.entries({ out, off }))
    if (typeof value === 'string')
      faults.push({
        reason: 'contradiction',
        field: `departure.actual.${name}`,
        value,
        message: `departure.actual.${name} cannot be given along with returnedToGate, which takes it back: ${value}.`,
      });
  return [null, null];
};

/** What a message says of its flight as scheduled. Times that break the order are left out and added to `faults`. */
export const toFlightFacts = (message: WireMessage, faults: MessageFieldError[]): FlightFacts => {
  const { departure, arrival, aircraft } = message;
  const expected = [
    departure?.estimated?.out,
    departure?.estimated?.off,
    arrival?.estimated?.on,
    arrival?.estimated?.in,
  ];
  const observed = [...listActualDepartures(message, faults), arrival?.actual?.on, arrival?.actual?.in];
  const [estimatedOut, estimatedOff, estimatedOn, estimatedIn] = selectTimesInOrder(
    expected,
    flightNames.estimated,
    faults,
  );
  const [actualOut, actualOff, actualOn, actualIn] = selectTimesInOrder(observed, flightNames.actual, faults);
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
    checkInCounter: departure?.checkInCounter,
    arrivalTerminal: arrival?.terminal,
    arrivalGate: arrival?.gate,
    baggage: arrival?.baggage,
    registration: aircraft?.registration && normalizeRegistration(aircraft.registration),
    aircraftType: toAircraftType(aircraft?.type),
    seats: toSeats(message.seats),
    cancelled: message.cancelled,
    proposed: message.proposed,
  });
};

const toLandingFacts = (diversion: WireDiversion, place: string, faults: MessageFieldError[]): LandingFacts<string> => {
  const { estimated, actual, onward } = diversion;
  const expected = [estimated?.on, estimated?.in, onward?.estimated?.out, onward?.estimated?.off];
  const observed = [actual?.on, actual?.in, onward?.actual?.out, onward?.actual?.off];
  const named = (nameOf: (stage: number) => string) => (stage: number) => `${place}.${nameOf(stage)}`;
  const [estimatedOn, estimatedIn, estimatedOut, estimatedOff] = selectTimesInOrder(
    expected,
    named(landingNames.estimated),
    faults,
  );
  const [actualOn, actualIn, actualOut, actualOff] = selectTimesInOrder(observed, named(landingNames.actual), faults);
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

/** What a message says of its diversions, in the order it lists them. Times that break the order are left out and added to `faults`. */
export const toLandings = (
  { diversions = [] }: WireMessage,
  faults: MessageFieldError[],
): readonly LandingFacts<string>[] =>
  diversions.map((diversion, index) => toLandingFacts(diversion, `diversions.${index}`, faults));
