import type { FlightFacts, LandingFacts, ReportedValue } from '#domain/status/message.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import { type Observation, parseObservation, formatObservation } from '#domain/status/observed-flight.ts';
import { createDraw, type RandomDraw as Random } from '#test/faults/support/random-draw.ts';
import { toInstant, toMessageTime, locationIds } from './observations.ts';

const { paris, lyon, london } = locationIds;

export { createDraw as createRandomNumbers };
export type { Random };

export const shuffle = <T>(items: readonly T[], random: Random): readonly T[] => {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
};

const oneOf = <T>(random: Random, choices: readonly [T, ...T[]]): T => choices[random(choices.length)] ?? choices[0];

const reportedOrNull = <T>(random: Random, value: T): ReportedValue<T> => (random(6) === 0 ? null : value);

/** Few instants, so that many are equal and many contradict each other. */
const moment = (random: Random): UtcSecond => (toInstant('10:00') + random(9) * 600) as UtcSecond;

const timeNames = ['Out', 'Off', 'On', 'In'] as const;

const times = (random: Random): Readonly<Record<string, ReportedValue<UtcSecond>>> => {
  const facts: Record<string, ReportedValue<UtcSecond>> = {};
  for (const name of timeNames) {
    if (random(3) === 0) facts[`actual${name}`] = reportedOrNull(random, moment(random));
    if (random(6) === 0) facts[`estimated${name}`] = reportedOrNull(random, moment(random));
  }
  return facts;
};

const factsOf = (random: Random): FlightFacts => ({
  ...times(random),
  ...(random(5) === 0 && { cancelled: reportedOrNull(random, random(2) === 0) }),
  ...(random(6) === 0 && { proposed: reportedOrNull(random, random(2) === 0) }),
  ...(random(5) === 0 && { arrivalGate: reportedOrNull(random, `B${random(9)}`) }),
  ...(random(8) === 0 && { departureTerminal: reportedOrNull(random, String(random(5))) }),
  ...(random(5) === 0 && { registration: reportedOrNull(random, `GABC${random(3)}`) }),
  ...(random(8) === 0 && { aircraftType: reportedOrNull(random, { iata: '789', icao: '' }) }),
});

const landingOf = (random: Random): LandingFacts<number> => ({
  id: oneOf(random, ['1', '2', 'CDG']),
  ...(random(3) > 0 && { airport: reportedOrNull(random, oneOf(random, [paris, lyon, london])) }),
  ...(random(6) === 0 && { type: reportedOrNull(random, oneOf(random, ['Unplanned', 'TechnicalStop'])) }),
  ...(random(6) === 0 && { continues: reportedOrNull(random, random(2) === 0) }),
  ...times(random),
});

/** Creates one message of a flight in its stored form; several have the same source time. */
export const createRandomMessage = (random: Random, id: string): Observation => {
  const first = random(2) === 0 ? [landingOf(random)] : [];
  const second = first.length > 0 && random(4) === 0 ? [landingOf(random)] : [];
  const landings = second[0]?.id === first[0]?.id ? first : [...first, ...second];
  return parseObservation({
    id,
    observedAt: (toMessageTime('09:00') + random(5) * 60_000) as UtcMillisecond,
    observation: formatObservation({ facts: factsOf(random), landings }),
  });
};

/** Creates messages of one flight; the last one repeats one of the others. */
export const createRandomMessages = (random: Random, count: number): readonly Observation[] => {
  const ids = shuffle(
    Array.from({ length: count - 1 }, (_, index) => `m${index}`),
    random,
  );
  const messages = ids.map((id) => createRandomMessage(random, id));
  const again = messages[random(messages.length)];
  return again ? [...messages, again] : messages;
};
