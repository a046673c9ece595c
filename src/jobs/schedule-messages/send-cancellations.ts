import type { MasterDataIndex } from '../../domain/master-data/master-data-index.ts';
import type { CancellationChange } from '../../domain/schedule/messages/change-date.ts';
import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { StatusMessage } from '../../domain/status/message.ts';
import type { Database } from '../../store/pool/database.ts';
import { deleteCancellations, listUnsentCancellations } from '../../store/schedules/schedule-messages.ts';
import { ingestMessages } from '../status/ingest/status-ingester.ts';

const BATCH_SIZE = 500;

/** Builds the status message of each leg whose cancellation an amendment sets or withdraws. */
const toStatusMessages = (
  id: number,
  receivedAt: Date,
  changes: readonly CancellationChange[],
): readonly StatusMessage[] =>
  changes.flatMap(({ cancelled, originDate, legs }, change) =>
    legs.map(({ carrier, flightNumber, suffix, departure, arrival }, leg): StatusMessage => ({
      id: `asm:${id}:${change}:${leg}`,
      source: 'asm',
      // Of two changes in one message, the second is newer.
      observedAt: (receivedAt.getTime() + change) as UtcMillisecond,
      flight: {
        by: 'designator',
        carrier,
        flightNumber,
        suffix,
        originDate,
        departureAirport: departure.station,
        arrivalAirport: arrival.station,
      },
      facts: { cancelled },
      landings: [],
      plan: undefined,
    })),
  );

/**
 * Ingests cancellations and reinstatements by ASM as status messages, also those that an interrupted process left. A status message has the same
 * id each time, so a repeated one has no effect.
 */
export const sendCancellations = async (
  db: Database,
  masterDataIndex: MasterDataIndex,
  clock: () => Date,
): Promise<void> => {
  for (;;) {
    const unsent = await listUnsentCancellations(db, BATCH_SIZE);
    if (unsent.length === 0) return;
    const messages = unsent.flatMap(({ id, receivedAt, cancellations }) =>
      toStatusMessages(id, receivedAt, cancellations),
    );
    await ingestMessages(db, messages, { masterDataIndex, clock });
    await deleteCancellations(
      db,
      unsent.map(({ id }) => id),
    );
  }
};
