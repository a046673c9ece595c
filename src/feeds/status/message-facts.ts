import type { FlightFacts, LandingFacts, Told } from '../../domain/status/message.ts';
import type { Seats } from '../../domain/schedule/schedule.ts';
import { bareRegistration } from '../../domain/status/registration.ts';
import type { FieldFault } from './message-errors.ts';
import { diversionId, type WireMessage } from './message-schema.ts';
import { timesInOrder } from './time-order.ts';

type WireDiversion = NonNullable<WireMessage['diversions']>[number];
type WireType = { readonly iata?: string | undefined; readonly icao?: string | undefined };

/** The members that something is said of: a fact that is overlaid on others must not hide them with an undefined. */
const said = <T extends object>(members: T): Partial<T> => {
  const found: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) found[name] = members[name];
  return found;
};

const flightStages = ['departure.K.out', 'departure.K.off', 'arrival.K.on', 'arrival.K.in'];
const landingStages = ['K.on', 'K.in', 'onward.K.out', 'onward.K.off'];

const stageNames = (stages: readonly string[], kind: 'estimated' | 'actual') => {
  const names = stages.map((stage) => stage.replace('K', kind));
  return (stage: number): string => names[stage] ?? '';
};

const flightNames = { estimated: stageNames(flightStages, 'estimated'), actual: stageNames(flightStages, 'actual') };
const landingNames = { estimated: stageNames(landingStages, 'estimated'), actual: stageNames(landingStages, 'actual') };

/** Codes of an aircraft type in capitals, '' where none is given. */
export const typeCodes = ({ iata = '', icao = '' }: WireType) => ({
  iata: iata.toUpperCase(),
  icao: icao.toUpperCase(),
});

/** An object without members says nothing; it does not say that nothing is known. */
const isEmpty = (members: object | null | undefined): boolean =>
  typeof members === 'object' && members !== null && Object.keys(members).length === 0;

const toldType = (type: WireType | null | undefined): FlightFacts['aircraftType'] =>
  isEmpty(type) ? undefined : type && typeCodes(type);

const toldSeats = (seats: WireMessage['seats']): Told<Seats> => {
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
const actualLeaving = ({ departure, returnedToGate }: WireMessage, faults: FieldFault[]) => {
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
export const flightFacts = (message: WireMessage, faults: FieldFault[]): FlightFacts => {
  const { departure, arrival, aircraft } = message;
  const expected = [
    departure?.estimated?.out,
    departure?.estimated?.off,
    arrival?.estimated?.on,
    arrival?.estimated?.in,
  ];
  const observed = [...actualLeaving(message, faults), arrival?.actual?.on, arrival?.actual?.in];
  const [estimatedOut, estimatedOff, estimatedOn, estimatedIn] = timesInOrder(expected, flightNames.estimated, faults);
  const [actualOut, actualOff, actualOn, actualIn] = timesInOrder(observed, flightNames.actual, faults);
  return said<FlightFacts>({
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
    registration: aircraft?.registration && bareRegistration(aircraft.registration),
    aircraftType: toldType(aircraft?.type),
    seats: toldSeats(message.seats),
    cancelled: message.cancelled,
    proposed: message.proposed,
  });
};

const landingFacts = (diversion: WireDiversion, place: string, faults: FieldFault[]): LandingFacts<string> => {
  const { estimated, actual, onward } = diversion;
  const expected = [estimated?.on, estimated?.in, onward?.estimated?.out, onward?.estimated?.off];
  const observed = [actual?.on, actual?.in, onward?.actual?.out, onward?.actual?.off];
  const named = (nameOf: (stage: number) => string) => (stage: number) => `${place}.${nameOf(stage)}`;
  const [estimatedOn, estimatedIn, estimatedOut, estimatedOff] = timesInOrder(
    expected,
    named(landingNames.estimated),
    faults,
  );
  const [actualOn, actualIn, actualOut, actualOff] = timesInOrder(observed, named(landingNames.actual), faults);
  return {
    id: diversionId(diversion),
    ...said<Omit<LandingFacts<string>, 'id'>>({
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
export const landings = ({ diversions = [] }: WireMessage, faults: FieldFault[]): readonly LandingFacts<string>[] =>
  diversions.map((diversion, index) => landingFacts(diversion, `diversions.${index}`, faults));
