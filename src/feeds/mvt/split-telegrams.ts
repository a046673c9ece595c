import { readLineBatches } from '../text/lines.ts';

/** A line of a telegram: its number in the file, from 1, and its text in upper case with single blanks. */
export type TelegramLine = { readonly number: number; readonly text: string };

/** One telegram as it stands in the file; at least one of the two parts has a line. */
export type Telegram = {
  /** Addresses, origin, and whatever else stands above the identifier. */
  readonly header: readonly TelegramLine[];
  /** From the identifier line (`MVT`, `MVA`, `DIV`) on; empty when there is none. */
  readonly body: readonly TelegramLine[];
  /** True when there were more lines than a telegram can have, or longer ones; what is too much is not kept. */
  readonly isCut: boolean;
};

/** Telegrams have some 60 lines of up to 69 characters; a file of something else must not fill the memory. */
const [mostLines, longestLine] = [100, 1000];

/** Start of heading, start and end of text: the frame of a telegram on a teletype line. */
const [heading, text, textEnd] = ['\u0001', '\u0002', '\u0003'];

/** UTF-8's byte order mark, read a character a byte. */
const byteOrderMark = '\u00EF\u00BB\u00BF';

const identifier = /^(?:(?:COR|PDM) )*(?:MVT|MVA|DIV)$/;
const priority = /^Q[A-Z](?: [A-Z0-9]{7})+$/;
const origin = /^\.[A-Z0-9]{7}(?: |$)/;

const normalizeLine = (raw: string): string => raw.split(text).join(' ').replaceAll(/\s+/g, ' ').trim().toUpperCase();

type Collector = {
  /** Takes a piece of a line that no frame character divides. */
  readonly take: (number: number, piece: string) => void;
  /** Closes the telegram that is being collected. */
  readonly end: () => void;
  /** The telegrams that are complete, each handed out once. */
  readonly complete: () => readonly Telegram[];
};

const newCollector = (): Collector => {
  let [header, body, done]: [TelegramLine[], TelegramLine[], Telegram[]] = [[], [], []];
  let [isCut, isHeaderClosed] = [false, false];

  const end = (): void => {
    if (header.length + body.length > 0) done.push({ header, body, isCut });
    [header, body, isCut, isHeaderClosed] = [[], [], false, false];
  };
  const hasOrigin = (): boolean => header.some((line) => origin.test(line.text));

  /** A blank line ends a telegram, but some systems leave one between the header and the text. */
  const takeBlank = (): void => {
    if (body.length > 0 || !header.some((line) => origin.test(line.text) || priority.test(line.text))) return end();
    isHeaderClosed = true;
  };
  /** Whether a line cannot belong to what was collected so far. */
  const beginsAnother = (line: string): boolean => {
    const isIdentifier = identifier.test(line);
    if (body.length > 0 || isCut) return isIdentifier || line === 'COR' || priority.test(line) || origin.test(line);
    return (
      (isHeaderClosed && !isIdentifier && line !== 'COR' && line !== 'PDM') || (priority.test(line) && hasOrigin())
    );
  };

  const take = (number: number, piece: string): void => {
    const tidied = normalizeLine(piece.slice(0, longestLine));
    if (tidied === '') return takeBlank();
    if (tidied === 'NNNN' || /^ZCZC(?: |$)/.test(tidied)) return end();
    if (beginsAnother(tidied)) end();
    const line = tidied.replace(/[ =]*=$/, '');
    const part = body.length > 0 || identifier.test(line) ? body : header;
    isCut ||= piece.length > longestLine || header.length + body.length >= mostLines;
    if (header.length + body.length < mostLines && line !== '') part.push({ number, text: line });
    if (tidied.endsWith('=')) end();
  };
  const complete = (): readonly Telegram[] => {
    const telegrams = done;
    done = [];
    return telegrams;
  };
  return { take, end, complete };
};

/**
 * The telegrams of a file or stream. One ends with a blank line, with `=` at the end of a line, with `NNNN`, or where the next one begins:
 * at its address line, its origin line or its identifier. Lines end with LF or CRLF.
 */
export async function* splitTelegrams(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Telegram> {
  const collector = newCollector();
  for await (const batch of readLineBatches(bytes)) {
    for (const { number, text: raw } of batch) {
      const line = number === 1 && raw.startsWith(byteOrderMark) ? raw.slice(byteOrderMark.length) : raw;
      for (const [index, piece] of line.split(heading).join(textEnd).split(textEnd).entries()) {
        if (index > 0) collector.end();
        collector.take(number, piece);
      }
      yield* collector.complete();
    }
  }
  collector.end();
  yield* collector.complete();
}
