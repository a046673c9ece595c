import type {
  Codes,
  Provenance as WireProvenance,
  Validity as WireValidity,
} from '../../../../generated/master-data/v1/types.gen.ts';
import { dataSources, type DataSource, type SourceId } from '../../../domain/master-data/data-sources.ts';
import type { Provenance, Validity } from '../../../domain/master-data/master-data-facts.ts';

/** Codes that exist, and no member for those that do not. */
export const toCodes = ({ iata, icao, faa = '' }: { iata: string; icao: string; faa?: string }): Codes => ({
  ...(iata && { iata }),
  ...(icao && { icao }),
  ...(faa && { faa }),
});

/** The days of a record as a member of it; no member when none are known. */
export const toValidity = ({ from, to }: Validity): { readonly validity?: WireValidity } =>
  from || to ? { validity: { ...(from && { from }), ...(to && { to }) } } : {};

const isSource = (id: string): id is SourceId => id in dataSources;

/** The sources of a record's facts, in the order in which they are kept. */
export const toProvenance = (provenance: Provenance): WireProvenance =>
  Object.entries(provenance).map(([field, id]) => {
    const { title, licence, attribution }: DataSource = isSource(id)
      ? dataSources[id]
      : { title: id, licence: '', attribution: '' };
    return { field, source: title, licence, ...(attribution && { attribution }) };
  });
