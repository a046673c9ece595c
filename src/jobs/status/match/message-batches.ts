import type { FlightReference, StatusMessage } from '../../../domain/status/message.ts';

/** Whether the leg of a reference depends on the status of its flight: telegrams name one airport only. */
export const dependsOnStatus = (reference: FlightReference): boolean =>
  reference.by === 'designator' && (reference.datedBy === 'utc' || reference.departureAirport === '');

/**
 * Splits a batch before each message that depends on the status of a flight that an earlier message of its run may change. A run is matched as
 * a whole after the run before it is stored. Most batches are one run.
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
