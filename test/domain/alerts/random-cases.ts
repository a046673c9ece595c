import { alertTypes, statusChangeKinds, type Alert, type StatusChangeKind } from '../../../src/domain/alerts/alert.ts';
import type { EventFacts } from '../../../src/domain/alerts/event-facts.ts';
import { addDays, localDate, type LocalDate } from '../../../src/domain/time/dates.ts';
import type { SeededRandom } from '../../lib/seeded-random.ts';
import { anyAlert } from './any-alert.ts';

const today = localDate('2027-03-01');

/** Few values, so that alerts and events meet often; the ends of ranges and of blocks of numbers among them. */
const carriers = ['ZZ', 'YY', '2Z'];
const icaoCarriers = ['ZZA', 'YYA'];
const airports = ['AAA', 'BBB', 'CCC'];
const numbers = [0, 1, 15, 16, 100, 101, 255, 256, 4095, 4096, 9998, 9999];
const thresholds = [-1440, -1439, -15, -1, 0, 1, 15, 1439, 1440];
const variations = [-1441, -1440, -1439.5, -15, -14.5, -1, -0.5, 0, 0.5, 1, 14.5, 15, 1439.5, 1440, 1441, 40_000];

const dateOf = (chance: SeededRandom): LocalDate => addDays(today, chance.integer(0, 1));
const numberOf = (chance: SeededRandom): number => (chance.chance(80) ? chance.pick(numbers) : chance.integer(0, 9999));
const maybe = <T>(percent: number, chance: SeededRandom, make: () => T): T | undefined =>
  chance.chance(percent) ? make() : undefined;

const rangeOf = (chance: SeededRandom): Pick<Alert, 'fromFlight' | 'toFlight'> => {
  const ends = [numberOf(chance), numberOf(chance)].toSorted((a, b) => a - b);
  return { fromFlight: maybe(80, chance, () => ends[0]), toFlight: maybe(80, chance, () => ends[1]) };
};

/** Any alert, valid or not: what it may ask for together is decided elsewhere. */
export const randomAlert = (index: number, chance: SeededRandom): Alert => {
  const filters: Record<StatusChangeKind, boolean> = { ...anyAlert.statusChangeFilters };
  for (const change of statusChangeKinds) filters[change] = chance.chance(60);
  return {
    ...anyAlert,
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    active: chance.chance(90),
    alertType: chance.chance(10) ? 'Global' : chance.pick(alertTypes),
    iataCarrierCode: chance.chance(40) ? chance.pick(carriers) : '',
    icaoCarrierCode: chance.chance(15) ? chance.pick(icaoCarriers) : '',
    flightNumber: maybe(20, chance, () => numberOf(chance)),
    ...(chance.chance(30) && rangeOf(chance)),
    departureAirport: chance.chance(25) ? chance.pick(airports) : '',
    arrivalAirport: chance.chance(25) ? chance.pick(airports) : '',
    departureDate: maybe(15, chance, () => dateOf(chance)),
    arrivalDate: maybe(15, chance, () => dateOf(chance)),
    schedules: chance.chance(80),
    status: chance.chance(85),
    gaFlights: chance.chance(50),
    unscheduledFlights: chance.chance(50),
    codeshare: chance.chance(70),
    estimatedDepartureTimeThreshold: maybe(30, chance, () => chance.pick(thresholds)),
    estimatedArrivalTimeThreshold: maybe(30, chance, () => chance.pick(thresholds)),
    statusChangeFilters: filters,
  };
};

export const randomEvent = (chance: SeededRandom): EventFacts => {
  const flight = {
    flightType: chance.pick(['Scheduled', 'Scheduled', 'Unscheduled', 'GA'] as const),
    isMarketing: chance.chance(30),
    iataCarrierCode: chance.pick([...carriers, '']),
    icaoCarrierCode: chance.pick([...icaoCarriers, '']),
    flightNumber: numberOf(chance),
    departureAirport: chance.pick([...airports, '']),
    arrivalAirport: chance.pick([...airports, '']),
    departureDate: dateOf(chance),
    arrivalDate: dateOf(chance),
  };
  if (chance.chance(25)) return { ...flight, kind: 'schedule' };
  return {
    ...flight,
    kind: 'status',
    changed: new Set(chance.sample(statusChangeKinds, chance.pick([0, 1, 1, 2, 6]))),
    changedElse: chance.chance(50),
    outGateVariationMinutes: maybe(70, chance, () => chance.pick(variations)),
    inGateVariationMinutes: maybe(70, chance, () => chance.pick(variations)),
  };
};

/** Alerts of which many select the same events or nearly so, as those of many subscribers do. */
export const randomAlerts = (count: number, chance: SeededRandom): readonly Alert[] => {
  const originals = chance.times(Math.ceil(count / 2), (index) => randomAlert(index, chance));
  const twins = chance.times(count - originals.length, (index) => {
    const { id } = randomAlert(originals.length + index, chance);
    const original = chance.pick(originals);
    return { ...original, id, active: true, schedules: chance.chance(60) ? original.schedules : !original.schedules };
  });
  return [...originals, ...twins];
};
