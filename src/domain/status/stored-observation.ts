import type { UtcMillisecond } from './instants.ts';
import type { Observation } from './known-flight.ts';
import type { StatusMessage } from './message.ts';

/** What is kept of a message beside its id and time: the rest of an Observation, as JSON. */
export const toldText = ({ facts, landings }: Omit<Observation, 'id' | 'observedAt'>): string =>
  JSON.stringify({ facts, landings });

/** A kept message as it is counted. */
export const readObservation = ({
  id,
  observedAt,
  told,
}: {
  readonly id: string;
  readonly observedAt: UtcMillisecond;
  readonly told: string;
}): Observation => {
  const { facts, landings }: Omit<Observation, 'id' | 'observedAt'> = JSON.parse(told);
  return { id, observedAt, facts, landings };
};

/** A whole message that was kept as JSON. */
export const readMessage = (text: string): StatusMessage => {
  const message: StatusMessage = JSON.parse(text);
  return message;
};
