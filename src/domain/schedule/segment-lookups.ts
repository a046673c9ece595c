import { findCarrier, type Directory } from '../master-data/directory.ts';
import type { Company, FlightSegment } from './schedule.ts';

/**
 * What a segment can usually carry as cargo from its first station to its last, metric tonnes: the least that the aircraft types of its
 * legs can; undefined when it is not known of one of them.
 */
export const computeCargoTonnes = ({ legEquipment }: FlightSegment, directory: Directory): number | undefined => {
  const tonnes = legEquipment.map((equipment) => directory.equipment(equipment)?.cargoTonnes);
  const known = tonnes.filter((each) => each !== undefined);
  return known.length === tonnes.length ? Math.min(...known) : undefined;
};

/** A company with the name that master data has for its designator, where none is filed. */
export const resolveCompanyName = ({ code, name }: Company, directory: Directory): Company => ({
  code,
  name: name || (code === '' ? '' : (findCarrier(directory, code)?.name ?? '')),
});

/** Whether a company that has a part in a flight is worth telling: it is another than the carrier, or is filed with a name. */
export const hasOtherCompany = (company: Company | undefined, carrier: string): company is Company =>
  company !== undefined && (company.code !== carrier || company.name !== '') && `${company.code}${company.name}` !== '';
