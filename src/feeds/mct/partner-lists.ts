import type { MctPartners } from '../../domain/connections/mct/mct-record.ts';
import { FeedError } from '../feed-error.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { listedCarrierOf, readPartnerRecord } from './read-partner-record.ts';

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
    const carrier = text.startsWith('3') ? listedCarrierOf(text) : undefined;
    if (carrier !== undefined) spoilt.add(carrier);
  };

  const take = (record: string, line: number): void => {
    try {
      const part = readPartnerRecord(record, line);
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
