import { alertTypes, statusChangeKinds, type Alert, type StatusChangeKind } from '#domain/alerts/alert.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { addDays, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { SeededRandom } from '#test/lib/seeded-random.ts';
import { sampleAlert } from './sample-alert.ts';

const today = localDate('2027-03-01');

/** Few values, so that alerts often match events; the ends of ranges and of blocks of numbers are among them. */
const carriers = ['ZZ', 'YY', '2Z'];
const icaoCarriers = ['ZZA', 'YYA'];
const airports = ['AAA', 'BBB', 'CCC'];
const numbers = [0, 1, 15, 16, 100, 101, 255, 256, 4095, 4096, 9998, 9999];
const thresholds = [-1440, -1439, -15, -1, 0, 1, 15, 1439, 1440];
const variations = [-1441, -1440, -1439.5, -15, -14.5, -1, -0.5, 0, 0.5, 1, 14.5, 15, 1439.5, 1440, 1441, 40_000];

const dateOf = (random: SeededRandom): LocalDate => addDays(today, random.integer(0, 1));
const numberOf = (random: SeededRandom): number => (random.chance(80) ? random.pick(numbers) : random.integer(0, 9999));
const maybe = <T>(percent: number, random: SeededRandom, make: () => T): T | undefined =>
  random.chance(percent) ? make() : undefined;

const rangeOf = (random: SeededRandom): Pick<Alert, 'fromFlight' | 'toFlight'> => {
  const ends = [numberOf(random), numberOf(random)].toSorted((a, b) => a - b);
  return { fromFlight: maybe(80, random, () => ends[0]), toFlight: maybe(80, random, () => ends[1]) };
};

/** Any alert, valid or not: other tests check the validation. */
export const createRandomAlert = (index: number, random: SeededRandom): Alert => {
  const filters: Record<StatusChangeKind, boolean> = { ...sampleAlert.statusChangeFilters };
  for (const change of statusChangeKinds) filters[change] = random.chance(60);
  return {
    ...sampleAlert,
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    active: random.chance(90),
    alertType: random.chance(10) ? 'Global' : random.pick(alertTypes),
    iataCarrierCode: random.chance(40) ? random.pick(carriers) : '',
    icaoCarrierCode: random.chance(15) ? random.pick(icaoCarriers) : '',
    flightNumber: maybe(20, random, () => numberOf(random)),
    ...(random.chance(30) && rangeOf(random)),
    departureAirport: random.chance(25) ? random.pick(airports) : '',
    arrivalAirport: random.chance(25) ? random.pick(airports) : '',
    departureDate: maybe(15, random, () => dateOf(random)),
    arrivalDate: maybe(15, random, () => dateOf(random)),
    schedules: random.chance(80),
    status: random.chance(85),
    gaFlights: random.chance(50),
    unscheduledFlights: random.chance(50),
    codeshare: random.chance(70),
    estimatedDepartureTimeThreshold: maybe(30, random, () => random.pick(thresholds)),
    estimatedArrivalTimeThreshold: maybe(30, random, () => random.pick(thresholds)),
    thresholdOnce: random.chance(40),
    cancellations: random.chance(40),
    statusChangeFilters: filters,
  };
};

export const createRandomEvent = (random: SeededRandom): EventFacts => {
  const createRoute = () => ({
    departureAirport: random.pick([...airports, '']),
    arrivalAirport: random.pick([...airports, '']),
    departureDate: dateOf(random),
    arrivalDate: dateOf(random),
  });
  const flight = {
    flightType: random.pick(['Scheduled', 'Scheduled', 'Unscheduled', 'GA'] as const),
    isMarketing: random.chance(30),
    iataCarrierCode: random.pick([...carriers, '']),
    icaoCarrierCode: random.pick([...icaoCarriers, '']),
    flightNumber: numberOf(random),
    ...createRoute(),
    ...(random.chance(30) && { before: createRoute() }),
  };
  if (random.chance(25)) return { ...flight, kind: 'schedule' };
  const changedElse = random.chance(50);
  return {
    ...flight,
    kind: 'status',
    changed: new Set(random.sample(statusChangeKinds, random.pick([0, 1, 1, 2, 6]))),
    changedElse,
    ...(changedElse && random.chance(50) && { previousOutGateVariationMinutes: random.pick(variations) }),
    ...(changedElse && random.chance(50) && { previousInGateVariationMinutes: random.pick(variations) }),
    ...(random.chance(20) && { outGateVariationSteps: random.times(2, () => random.pick(variations)) }),
    ...(random.chance(20) && { inGateVariationSteps: random.times(2, () => random.pick(variations)) }),
    ...(changedElse && random.chance(20) && { isCancellation: true as const }),
    outGateVariationMinutes: maybe(70, random, () => random.pick(variations)),
    inGateVariationMinutes: maybe(70, random, () => random.pick(variations)),
  };
};

/** Alerts of which many select nearly the same events, like those of many subscribers. */
export const createRandomAlerts = (count: number, random: SeededRandom): readonly Alert[] => {
  const originals = random.times(Math.ceil(count / 2), (index) => createRandomAlert(index, random));
  const twins = random.times(count - originals.length, (index) => {
    const { id } = createRandomAlert(originals.length + index, random);
    const original = random.pick(originals);
    return { ...original, id, active: true, schedules: random.chance(60) ? original.schedules : !original.schedules };
  });
  return [...originals, ...twins];
};
