import { findCarrier, type Directory } from '../../../domain/master-data/directory.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import { getOrInsertCarrier } from '../../../store/master-data/carriers.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { readDirectory } from '../../cache/read-directory.ts';

/** Returns the carrier codes of flights that messages describe and that master data lack. */
export const findUnknownCarriers = (messages: readonly StatusMessage[], directory: Directory): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ plan, flight }) =>
      plan && flight.by === 'designator' && !findCarrier(directory, flight.carrier) ? [flight.carrier] : [],
    ),
  );

/** Inserts carriers that have only a code, and returns the directory with them; `sql` must be a transaction. */
export const addUnknownCarriers = async (sql: Sql, codes: Iterable<string>): Promise<Directory> => {
  for (const code of codes) await getOrInsertCarrier(sql, code.length === 3 ? { icao: code } : { iata: code });
  return readDirectory(sql);
};
