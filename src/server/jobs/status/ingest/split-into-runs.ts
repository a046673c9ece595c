import type { DesignatorReference, StatusMessage } from '#domain/status/message.ts';
import { dependsOnStatus } from '../match/match-flights.ts';
import { hasScheduledTime } from '../match/select-by-time.ts';

const getScheduledTime = ({ scheduledOut, scheduledIn }: DesignatorReference): number =>
  scheduledOut ?? scheduledIn ?? 0;

/** The number of a flight; undefined for one that is named by a key. */
const getNumber = ({ flight }: StatusMessage): number | undefined =>
  flight.by === 'designator' ? flight.flightNumber : undefined;

const formatDesignatorDate = ({ carrier, flightNumber, originDate }: DesignatorReference): string =>
  `${carrier} ${flightNumber} ${originDate}`;

/** References by times that differ by more cannot name the same flight, minutes. */
const MAX_DIFFERENCE = 36 * 60;

/** The messages of a run so far, and the flights that their plans name: by number those with a scheduled time, the others by their dates. */
class Run {
  readonly messages: StatusMessage[] = [];
  readonly #timed = new Map<number | undefined, DesignatorReference[]>();
  readonly #dates = new Set<string>();

  add(message: StatusMessage): void {
    this.messages.push(message);
    const timed = this.#timed.get(getNumber(message)) ?? [];
    this.#timed.set(getNumber(message), timed);
    const { flight, plan } = message;
    if (!plan || flight.by !== 'designator') return;
    if (hasScheduledTime(flight)) timed.push(flight);
    this.#dates.add(formatDesignatorDate(flight));
  }

  /** Whether the flight of a message can depend on a message of the run: two plans of one day can describe one flight, or two flights. */
  canChangeFlight(message: StatusMessage): boolean {
    const { flight, plan } = message;
    const timed = this.#timed.get(getNumber(message));
    if (!timed) return false;
    if (dependsOnStatus(flight)) return true;
    if (!plan || flight.by !== 'designator') return false;
    if (!hasScheduledTime(flight)) return this.#dates.has(formatDesignatorDate(flight));
    const [text, time] = [JSON.stringify(flight), getScheduledTime(flight)];
    return timed.some((one) => Math.abs(getScheduledTime(one) - time) < MAX_DIFFERENCE && JSON.stringify(one) !== text);
  }
}

/**
 * Splits a batch before each message whose flight depends on an earlier message of its run: on the status or the description of a flight. A run is
 * matched as a whole after the run before it is stored. Most batches are one run.
 */
export const splitIntoRuns = (messages: readonly StatusMessage[]): readonly (readonly StatusMessage[])[] => {
  if (!messages.some(({ flight, plan }) => plan !== undefined || dependsOnStatus(flight))) return [messages];
  let run = new Run();
  const runs = [run];
  for (const message of messages) {
    if (run.canChangeFlight(message)) {
      run = new Run();
      runs.push(run);
    }
    run.add(message);
  }
  return runs.map((one) => one.messages);
};
