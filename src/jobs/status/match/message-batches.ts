import type { FlightReference, StatusMessage } from '../../../domain/status/message.ts';

/** Whether the leg a reference means can depend on what is known of its flight: telegrams name one airport, and not the schedule. */
export const dependsOnStatus = (reference: FlightReference): boolean =>
  reference.by === 'designator' && (reference.datedBy === 'utc' || reference.departureAirport === '');

/**
 * Cuts a batch where a message depends on the status of a flight that an earlier one of the same run may change: each run can
 * be looked up at once when the run before it is stored. Most batches are one run.
 */
export const splitIntoRuns = (messages: readonly StatusMessage[]): readonly (readonly StatusMessage[])[] => {
  if (!messages.some(({ flight }) => dependsOnStatus(flight))) return [messages];
  const runs: StatusMessage[][] = [];
  let run: StatusMessage[] = [];
  let numbers = new Set<number | undefined>();
  for (const message of messages) {
    const { flight } = message;
    const number = flight.by === 'designator' ? flight.flightNumber : undefined;
    if (dependsOnStatus(flight) && numbers.has(number)) {
      runs.push(run);
      run = [];
      numbers = new Set();
    }
    run.push(message);
    numbers.add(number);
  }
  return [...runs, run];
};
