import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { redactRegistration } from '#products/flight-info/v2/redact-registration.ts';
import type { Sql } from '#store/pool/database.ts';
import type { FlightStatusRow } from '#store/status/flight-statuses.ts';
import { listBlockedAmong } from '#store/flights/registration-blocks.ts';

/** Returns a status document, JSON, without the registration of the aircraft. */
export const redactDocument = (doc: string): string => {
  if (doc === '') return doc;
  const status: StatusDetails = JSON.parse(doc);
  return JSON.stringify(redactRegistration(status));
};

/**
 * Returns a function that redacts blocked registrations in the documents of these statuses and of those computed from them. The rows keep the
 * registration, so that it can be restored. `sql` must be the transaction that writes them: a block waits for those that began before it.
 */
export const createRedactor = async (
  sql: Sql,
  statuses: readonly FlightStatusRow[],
): Promise<(status: FlightStatusRow) => FlightStatusRow> => {
  const blocked = await listBlockedAmong(
    sql,
    statuses.flatMap(({ registration }) => registration ?? []),
  );
  return (status) =>
    status.registration !== undefined && blocked.has(status.registration)
      ? { ...status, statusJson: redactDocument(status.statusJson) }
      : status;
};
