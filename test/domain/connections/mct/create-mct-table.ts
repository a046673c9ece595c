import { sortByPrecedence } from '#domain/connections/mct/mct-precedence.ts';
import type { MctDefaults, MctRecord } from '#domain/connections/mct/mct-record.ts';
import { createMctTableInSteps, type MctTable } from '#domain/connections/mct/mct-table.ts';
import { drain } from '#lib/drain.ts';

type MctData = { readonly records: readonly MctRecord[]; readonly defaults: MctDefaults };

/** Creates the table of records in any order. */
export const createMctTable = ({ records, defaults }: MctData): MctTable =>
  drain(createMctTableInSteps(sortByPrecedence(records), defaults));
