import { parseMctStatuses } from '#domain/connections/flights/connecting-records.ts';
import { dataElements } from '#domain/schedule/data-elements.ts';
import type { SegmentData } from '#domain/schedule/schedule.ts';
import { addQuarantined, FeedError } from '../feed-error.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import type { TextLine } from '../text/lines.ts';
import { type CarrierRecord, parseCarrierRecord } from './carrier-record.ts';
import { type LegDraft, parseLegRecord } from './leg-record.ts';
import { formatItineraryKey, parseRecordKey } from './record-key.ts';
import { assertComplete, CONTENT_LENGTH, isFiller, parseRecordLine, rejectRecordType } from './record-line.ts';
import { parseSegmentRecord } from './segment-record.ts';
import { SerialNumberCheck } from './serial-numbers.ts';

/** A record 4. `followedLegLine` is the line of the record 3 that it follows, when that is of the same itinerary. */
export type SegmentDraft = { readonly data: SegmentData; readonly followedLegLine: number | undefined };

/** The records of one itinerary variation of one designator, in the order of the file. */
export type ItineraryRecords = {
  readonly carrier: string;
  readonly legs: LegDraft[];
  readonly segments: SegmentDraft[];
  /** True when one of its records was quarantined. */
  isDamaged: boolean;
};

/** The records of a file: carrier records by carrier, the other records by the key of their itinerary. */
export type SsimRecords = {
  readonly carriers: ReadonlyMap<string, readonly [CarrierRecord, ...CarrierRecord[]]>;
  readonly itineraries: Map<string, ItineraryRecords>;
};

const title = '1AIRLINE STANDARD SCHEDULE DATA SET';

/**
 * Sorts the lines of an SSIM chapter 7 file into carriers and itineraries. A record that cannot be read is quarantined and makes one
 * itinerary incomplete: its own if its key can be read, else that of the leg before it.
 */
export class SsimRecordReader {
  readonly #report: LoadReport;
  readonly #serialNumbers: SerialNumberCheck;
  readonly #carriers = new Map<string, [CarrierRecord, ...CarrierRecord[]]>();
  readonly #itineraries = new Map<string, ItineraryRecords>();
  #lineCount = 0;
  #isNumbered: boolean | undefined;
  #carrier: CarrierRecord | undefined;
  #lastLeg: { readonly line: number; readonly itinerary: ItineraryRecords } | undefined;
  #lastTrailer: { readonly line: number; readonly status: string } | undefined;

  constructor(report: LoadReport) {
    this.#report = report;
    this.#serialNumbers = new SerialNumberCheck(report);
  }

  /** Reads the next line of the file. Throws a FeedError when the file must be rejected. */
  readLine(line: TextLine): void {
    const { number, text } = line;
    if (isFiller(text)) {
      countAccepted(this.#report, 'filler');
      return;
    }
    this.#lineCount += 1;
    const isUnnumberedTrailer = this.#isNumbered === false && text.length === CONTENT_LENGTH && text.startsWith('5');
    if (!isUnnumberedTrailer) assertComplete(line);
    if (this.#lineCount === 1) return this.#readHeader(line);
    let record: string | undefined;
    try {
      record = parseRecordLine(line, this.#isNumbered === true);
      this.#readRecord(record, line);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      if (record === undefined) this.#serialNumbers.skip();
      addQuarantined(this.#report, number, error);
      this.#markDamaged(line);
    }
  }

  /** Returns the records read. Throws a FeedError when the file ended too early. */
  finish(): SsimRecords {
    if (this.#lineCount === 0) throw new FeedError('The file is empty.', { reason: 'empty-file' });
    if (this.#lastTrailer?.status !== 'E' || this.#carrier !== undefined) {
      throw new FeedError('The file has no end record (record 5 with E), so it is incomplete.', {
        reason: 'no-end-record',
        value: this.#lastTrailer?.status ?? '',
      });
    }
    return { carriers: this.#carriers, itineraries: this.#itineraries };
  }

  #readHeader(line: TextLine): void {
    const record = parseRecordLine(line, false);
    if (!record.startsWith(title)) {
      throw new FeedError('The file does not start with an SSIM chapter 7 header record.', {
        line: line.number,
        bytes: [1, 35],
        value: record.slice(0, 35).trimEnd(),
        reason: 'no-header',
      });
    }
    this.#isNumbered = record.slice(CONTENT_LENGTH).trim() !== '';
    this.#serialNumbers.check(record, line.number);
    countAccepted(this.#report, 'header');
  }

  #readRecord(record: string, line: TextLine): void {
    const type = record.slice(0, 1);
    if (type === '5') this.#serialNumbers.checkTrailer(record, line.number);
    this.#serialNumbers.check(record, line.number);
    if (type === '5') this.#readTrailer(record, line.number);
    else if (type === '2') this.#readCarrier(record, line.number);
    else if (type === '3') this.#readLeg(record, line.number);
    else if (type === '4') this.#readSegment(record, line.number);
    else rejectRecordType(type);
  }

  #readCarrier(record: string, line: number): void {
    if (this.#carrier !== undefined) {
      const message = 'The previous carrier has no trailer (record 5).';
      this.#addNotice(line, [1, 5], [this.#carrier.carrier, 'no-trailer', message]);
      if (this.#lastLeg !== undefined) this.#lastLeg.itinerary.isDamaged = true;
    }
    this.#carrier = undefined;
    this.#lastLeg = undefined;
    if (this.#lastTrailer?.status === 'E') {
      const message = 'The trailer ends the file, but more carriers follow.';
      this.#addNotice(this.#lastTrailer.line, [194, 194], ['E', 'early-end', message]);
    }
    const carrier = parseCarrierRecord(record, line, (entry) => this.#report.entries.push(entry));
    this.#carrier = carrier;
    const records = this.#carriers.get(carrier.carrier);
    if (records === undefined) this.#carriers.set(carrier.carrier, [carrier]);
    else records.push(carrier);
    countAccepted(this.#report, 'carrier');
  }

  #readLeg(record: string, line: number): void {
    const key = parseRecordKey(record, '3');
    const itinerary = this.#getItinerary(formatItineraryKey(key), key.carrier);
    this.#lastLeg = { line, itinerary };
    const remarks: LoadReport['entries'] = [];
    const carrier = this.#getCarrier();
    itinerary.legs.push(parseLegRecord(record, key, { carrier, line, addRemark: (entry) => remarks.push(entry) }));
    this.#report.entries.push(...remarks);
  }

  #readSegment(record: string, line: number): void {
    const owner = this.#getCarrier();
    const key = parseRecordKey(record, '4');
    if (key.carrier !== owner.carrier) {
      throw new FeedError(`Segment data of '${key.carrier}' is in the records of '${owner.carrier}'.`, {
        bytes: [3, 5],
        value: key.carrier,
        reason: 'other-carrier',
      });
    }
    const remarks: LoadReport['entries'] = [];
    const data = parseSegmentRecord(record, line, (entry) => remarks.push(entry));
    if (data === undefined) {
      countAccepted(this.#report, 'privateSegmentData');
      return;
    }
    this.#report.entries.push(...remarks);
    if (data.dei === dataElements.mctStatus && parseMctStatuses(data.data) === undefined) {
      this.#report.entries.push({
        severity: 'corrected',
        line,
        bytes: [40, CONTENT_LENGTH],
        value: data.data,
        reason: 'unreadable-mctStatus',
        message: 'The status is neither D nor I and was ignored.',
      });
      countAccepted(this.#report, 'segmentData');
      return;
    }
    const itinerary = this.#getItinerary(formatItineraryKey(key), key.carrier);
    const followedLegLine = this.#lastLeg?.itinerary === itinerary ? this.#lastLeg.line : undefined;
    itinerary.segments.push({ data, followedLegLine });
  }

  #readTrailer(record: string, line: number): void {
    const status = record.slice(193, 194);
    if (status !== 'C' && status !== 'E')
      throw new FeedError(`The status of a trailer must be C or E, not '${status}'.`, {
        bytes: [194, 194],
        value: status,
        reason: 'bad-trailer',
      });
    const name = record.slice(2, 5).trimEnd();
    if (this.#carrier !== undefined && name !== this.#carrier.carrier) {
      const message = `The trailer is not for the current carrier '${this.#carrier.carrier}'.`;
      this.#addNotice(line, [3, 5], [name, 'trailer-carrier', message]);
    }
    this.#carrier = undefined;
    this.#lastLeg = undefined;
    this.#lastTrailer = { line, status };
    countAccepted(this.#report, 'trailer');
  }

  #getCarrier(): CarrierRecord {
    if (this.#carrier !== undefined) return this.#carrier;
    throw new FeedError('No valid carrier record precedes this record.', {
      bytes: [1, 1],
      reason: 'no-carrier',
    });
  }

  #getItinerary(key: string, carrier: string): ItineraryRecords {
    const existing = this.#itineraries.get(key);
    if (existing !== undefined) return existing;
    const created: ItineraryRecords = { carrier, legs: [], segments: [], isDamaged: false };
    this.#itineraries.set(key, created);
    return created;
  }

  /** Marks the itinerary of a lost record. Any lost line except segment data may have been a leg of the flight before it. */
  #markDamaged(line: TextLine): void {
    if (line.text.startsWith('4') || this.#lastLeg === undefined) return;
    this.#lastLeg.itinerary.isDamaged = true;
    if (this.#lastLeg.line !== line.number) this.#lastLeg = undefined;
  }

  #addNotice(
    line: number,
    bytes: readonly [number, number],
    [value, reason, message]: readonly [value: string, reason: string, message: string],
  ): void {
    this.#report.entries.push({ severity: 'notice', line, bytes, value, reason, message });
  }
}
