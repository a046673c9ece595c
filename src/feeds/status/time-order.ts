import type { ReportedValue } from '../../domain/status/message.ts';
import { truncateToSecond, type UtcSecond } from '../../domain/status/instants.ts';
import type { MessageFieldError } from './message-errors.ts';
import { toInstant } from './parse-instant.ts';

/** Moments as they stand on the wire, in the order in which they have to happen, up to four. */
type StageTimes = readonly (string | null | undefined)[];

/** The second of an instant that the schema has let pass; throws when it is none. */
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
 * Which stages to keep so that the rest is in order, as bits, the first stage the highest: as many as can be, for one slip must
 * not cost the three that agree; among equals the earlier ones, for what came first was observed first.
 */
const selectLargestOrder = (times: readonly ReportedValue<UtcSecond>[]): ((stage: number) => boolean) => {
  const among = (bits: number) => (stage: number) => ((bits >> (times.length - 1 - stage)) & 1) === 1;
  let best = among(0);
  let most = 0;
  for (let bits = (1 << times.length) - 1; bits > 0; bits -= 1) {
    const isKept = among(bits);
    const count = times.filter((time, stage) => typeof time === 'number' && isKept(stage)).length;
    if (count > most && isInOrder(times, isKept)) [best, most] = [isKept, count];
  }
  return best;
};

/**
 * The seconds of moments that follow one another, equal ones allowed. A moment that breaks the order is left out, as if nothing
 * had been said of it, and reported under the name that `nameOf` gives its stage.
 */
export const selectTimesInOrder = (
  moments: StageTimes,
  nameOf: (stage: number) => string,
  faults: MessageFieldError[],
): readonly ReportedValue<UtcSecond>[] => {
  if (moments.every((text) => text === undefined)) return [];
  const times = moments.map((text) => (typeof text === 'string' ? toUtcSecond(text) : text));
  if (isInOrder(times, () => true)) return times;
  const isKept = selectLargestOrder(times);
  const names = times.flatMap((time, stage) => (typeof time === 'number' && isKept(stage) ? [nameOf(stage)] : []));
  return times.map((time, stage) => {
    if (typeof time !== 'number' || isKept(stage)) return time;
    faults.push({
      reason: 'out-of-order',
      field: nameOf(stage),
      value: moments[stage] ?? '',
      message: `${nameOf(stage)} is out of order with ${names.join(', ')}: ${moments[stage]}.`,
    });
    return undefined;
  });
};
