import type { LoadReport } from '../load-report.ts';

const serialColumns = [195, 200] as const;

export type SerialNumberOptions = {
  /** Whether carrier records may begin to count anew. */
  readonly canRestart: boolean;
  /** Where the last record repeats the serial number of the one before it. */
  readonly reference: readonly [number, number];
};

const chapter7: SerialNumberOptions = { canRestart: true, reference: [188, 193] };

const lastSerial = 999_999;

/** After 999999 comes 000002: 000001 stays the header's. */
const nextSerial = (serial: number): number => (serial === lastSerial ? 2 : serial + 1);

export type SerialCheck = {
  /** Looks at the serial of a record that could be sliced; `line` is where it stands. */
  readonly see: (record: string, line: number) => void;
  /** Counts a record whose serial cannot be read. */
  readonly skip: () => void;
  /** Holds the check reference of the last record against the record before it; to be called before `see`. */
  readonly seeTrailer: (record: string, line: number) => void;
};

/**
 * Watches that no record is lost: serial numbers rise by one from the header's 000001. A gap is a notice and no reason to refuse the file,
 * since senders number in their own ways; numbering that starts anew at a carrier record is told apart from a gap.
 */
export const watchSerials = (report: LoadReport, { canRestart: restarts, reference } = chapter7): SerialCheck => {
  let previous = 0;
  let missingSaid = false;
  const note = (
    line: number,
    bytes: readonly [number, number],
    [value, reason, message]: readonly [string, string, string],
  ): void => {
    report.entries.push({ severity: 'notice', line, bytes, value, reason, message });
  };
  const see = (record: string, line: number): void => {
    const text = record.slice(194, 200);
    const expected = nextSerial(previous);
    if (text === '      ') {
      if (!missingSaid)
        note(line, serialColumns, [
          text,
          'no-serial',
          'The record has no serial number; further ones without are not mentioned.',
        ]);
      missingSaid = true;
      previous = expected;
      return;
    }
    if (!/^ *\d+$/.test(text)) {
      note(line, serialColumns, [text, 'bad-serial', 'The serial number is no number.']);
      previous = expected;
      return;
    }
    const serial = Number(text);
    if (serial !== expected) {
      if (restarts && record.startsWith('2') && serial === 2)
        note(line, serialColumns, [text, 'serial-restart', 'The serial numbers start anew with this carrier.']);
      else
        note(line, serialColumns, [
          text,
          'serial-gap',
          `The serial number should be ${String(expected).padStart(6, '0')}.`,
        ]);
    }
    previous = serial;
  };
  return {
    see,
    skip: () => {
      previous = nextSerial(previous);
    },
    seeTrailer: (record, line) => {
      const text = record.slice(reference[0] - 1, reference[1]);
      if (text.trim() !== '' && Number(text) === previous) return;
      note(line, reference, [
        text,
        'trailer-reference',
        `The check reference should be ${String(previous).padStart(6, '0')}, the serial number of the record before.`,
      ]);
    },
  };
};
