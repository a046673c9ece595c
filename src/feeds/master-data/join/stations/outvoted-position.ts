import { fold } from '../../../../domain/master-data/name-words.ts';
import type { Place } from './places-of-code.ts';
import { metresBetween, type Station } from '../../sources/station.ts';

const AGREEMENT_METRES = 5000;
const DISAGREEMENT_METRES = 10_000;

/**
 * The station whose position stands against that of the list of airports in use, which has degrees, minutes and seconds for
 * decimals here and there (Brussels, Luxembourg): where both other lists agree on one elsewhere, and the older list means the
 * very same airport by its ICAO code and name. One that moved has another name by and large, and keeps its new position.
 */
export const outvotedBy = ({ main, snapshot, bestKnown }: Place): Station | undefined => {
  if (!main || !snapshot || !bestKnown) return undefined;
  // Fields with an identifier of the FAA are placed by its register, which knows of new airports first.
  if (main.faa !== '') return undefined;
  if (main.icao !== snapshot.icao || fold(main.name) !== fold(snapshot.name)) return undefined;
  if (metresBetween(snapshot, bestKnown) > AGREEMENT_METRES) return undefined;
  return metresBetween(main, snapshot) > DISAGREEMENT_METRES ? snapshot : undefined;
};
