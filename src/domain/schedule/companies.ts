import { carrierIn, type Directory } from '../master-data/directory.ts';
import type { Company } from './schedule.ts';

/** A company with the name that master data has for its designator, where none is filed. */
export const namedCompany = ({ code, name }: Company, directory: Directory): Company => ({
  code,
  name: name || (code === '' ? '' : (carrierIn(directory, code)?.name ?? '')),
});

/** Whether a company that has a part in a flight is worth telling: it is another than the carrier, or is filed with a name. */
export const isOtherCompany = (company: Company | undefined, carrier: string): company is Company =>
  company !== undefined && (company.code !== carrier || company.name !== '') && `${company.code}${company.name}` !== '';
