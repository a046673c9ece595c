import type { MctPartners } from '../../domain/connections/mct/mct-record.ts';
import { textAt } from '../ssim/fields.ts';
import * as kinds from './fields.ts';
import { readField } from './fields.ts';
import { RecordError } from './record-error.ts';

/** Byte columns of a record 3, 1-based and inclusive: the carrier, then up to 95 partners of two characters each (SSIM chapter 8). */
const columns = { carrier: [2, 4], partners: [5, 194] } as const;

/** The carrier of a record 3, undefined where it cannot be read; the rest of the record may be missing. */
export const listedCarrierOf = (record: string): string | undefined =>
  kinds.listedCarrier.read(textAt(record, columns.carrier));

/** Reads a record 3 of 200 bytes: part of the list of partners of a carrier. Throws a RecordError. */
export const readPartnerRecord = (record: string, line: number): MctPartners => {
  const carrier = readField(record, { name: 'carrier', columns: columns.carrier, kind: kinds.listedCarrier });
  if (carrier === undefined)
    throw new RecordError({
      field: 'carrier',
      columns: columns.carrier,
      value: '',
      reason: 'bad-carrier',
      message: 'A list of partners names its carrier.',
    });
  const partners: string[] = [];
  for (let from: number = columns.partners[0]; from < columns.partners[1]; from += 2) {
    const partner = readField(record, { name: 'partner', columns: [from, from + 1], kind: kinds.carrier });
    if (partner !== undefined) partners.push(partner);
  }
  return { line, carrier, partners };
};
