import * as formats from './field-formats.ts';
import type { MctPartners } from '#domain/connections/mct/mct-record.ts';
import { FeedError } from '../feed-error.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { readText } from '../text/fixed-width.ts';
import { readField } from './field-formats.ts';

/** Byte columns of a record 3, 1-based and inclusive: the carrier, then up to 95 partners of two characters (SSIM chapter 8). */
const columns = { carrier: [2, 4], partners: [5, 194] } as const;

/** Returns the carrier of a record 3, undefined when it is invalid; the rest of the record may be missing. */
const parseListedCarrier = (record: string): string | undefined =>
  formats.listedCarrierFormat.parse(readText(record, columns.carrier));

/** Parses a record 3 of 200 bytes, a part of the partner list of a carrier. Throws a FeedError. */
const parsePartnerRecord = (record: string, line: number): MctPartners => {
  const carrier = readField(record, { name: 'carrier', columns: columns.carrier, format: formats.listedCarrierFormat });
  if (carrier === undefined)
    throw new FeedError('A partner list requires a carrier.', {
      field: 'carrier',
      bytes: columns.carrier,
      value: '',
      reason: 'bad-carrier',
    });
  const partners: string[] = [];
  for (let from: number = columns.partners[0]; from < columns.partners[1]; from += 2) {
    const partner = readField(record, { name: 'partner', columns: [from, from + 1], format: formats.carrierFormat });
    if (partner !== undefined) partners.push(partner);
  }
  return { line, carrier, partners };
};

/**
 * Collects the partner lists, each of which may span several records. An incomplete list would forbid connections that the carrier
 * wants, so a list with an invalid record is dropped.
 */
export class PartnerLists {
  readonly #report: LoadReport;
  readonly #parts = new Map<string, MctPartners[]>();
  readonly #incomplete = new Set<string>();

  constructor(report: LoadReport) {
    this.#report = report;
  }

  /** Adds a record 3 of 200 bytes. Throws a FeedError when it is invalid. */
  addRecord(record: string, line: number): void {
    try {
      const part = parsePartnerRecord(record, line);
      this.#parts.set(part.carrier, [...(this.#parts.get(part.carrier) ?? []), part]);
    } catch (error) {
      if (error instanceof FeedError) this.addLostLine(record);
      throw error;
    }
  }

  /** Marks the list of a line that cannot be read as incomplete, if the beginning of the line identifies it. */
  addLostLine(text: string): void {
    const carrier = text.startsWith('3') ? parseListedCarrier(text) : undefined;
    if (carrier !== undefined) this.#incomplete.add(carrier);
  }

  /** Returns one list a carrier, with the line on which it begins. */
  finish(): readonly MctPartners[] {
    const lists: MctPartners[] = [];
    for (const [carrier, parts] of this.#parts) {
      const [first] = parts;
      if (first === undefined) continue;
      if (this.#incomplete.has(carrier)) {
        for (const { line } of parts) this.#quarantine(carrier, line);
        continue;
      }
      const partners = [...new Set(parts.flatMap((part) => part.partners))];
      if (partners.length === 0)
        this.#report.entries.push({
          severity: 'notice',
          line: first.line,
          field: 'partner',
          value: carrier,
          reason: 'no-partners',
          message: `The partner list of ${carrier} contains no partner: it connects only with its own flights.`,
        });
      lists.push({ line: first.line, carrier, partners });
      countAccepted(this.#report, 'partner list');
    }
    return lists;
  }

  #quarantine(carrier: string, line: number): void {
    this.#report.entries.push({
      severity: 'quarantined',
      line,
      field: 'carrier',
      value: carrier,
      reason: 'incomplete-list',
      message: `Another part of the partner list of ${carrier} was quarantined; the carrier is treated as one without a list.`,
    });
  }
}
