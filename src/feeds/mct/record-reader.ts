import type { MctFile, MctRecord } from '../../domain/connections/mct/mct-record.ts';
import { FeedError } from '../feed-error.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { type Columns, readText } from '../text/fixed-width.ts';
import { CONTENT_LENGTH, isFiller, RECORD_LENGTH, parseRecordLine } from '../ssim/record-line.ts';
import { watchSerials } from '../ssim/serial-numbers.ts';
import type { TextLine } from '../text/lines.ts';
import { type RecordConflict, newConflictFinder } from './conflict-finder.ts';
import { RecordError } from './field-formats.ts';
import { parseMctRecord } from './mct-record.ts';
import { newPartnerLists } from './partner-lists.ts';

const title = 'MINIMUM CONNECT TIME DATA SET';

/** Byte columns of a record 1, 1-based and inclusive (SSIM chapter 8). Who made the file, and when, is not kept. */
const columns = { start: [1, 31], content: [78, 78] } as const;

const rejectFile = (
  record: string,
  at: Columns,
  detail: readonly [line: number, reason: string, message: string],
): never => {
  const [line, reason, message] = detail;
  throw new FeedError(message, { line, bytes: at, value: readText(record, at).trimEnd(), reason });
};

/** Looks whether a record of 200 bytes begins a file of all minimum connecting times. Throws a FeedError. */
const assertHeader = (record: string, line: number): void => {
  if (readText(record, columns.start).trimEnd() !== `1${title}`)
    rejectFile(record, columns.start, [
      line,
      'no-header',
      'The file does not begin with an SSIM chapter 8 header record.',
    ]);
  const content = readText(record, columns.content);
  if (content === 'U')
    rejectFile(record, columns.content, [
      line,
      'updates',
      'The file holds updates of another one; only files that hold everything (F) can be loaded.',
    ]);
  if (content !== 'F')
    rejectFile(record, columns.content, [line, 'bad-content', `'${content}' is no content of a file (F or U).`]);
};

const endCode = [194, 194] as const;

export type MctReader = {
  /** Takes the next line of the file. Throws a FeedError when the file must be refused. */
  readonly take: (line: TextLine) => void;
  /** What was read. Throws a FeedError when the file ended too early. */
  readonly finish: () => MctFile;
};

/** Until November 2022 the last record had type 3, which lists of partners have since; they name their carrier where it is blank. */
const isTrailer = (record: string): boolean =>
  record.startsWith('4') || (record.startsWith('3') && /^ *E$/.test(record.slice(1, CONTENT_LENGTH)));

const classifyRecord = ({ suppression, arrival, departure }: MctRecord): string => {
  if (suppression === 'Y') return 'suppression';
  const hasCarrier = [arrival, departure].some(({ carrier, operator }) => carrier !== '' || operator !== '');
  return hasCarrier ? 'carrier exception' : 'station standard';
};

const conflictMessages: Readonly<Record<RecordConflict['kind'], string>> = {
  duplicate: 'is about the same connections on the same dates',
  'overlapping-dates': 'is about the same connections on some of its dates',
  'overlapping-flights': 'is about some of the same flights, and neither flight range lies within the other',
};

const rejectConflict = (conflict: RecordConflict): never => {
  const { line } = conflict.with;
  throw new FeedError(`The record of line ${line} ${conflictMessages[conflict.kind]}; the earlier one is kept.`, {
    bytes: [1, CONTENT_LENGTH],
    value: `line ${line}`,
    reason: conflict.kind,
  });
};

/** Sorts the lines of a file of minimum connecting times into records and lists of partners. A record that cannot be taken is quarantined. */
export const newMctReader = (report: LoadReport): MctReader => {
  const records: MctRecord[] = [];
  const lists = newPartnerLists(report);
  const serials = watchSerials(report, { canRestart: false, reference: [195, 200] });
  const conflictOf = newConflictFinder();
  let lines = 0;
  let isNumbered: boolean | undefined;
  let endedAt: number | undefined;

  const quarantine = (line: number, error: FeedError): void => {
    const { bytes, value = '', reason, message } = error;
    report.entries.push({
      severity: 'quarantined',
      line,
      ...(bytes === undefined ? {} : { bytes }),
      ...(error instanceof RecordError ? { field: error.field } : {}),
      value,
      reason,
      message,
    });
  };

  const takeHeader = (line: TextLine): void => {
    const record = parseRecordLine(line, false);
    assertHeader(record, line.number);
    isNumbered = record.slice(CONTENT_LENGTH).trim() !== '';
    serials.see(record, line.number);
    countAccepted(report, 'header');
  };

  const takeMct = (record: string, line: number): void => {
    const found = parseMctRecord(record, line);
    const conflict = conflictOf(found);
    if (conflict !== undefined) rejectConflict(conflict);
    records.push(found);
    countAccepted(report, classifyRecord(found));
  };

  const takeTrailer = (record: string, line: number): void => {
    const code = record.slice(endCode[0] - 1, endCode[1]);
    if (code !== 'E')
      throw new FeedError(`'${code}' is no end code of a trailer (E).`, {
        bytes: endCode,
        value: code,
        reason: 'bad-trailer',
      });
    endedAt = line;
    countAccepted(report, 'trailer');
  };

  const takeRecord = (record: string, line: number): void => {
    if (isTrailer(record)) {
      // The trailer has no serial number of its own.
      serials.seeTrailer(record, line);
      takeTrailer(record, line);
      return;
    }
    serials.see(record, line);
    const type = record.slice(0, 1);
    if (type === '2') takeMct(record, line);
    else if (type === '3') lists.take(record, line);
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
    if (endedAt !== undefined)
      throw new FeedError(`A record follows the trailer of line ${endedAt}.`, {
        line: number,
        bytes: [1, 1],
        value: text.slice(0, 14),
        reason: 'record-after-end',
      });
    const isUnnumberedTrailer = isNumbered === false && text.length === CONTENT_LENGTH && text.endsWith('E');
    if (!terminated && text.length < RECORD_LENGTH && !isUnnumberedTrailer)
      throw new FeedError('The file ends within a record.', {
        line: number,
        bytes: [text.length + 1, RECORD_LENGTH],
        value: text.slice(0, 14),
        reason: 'cut-record',
      });
    if (lines === 1) return takeHeader(line);
    let record: string | undefined;
    try {
      record = parseRecordLine(line, isNumbered === true);
      takeRecord(record, number);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      if (record === undefined) {
        serials.skip();
        lists.miss(text);
      }
      quarantine(number, error);
    }
  };

  const finish = (): MctFile => {
    if (lines === 0) throw new FeedError('There is nothing in the file.', { reason: 'empty-file' });
    if (endedAt === undefined)
      throw new FeedError('The file has no trailer (type 4 with E): it is not complete.', { reason: 'no-end-record' });
    const partners = lists.finish();
    if (records.length === 0 && partners.length === 0) {
      // What is wrong with one is mostly wrong with all, and a refusal tells nothing else.
      const first = report.entries.find(({ severity }) => severity === 'quarantined');
      const why = first === undefined ? '' : ` Of the first: ${first.message}`;
      throw new FeedError(`The file holds no record that can be read.${why}`, { ...first, reason: 'no-records' });
    }
    return { records, partners };
  };

  return { take, finish };
};
