import type { LocationFacts } from '../../../../domain/master-data/master-data-facts.ts';
import type { Location } from '../../../../domain/master-data/master-data.ts';

/** A station ready to be stored; of stations that share a code the one with the lower rank answers first. */
export type RankedStation = Omit<Location, 'id'> & { readonly rank: number; readonly facts: LocationFacts };

/** The rank of the places in the list of airports in use. */
export const IN_USE = 1;
