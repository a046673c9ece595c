import { expect, test } from 'vitest';
import { getEffectiveFilters, statusChangeKinds, type Alert } from '#domain/alerts/alert.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { isCoveredBy } from '#domain/alerts/alert-coverage.ts';
import { localDate } from '#domain/time/dates.ts';
import { createRandom, type SeededRandom } from '#test/lib/seeded-random.ts';
import { selects } from './naive-oracle.ts';
import { createRandomAlert, createRandomEvent } from './random-cases.ts';
import { scheduleEvent, statusEvent } from './sample-events.ts';

const anyDay = localDate('2030-01-01');
const numbersOf = (alert: Alert): readonly number[] => {
  const { flightNumber, fromFlight, toFlight } = getEffectiveFilters(alert);
  return [flightNumber, fromFlight, toFlight].filter((end) => end !== undefined);
};

/** Events at the edges of an alert: its values, other values where it has none, and the ends of its ranges. */
function* edgesOf(alert: Alert, other: Alert): Generator<EventFacts> {
  const { departureDate = anyDay, arrivalDate = anyDay, ...filters } = getEffectiveFilters(alert);
  const { iataCarrierCode, icaoCarrierCode, departureAirport, arrivalAirport } = filters;
  const codes = { iataCarrierCode, icaoCarrierCode, departureAirport, arrivalAirport };
  const flight = { ...codes, departureDate, arrivalDate };
  const { estimatedDepartureTimeThreshold: departure, estimatedArrivalTimeThreshold: arrival } = alert;
  const edges = [...numbersOf(alert), ...numbersOf(other)].flatMap((number) => [number - 1, number, number + 1]);
  const numbers = [0, 9999, ...edges].filter((number) => number >= 0 && number <= 9999);
  const firstNumber = numbers.find((flightNumber) =>
    selects({ ...alert, schedules: true }, { ...scheduleEvent, ...flight, flightNumber }),
  );
  for (const flightNumber of numbers) {
    yield { ...scheduleEvent, ...flight, flightNumber };
    const variations = { outGateVariationMinutes: departure, inGateVariationMinutes: arrival };
    yield { ...statusEvent, ...flight, flightNumber, ...variations };
    yield { ...statusEvent, ...flight, flightNumber, isCancellation: true };
  }
  for (const flightType of ['Scheduled', 'Unscheduled', 'GA'] as const)
    for (const isMarketing of [false, true]) {
      const like = { ...flight, flightNumber: firstNumber ?? 0, flightType, isMarketing };
      yield { ...like, kind: 'schedule' };
      for (const changed of [[], ...statusChangeKinds.map((change) => [change])])
        for (const changedElse of [false, true])
          for (const outGateVariationMinutes of [undefined, departure])
            for (const inGateVariationMinutes of [undefined, arrival]) {
              const changes = { changed: new Set(changed), changedElse };
              const status = { ...changes, outGateVariationMinutes, inGateVariationMinutes };
              yield { ...like, kind: 'status', ...status };
              if (changedElse) yield { ...like, kind: 'status', ...status, isCancellation: true };
              for (const end of [departure, arrival])
                if (changedElse && end !== undefined) {
                  const previous = end < 0 ? end + 1 : end - 1;
                  const before = {
                    previousOutGateVariationMinutes: previous,
                    previousInGateVariationMinutes: previous,
                  };
                  yield { ...like, kind: 'status', ...status, ...before };
                }
            }
    }
}

/** Creates a slightly different alert, so that one covers the other often. */
const nearTo = (alert: Alert, random: SeededRandom): Alert => {
  const unrelated = createRandomAlert(1, random);
  const names = random.sample(Object.keys(alert), random.integer(1, 6));
  const others = Object.entries(unrelated).filter(([name]) => names.includes(name));
  return { ...alert, ...Object.fromEntries(others), active: true };
};

test('one alert covers another exactly when no event at the edges of it, nor any random one, is selected by it alone', () => {
  const wrong: unknown[] = [];
  const PAIRS = 1000 * Number(process.env['RANDOM_ALERTS'] ?? 1);
  const random = createRandom(77);
  const events = random.times(150, () => createRandomEvent(random));
  let covered = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const alert = { ...createRandomAlert(0, random), active: true };
    const other = nearTo(alert, random);
    let selected = 0;
    let alone: EventFacts | undefined;
    for (const event of [...edgesOf(alert, other), ...events]) {
      if (!selects(alert, event)) continue;
      selected += 1;
      if (!selects(other, event)) alone ??= event;
    }
    const expected = selected > 0 && alone === undefined;
    if (expected) covered += 1;
    if (isCoveredBy(alert, other) !== expected) wrong.push({ pair, alert, other, alone, expected });
  }
  expect(wrong).toStrictEqual([]);
  expect(covered).toBeGreaterThan(PAIRS / 10);
});
