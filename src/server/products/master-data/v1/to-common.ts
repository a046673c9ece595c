import type {
  Codes,
  Provenance as WireProvenance,
  Validity as WireValidity,
} from '#generated/master-data/v1/types.gen.ts';
import { dataSources, type DataSource, type SourceId } from '#domain/master-data/data-sources.ts';
import type { Validity } from '#domain/master-data/master-data-facts.ts';

/** Returns the codes that exist; others are absent. */
export const toCodes = ({ iata, icao, faa = '' }: { iata: string; icao: string; faa?: string }): Codes => ({
  ...(iata && { iata }),
  ...(icao && { icao }),
  ...(faa && { faa }),
});

/** Returns the member `validity` of a record; none if no dates are known. */
export const toValidity = ({ from, to }: Validity): { readonly validity?: WireValidity } =>
  from || to ? { validity: { ...(from && { from }), ...(to && { to }) } } : {};

const isSource = (id: string): id is SourceId => id in dataSources;

/** Returns the sources of facts, given as fields with IDs of sources. */
export const toProvenance = (sources: readonly (readonly [field: string, id: string])[]): WireProvenance =>
  sources.map(([field, id]) => {
    const { title, licence, attribution }: DataSource = isSource(id)
      ? dataSources[id]
      : { title: id, licence: '', attribution: '' };
    return { field, source: title, licence, ...(attribution && { attribution }) };
  });
