import type { Directory } from '../master-data/directory.ts';
import type { FlightSegment } from './schedule.ts';

/**
 * What a segment can usually carry as cargo from its first station to its last, metric tonnes: the least that the aircraft types of its
 * legs can; undefined when it is not known of one of them.
 */
export const cargoTonnesOf = ({ legEquipment }: FlightSegment, directory: Directory): number | undefined => {
  const tonnes = legEquipment.map((equipment) => directory.equipment(equipment)?.cargoTonnes);
  const known = tonnes.filter((each) => each !== undefined);
  return known.length === tonnes.length ? Math.min(...known) : undefined;
};
