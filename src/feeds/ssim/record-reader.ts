import type { SegmentData } from '../../domain/schedule/schedule.ts';
import { FeedError } from '../feed-error.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import type { TextLine } from '../text/lines.ts';
import { type CarrierRecord, parseCarrierRecord } from './carrier-record.ts';
import { type LegDraft, parseLegRecord } from './leg-record.ts';
import { formatItineraryKey, parseRecordKey } from './record-key.ts';
import { CONTENT_LENGTH, isFiller, RECORD_LENGTH, parseRecordLine } from './record-line.ts';
import { parseSegmentRecord } from './segment-record.ts';
import { watchSerials } from './serial-numbers.ts';

/** A record 4 as read. `afterLine` is the record 3 it follows, when that is one of the same itinerary. */
export type SegmentDraft = { readonly data: SegmentData; readonly followedLegLine: number | undefined };

/** All that a file says about one itinerary of one designator, in file order. */
export type ItineraryRecords = {
  readonly carrier: string;
  readonly drafts: LegDraft[];
  readonly segments: SegmentDraft[];
  /** A record of it was kept out. */
  isDamaged: boolean;
};

type FlightBuckets = Map<string, ItineraryRecords>;

/** The bucket of an itinerary, made when it is the first to ask. */
const getItineraryRecords = (buckets: FlightBuckets, key: string, carrier: string): ItineraryRecords => {
  const found = buckets.get(key);
  if (found !== undefined) return found;
  const made: ItineraryRecords = { carrier, drafts: [], segments: [], isDamaged: false };
  buckets.set(key, made);
  return made;
};

const title = '1AIRLINE STANDARD SCHEDULE DATA SET';

export type SsimRecords = {
  readonly carriers: ReadonlyMap<string, readonly [CarrierRecord, ...CarrierRecord[]]>;
  readonly buckets: FlightBuckets;
};

export type RecordReader = {
  /** Takes the next line of the file. Throws a FeedError when the file must be refused. */
  readonly take: (line: TextLine) => void;
  /** What was read. Throws a FeedError when the file ended too early. */
  readonly finish: () => SsimRecords;
};

/**
 * Sorts the lines of a file into carriers and itineraries. A record that cannot be taken is quarantined and spoils only the completeness of
 * the itinerary it belongs to: its own where that can be read, else that of the leg before it.
 */
export const newRecordReader = (report: LoadReport): RecordReader => {
  const carriers = new Map<string, [CarrierRecord, ...CarrierRecord[]]>();
  const buckets: FlightBuckets = new Map();
  const serials = watchSerials(report);
  let lines = 0;
  let numbered: boolean | undefined;
  let carrier: CarrierRecord | undefined;
  let lastLeg: { readonly line: number; readonly bucket: ItineraryRecords } | undefined;
  let lastTrailer: { readonly line: number; readonly status: string } | undefined;

  const quarantine = (line: number, error: FeedError): void => {
    const { bytes, value = '', reason, message } = error;
    report.entries.push({
      severity: 'quarantined',
      line,
      ...(bytes === undefined ? {} : { bytes }),
      value,
      reason,
      message,
    });
  };
  /** A lost leg leaves its flight incomplete; any other lost line but segment data may have been a leg of the flight above it. */
  const spoil = (line: TextLine): void => {
    if (line.text.startsWith('4') || lastLeg === undefined) return;
    lastLeg.bucket.isDamaged = true;
    if (lastLeg.line !== line.number) lastLeg = undefined;
  };
  const note = (
    line: number,
    bytes: readonly [number, number],
    [value, reason, message]: readonly [string, string, string],
  ): void => {
    report.entries.push({ severity: 'notice', line, bytes, value, reason, message });
  };

  const takeHeader = (line: TextLine): void => {
    const record = parseRecordLine(line, false);
    if (!record.startsWith(title)) {
      throw new FeedError('The file does not begin with an SSIM chapter 7 header record.', {
        line: line.number,
        bytes: [1, 35],
        value: record.slice(0, 35).trimEnd(),
        reason: 'no-header',
      });
    }
    numbered = record.slice(CONTENT_LENGTH).trim() !== '';
    serials.see(record, line.number);
    countAccepted(report, 'header');
  };

  const takeCarrier = (record: string, line: number): void => {
    if (carrier !== undefined) {
      note(line, [1, 5], [carrier.carrier, 'no-trailer', 'The carrier before was not closed by a record 5.']);
      if (lastLeg !== undefined) lastLeg.bucket.isDamaged = true;
    }
    carrier = undefined;
    lastLeg = undefined;
    if (lastTrailer?.status === 'E')
      note(
        lastTrailer.line,
        [194, 194],
        ['E', 'early-end', 'The record says the file ends here, but more carriers follow.'],
      );
    carrier = parseCarrierRecord(record, line, (entry) => report.entries.push(entry));
    const known = carriers.get(carrier.carrier);
    if (known === undefined) carriers.set(carrier.carrier, [carrier]);
    else known.push(carrier);
    countAccepted(report, 'carrier');
  };

  const currentCarrier = (): CarrierRecord => {
    if (carrier !== undefined) return carrier;
    throw new FeedError('No readable carrier record stands above this record.', {
      bytes: [1, 1],
      reason: 'no-carrier',
    });
  };

  const takeLeg = (record: string, line: number): void => {
    const key = parseRecordKey(record, '3');
    const bucket = getItineraryRecords(buckets, formatItineraryKey(key), key.carrier);
    lastLeg = { line, bucket };
    const remarks: LoadReport['entries'] = [];
    bucket.drafts.push(
      parseLegRecord(record, key, { carrier: currentCarrier(), line, remark: (entry) => remarks.push(entry) }),
    );
    report.entries.push(...remarks);
  };

  const takeSegment = (record: string, line: number): void => {
    const owner = currentCarrier();
    const key = parseRecordKey(record, '4');
    if (key.carrier !== owner.carrier) {
      throw new FeedError(`Segment data of '${key.carrier}' stands among the legs of '${owner.carrier}'.`, {
        bytes: [3, 5],
        value: key.carrier,
        reason: 'other-carrier',
      });
    }
    const remarks: LoadReport['entries'] = [];
    const data = parseSegmentRecord(record, line, (entry) => remarks.push(entry));
    if (data === undefined) {
      countAccepted(report, 'privateSegmentData');
      return;
    }
    const bucket = getItineraryRecords(buckets, formatItineraryKey(key), key.carrier);
    bucket.segments.push({ data, followedLegLine: lastLeg?.bucket === bucket ? lastLeg.line : undefined });
    report.entries.push(...remarks);
  };

  const takeTrailer = (record: string, line: number): void => {
    const status = record.slice(193, 194);
    if (status !== 'C' && status !== 'E')
      throw new FeedError(`'${status}' is no status of a trailer (C or E).`, {
        bytes: [194, 194],
        value: status,
        reason: 'bad-trailer',
      });
    const name = record.slice(2, 5).trimEnd();
    if (carrier !== undefined && name !== carrier.carrier)
      note(line, [3, 5], [name, 'trailer-carrier', `The trailer closes another carrier than '${carrier.carrier}'.`]);
    carrier = undefined;
    lastLeg = undefined;
    lastTrailer = { line, status };
    countAccepted(report, 'trailer');
  };

  const takeRecord = (record: string, line: TextLine): void => {
    const type = record.slice(0, 1);
    if (type === '5') serials.seeTrailer(record, line.number);
    serials.see(record, line.number);
    if (type === '5') takeTrailer(record, line.number);
    else if (type === '2') takeCarrier(record, line.number);
    else if (type === '3') takeLeg(record, line.number);
    else if (type === '4') takeSegment(record, line.number);
    else
      throw new FeedError(`'${type}' is no type of record that may stand here.`, {
        bytes: [1, 1],
        value: type,
        reason: 'bad-record-type',
      });
  };

  const take = (line: TextLine): void => {
    const { number, text, isTerminated: terminated } = line;
    if (isFiller(text)) {
      countAccepted(report, 'filler');
      return;
    }
    lines += 1;
    const unnumberedTrailer = numbered === false && text.length === CONTENT_LENGTH && text.startsWith('5');
    if (!terminated && text.length < RECORD_LENGTH && !unnumberedTrailer) {
      throw new FeedError('The file ends within a record.', {
        line: number,
        bytes: [text.length + 1, RECORD_LENGTH],
        value: text.slice(0, 14),
        reason: 'cut-record',
      });
    }
    if (lines === 1) return takeHeader(line);
    let record: string | undefined;
    try {
      record = parseRecordLine(line, numbered === true);
      takeRecord(record, line);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      if (record === undefined) serials.skip();
      quarantine(number, error);
      spoil(line);
    }
  };

  const finish = (): SsimRecords => {
    if (lines === 0) throw new FeedError('There is nothing in the file.', { reason: 'empty-file' });
    if (lastTrailer?.status !== 'E' || carrier !== undefined) {
      throw new FeedError('The file has no end record (type 5 with E): it is not complete.', {
        reason: 'no-end-record',
        value: lastTrailer?.status ?? '',
      });
    }
    return { carriers, buckets };
  };

  return { take, finish };
};
