import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import { toDesignatorKey } from '../designators.ts';
import type { ZoneLookup } from '../instances.ts';
import type { Itinerary, ScheduleLeg } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import { changeElements } from './change-elements.ts';
import { buildLegs, changeEquipment, changeTimes, convertLegs, replaceLegs } from './change-legs.ts';
import {
  type DateClock,
  emptyFlightSchedule,
  type FlightSchedule,
  toModeDate,
  type Variation,
} from './flight-schedule.ts';
import type { SubMessage } from './schedule-message.ts';

/** The schedules of some flights, by designator key. */
export type ScheduleState = ReadonlyMap<string, FlightSchedule>;

/** Returns the last date of the filed schedule of a carrier; undefined when none is filed. */
export type SeasonLookup = (carrier: string) => LocalDate | undefined;

/** A change to apply. */
export type MessageStep = {
  readonly message: SubMessage;
  readonly zoneOf: ZoneLookup;
  readonly seasonEndOf: SeasonLookup;
  readonly amendmentId: number;
};

export const formatFlight = ({ carrier, flightNumber, suffix }: SubMessage['flight']): string =>
  `${carrier}${flightNumber}${suffix}`;

/** Throws the error of a date of the message. */
export const rejectDate = (
  { message: { flight } }: MessageStep,
  date: LocalDate,
  [reason, text]: readonly [reason: string, text: string],
): never => {
  throw new AmendmentError(text, { reason, field: 'period', value: `${formatFlight(flight)} ${formatDate(date)}` });
};

/** Throws the error of the periods of the message. */
export const rejectPeriods = (
  { message: { flight } }: MessageStep,
  [reason, text]: readonly [reason: string, text: string],
): never => {
  throw new AmendmentError(text, { reason, field: 'period', value: formatFlight(flight) });
};

export const getFlight = (state: ScheduleState, flight: SubMessage['flight']): FlightSchedule =>
  state.get(toDesignatorKey(flight)) ?? emptyFlightSchedule;

export const withFlight = (state: ScheduleState, flight: SubMessage['flight'], next: FlightSchedule): ScheduleState =>
  new Map(state).set(toDesignatorKey(flight), next);

/** Throws an AmendmentError for a flight that has no schedule at all. */
export const assertKnown = ({ message: { flight } }: MessageStep, { base, adHoc }: FlightSchedule): void => {
  if (base.length > 0 || adHoc.size > 0) return;
  throw new AmendmentError('No such flight is scheduled.', {
    reason: 'no-such-flight',
    field: 'flight',
    value: formatFlight(flight),
  });
};

export const toClock = ({ message, zoneOf }: MessageStep): DateClock => ({ mode: message.timeMode, zoneOf });

/** The parts of the periods of a flight that a message selects, what remains, and the dates that no flight has. */
export type DateSelection = {
  readonly selected: readonly Variation[];
  readonly remaining: readonly Variation[];
  readonly missing: readonly LocalDate[];
};

/** Splits the periods of a flight by dates in the time mode of the message. */
export const selectDates = (
  base: readonly Variation[],
  dates: readonly LocalDate[],
  step: MessageStep,
): DateSelection => {
  const wanted = new Set(dates);
  const found = new Set<LocalDate>();
  const [selected, remaining]: [Variation[], Variation[]] = [[], []];
  for (const variation of base) {
    const [inside, outside]: [LocalDate[], LocalDate[]] = [[], []];
    for (const date of variation.dates) {
      const day = toModeDate(variation, date, toClock(step));
      (wanted.has(day) ? inside : outside).push(date);
      if (wanted.has(day)) found.add(day);
    }
    if (inside.length > 0) selected.push({ ...variation, dates: inside });
    if (outside.length > 0) remaining.push(inside.length > 0 ? { ...variation, dates: outside } : variation);
  }
  return { selected, remaining, missing: dates.filter((date) => !found.has(date)) };
};

/** Returns the first free itinerary variation number of a flight; 999 when all are in use. */
export const nextVariationNumber = ({ base, adHoc }: FlightSchedule): number => {
  const changed = [...adHoc.values()].flatMap(({ variations = [] }) => variations);
  const numbers = [...base, ...changed].map(({ legs: [leg] }) => leg.itinerary);
  return Math.min(999, 1 + Math.max(0, ...numbers));
};

type BuildOptions = {
  readonly flight: FlightSchedule;
  readonly dates: readonly LocalDate[];
  /** The leg that the routing replaces. */
  readonly template?: ScheduleLeg | undefined;
};

/** Builds the routing that a message states. Throws an AmendmentError. */
export const buildVariation = (step: MessageStep, { flight, dates, template }: BuildOptions): Variation => {
  const { message, zoneOf, amendmentId } = step;
  const { timeMode, line } = message;
  const [firstDate] = dates;
  if (firstDate === undefined)
    return rejectPeriods(step, ['never-operates', 'No day of operation falls within the period.']);
  const variationNumber = template?.itinerary ?? nextVariationNumber(flight);
  const target = { flight: message.flight, line, timeMode, firstDate, zoneOf, variationNumber, template };
  const content = changeElements({ legs: buildLegs(message.legs, target), segmentData: [] }, message.elements);
  return { ...content, complete: true, dates, source: undefined, amendmentId };
};

/** Returns a flight date by the clock of the message, so that the message can change some of its legs. */
const convertDate = (step: MessageStep, variation: Variation): Variation => {
  const { mode, zoneOf } = toClock(step);
  const [date] = variation.dates;
  if (date === undefined || variation.legs[0].timeMode === mode) return variation;
  const toDate = toModeDate(variation, date, { mode, zoneOf });
  return { ...variation, dates: [toDate], legs: convertLegs(variation.legs, { fromDate: date, toDate, mode, zoneOf }) };
};

/** Replaces the legs of a flight date between the first and last station of the leg change identifier of RRT. Throws an AmendmentError. */
export const rerouteVariation = (step: MessageStep, filed: Variation): Variation => {
  const variation = convertDate(step, filed);
  const { message, zoneOf, amendmentId } = step;
  const { timeMode, line, flight, legs, legChange = [] } = message;
  const [first] = variation.legs;
  const target = { flight, line, timeMode, firstDate: variation.dates[0] ?? (0 as LocalDate), zoneOf };
  const build = (template: ScheduleLeg): Itinerary['legs'] =>
    buildLegs(legs, { ...target, variationNumber: first.itinerary, template });
  const rerouted = replaceLegs(variation.legs, legChange, build);
  const stations = new Set(rerouted.flatMap(({ departure, arrival }) => [departure.station, arrival.station]));
  const isServed = (station: string): boolean => station === '' || stations.has(station);
  const segmentData = variation.segmentData.filter(
    ({ boardStation, offStation }) => isServed(boardStation) && isServed(offStation),
  );
  const content = changeElements({ legs: rerouted, segmentData }, message.elements);
  return { ...variation, ...content, source: undefined, amendmentId };
};

export const isPatch = ({ message: { action } }: MessageStep): boolean =>
  action === 'TIM' || action === 'EQT' || action === 'CON' || action === 'ADM';

/** Changes a variation as TIM, EQT, CON or ADM states. Throws an AmendmentError. */
export const patchVariation = (step: MessageStep, filed: Variation): Variation => {
  const { message, zoneOf, amendmentId } = step;
  const { action, kind, timeMode } = message;
  // Over a period, the days between two clocks can differ, so that an SSM in another time mode states all legs.
  const variation = action === 'TIM' && kind === 'ASM' ? convertDate(step, filed) : filed;
  const isConverted = action === 'TIM' && timeMode !== variation.legs[0].timeMode;
  const dates = isConverted
    ? variation.dates.map((date) => toModeDate(variation, date, toClock(step)))
    : variation.dates;
  const firstDate = dates[0] ?? (0 as LocalDate);
  const legs =
    action === 'TIM'
      ? changeTimes(variation.legs, message.legs, { timeMode, firstDate, zoneOf })
      : action === 'EQT' || action === 'CON'
        ? changeEquipment(variation.legs, message.equipmentChanges, action)
        : variation.legs;
  const content = changeElements({ legs, segmentData: variation.segmentData }, message.elements);
  return { ...variation, ...content, dates, source: undefined, amendmentId };
};

/** Gives a variation the new designator of FLT. */
export const renameVariation = (
  { message: { newFlight }, amendmentId }: MessageStep,
  variation: Variation,
  itinerary: number,
): Variation => {
  const rename = (leg: ScheduleLeg): ScheduleLeg => ({ ...leg, ...newFlight, itinerary });
  const [first, ...rest] = variation.legs;
  return { ...variation, legs: [rename(first), ...rest.map(rename)], source: undefined, amendmentId };
};
