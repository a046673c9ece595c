import * as kinds from './field-formats.ts';
import type { MctPartners } from '../../domain/connections/mct/mct-record.ts';
import { FeedError } from '../feed-error.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { readText } from '../text/fixed-width.ts';
import { readField, RecordError } from './field-formats.ts';

/** Byte columns of a record 3, 1-based and inclusive: the carrier, then up to 95 partners of two characters each (SSIM chapter 8). */
const columns = { carrier: [2, 4], partners: [5, 194] } as const;

/** The carrier of a record 3, undefined where it cannot be read; the rest of the record may be missing. */
const parseListedCarrier = (record: string): string | undefined =>
  kinds.listedCarrier.parse(readText(record, columns.carrier));

/** Reads a record 3 of 200 bytes: part of the list of partners of a carrier. Throws a RecordError. */
const parsePartnerRecord = (record: string, line: number): MctPartners => {
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

export type PartnerLists = {
  /** Takes a record 3 of 200 bytes. Throws a RecordError when it cannot be taken. */
  readonly take: (record: string, line: number) => void;
  /** Hears of a line that is no record of 200 bytes, of which no more than the beginning tells what it was. */
  readonly miss: (text: string) => void;
  /** One list a carrier, with the line on which it begins. */
  readonly finish: () => readonly MctPartners[];
};

/**
 * Puts the lists of partners together, which may take several records. A list that lacks a part would forbid connections that the carrier
 * wants: where one of its records cannot be taken, none of them is.
 */
export const newPartnerLists = (report: LoadReport): PartnerLists => {
  const lists = new Map<string, MctPartners[]>();
  const spoilt = new Set<string>();

  const miss = (text: string): void => {
    const carrier = text.startsWith('3') ? parseListedCarrier(text) : undefined;
    if (carrier !== undefined) spoilt.add(carrier);
  };

  const take = (record: string, line: number): void => {
    try {
      const part = parsePartnerRecord(record, line);
      lists.set(part.carrier, [...(lists.get(part.carrier) ?? []), part]);
    } catch (error) {
      if (error instanceof FeedError) miss(record);
      throw error;
    }
  };

  const finish = (): readonly MctPartners[] => {
    const whole: MctPartners[] = [];
    for (const [carrier, parts] of lists) {
      const [first] = parts;
      if (first === undefined) continue;
      if (spoilt.has(carrier)) {
        for (const { line } of parts)
          report.entries.push({
            severity: 'quarantined',
            line,
            field: 'carrier',
            value: carrier,
            reason: 'incomplete-list',
            message: `Another part of the list of ${carrier} could not be taken; the carrier counts as one without a list.`,
          });
        continue;
      }
      const partners = [...new Set(parts.flatMap((part) => part.partners))];
      if (partners.length === 0)
        report.entries.push({
          severity: 'notice',
          line: first.line,
          field: 'partner',
          value: carrier,
          reason: 'no-partners',
          message: `${carrier} names no partner: it connects with none but itself.`,
        });
      whole.push({ line: first.line, carrier, partners });
      countAccepted(report, 'partner list');
    }
    return whole;
  };

  return { take, miss, finish };
};
