import { findCarrier, type MasterDataIndex } from '../master-data/master-data-index.ts';
import type { Company, Designator, FlightSegment } from './schedule.ts';

/** Computes the usual cargo capacity of a segment, metric tonnes: the minimum over the aircraft types of its legs; undefined when one is unknown. */
export const computeCargoTonnes = (
  { legEquipment }: FlightSegment,
  masterDataIndex: MasterDataIndex,
): number | undefined => {
  const tonnes = legEquipment.map((equipment) => masterDataIndex.equipment(equipment)?.cargoTonnes);
  const present = tonnes.filter((each) => each !== undefined);
  return present.length === tonnes.length ? Math.min(...present) : undefined;
};

/** Returns a company with the name of its designator in master data, unless a name is filed. */
export const resolveCompanyName = ({ code, name }: Company, masterDataIndex: MasterDataIndex): Company => ({
  code,
  name: name || (code === '' ? '' : (findCarrier(masterDataIndex, code)?.name ?? '')),
});

/** Returns a company as responses contain it. Its number is reserved, and ''. */
export const toCompany = (company: Company, masterDataIndex: MasterDataIndex) => ({
  ...resolveCompanyName(company, masterDataIndex),
  number: '',
});

/** Returns a designator as responses contain it, the number without leading zeros. */
export const toMarketedFlight = ({ carrier, flightNumber, suffix }: Designator) => ({
  code: carrier,
  serviceNumber: String(flightNumber),
  suffix,
});

/** Returns whether a company of a flight differs from its carrier or is filed with a name. */
export const hasOtherCompany = (company: Company | undefined, carrier: string): company is Company =>
  company !== undefined && (company.code !== carrier || company.name !== '') && `${company.code}${company.name}` !== '';
