import type { LoadReport } from '../load-report.ts';
import { readText, type Columns } from '../text/fixed-width.ts';

const serialColumns: Columns = [195, 200];

type SerialNumberOptions = {
  /** Whether numbering may restart at a carrier record. */
  readonly canRestart: boolean;
  /** Columns in which the trailer repeats the serial number of the record before it. */
  readonly trailerColumns: Columns;
};

const chapter7: SerialNumberOptions = { canRestart: true, trailerColumns: [188, 193] };

const LAST_SERIAL = 999_999;

/** 999999 is followed by 000002, because 000001 is reserved for the header. */
const nextSerial = (serial: number): number => (serial === LAST_SERIAL ? 2 : serial + 1);

const formatSerial = (serial: number): string => String(serial).padStart(6, '0');

/**
 * Detects lost records by their serial numbers, which rise by one from the header's 000001. A gap is only a notice, since senders
 * number in different ways. A restart at a carrier record is not a gap.
 */
export class SerialNumberCheck {
  readonly #report: LoadReport;
  readonly #options: SerialNumberOptions;
  #previous = 0;
  #isMissingReported = false;

  constructor(report: LoadReport, options: SerialNumberOptions = chapter7) {
    this.#report = report;
    this.#options = options;
  }

  /** Checks the serial number of a record; `line` is its line in the file. */
  check(record: string, line: number): void {
    const text = record.slice(194, 200);
    const expected = nextSerial(this.#previous);
    if (text === '      ') {
      const message = 'The record has no serial number; further records without one are not reported.';
      if (!this.#isMissingReported) this.#addNotice(line, serialColumns, [text, 'no-serial', message]);
      this.#isMissingReported = true;
      this.#previous = expected;
      return;
    }
    if (!/^ *\d+$/.test(text)) {
      this.#addNotice(line, serialColumns, [text, 'bad-serial', 'The record serial number is not a number.']);
      this.#previous = expected;
      return;
    }
    const serial = Number(text);
    if (serial !== expected) {
      if (this.#options.canRestart && record.startsWith('2') && serial === 2)
        this.#addNotice(line, serialColumns, [
          text,
          'serial-restart',
          'Record serial numbers restart at this carrier.',
        ]);
      else
        this.#addNotice(line, serialColumns, [
          text,
          'serial-gap',
          `The record serial number should be ${formatSerial(expected)}.`,
        ]);
    }
    this.#previous = serial;
  }

  /** Counts a record whose serial number cannot be read. */
  skip(): void {
    this.#previous = nextSerial(this.#previous);
  }

  /** Compares the check reference of the trailer with the record before it; call it before `check`. */
  checkTrailer(record: string, line: number): void {
    const { trailerColumns } = this.#options;
    const text = readText(record, trailerColumns);
    if (text.trim() !== '' && Number(text) === this.#previous) return;
    const message = `The check reference should be ${formatSerial(this.#previous)}, the serial number of the previous record.`;
    this.#addNotice(line, trailerColumns, [text, 'trailer-reference', message]);
  }

  #addNotice(
    line: number,
    bytes: Columns,
    [value, reason, message]: readonly [value: string, reason: string, message: string],
  ): void {
    this.#report.entries.push({ severity: 'notice', line, bytes, value, reason, message });
  }
}
