import type { ReportedValue } from '../../domain/status/message.ts';
import { truncateToSecond, type UtcSecond } from '../../domain/status/instants.ts';
import type { MessageFieldError } from './message-errors.ts';
import { toInstant } from './parse-instant.ts';

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
export const selectTimesInOrder = (
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
