import { findCarrier, type Directory } from '../../../domain/master-data/directory.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import { getOrInsertCarrier } from '../../../store/master-data/carriers.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { readDirectory } from '../../cache/read-directory.ts';

/** The carriers of planned flights that no master data knows, by the code they are named by. */
export const findUnknownCarriers = (messages: readonly StatusMessage[], directory: Directory): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ plan, flight }) =>
      plan && flight.by === 'designator' && !findCarrier(directory, flight.carrier) ? [flight.carrier] : [],
    ),
  );

/** Adds carriers with their codes alone, and answers the directory with them; `sql` must be a transaction. */
export const addUnknownCarriers = async (sql: Sql, codes: Iterable<string>): Promise<Directory> => {
  for (const code of codes) await getOrInsertCarrier(sql, code.length === 3 ? { icao: code } : { iata: code });
  return readDirectory(sql);
};
