import { readLineBatches } from './lines.ts';
import { findTelegramType } from './telegram-types.ts';
import { findTerminalSection, type TerminalSection } from './terminal-sections.ts';

/** A line of a telegram: its number in the file, from 1, and its text in upper case with single blanks. */
export type TelegramLine = { readonly number: number; readonly text: string };

/** One telegram; its header, its body or both have lines. */
export type Telegram = {
  /** Addresses, origin, and all other lines above the identifier. */
  readonly header: readonly TelegramLine[];
  /** From the identifier line on; empty when there is none. */
  readonly body: readonly TelegramLine[];
  /** True when the telegram has too many or too long lines; the rest is dropped. */
  readonly isCut: boolean;
};

/** A kind of telegram: the line that starts its body, and the most lines of one; a file of something else must not fill the memory. */
export type TelegramSyntax = { readonly identifier: RegExp; readonly maxLines: number };

/** Lines have up to 69 characters. */
const MAX_LINE_LENGTH = 1000;

/** Start of heading, start and end of text: the framing characters of teletype lines. */
const [heading, text, textEnd] = ['\u0001', '\u0002', '\u0003'];

/** The byte order mark of UTF-8, decoded as latin1. */
const byteOrderMark = '\u00EF\u00BB\u00BF';

const priority = /^Q[A-Z](?: [A-Z0-9]{7})+$/;
const origin = /^\.[A-Z0-9]{7}(?: |$)/;

/** Control characters become visible signs: a database stores no NUL, and a terminal must not obey the sender. */
const showControl = (character: string): string =>
  character < ' ' ? String.fromCharCode(0x24_00 + character.charCodeAt(0)) : '\uFFFD';

const normalizeLine = (raw: string): string =>
  raw
    .split(text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toUpperCase()
    .replaceAll(/\p{Cc}/gu, showControl);

/** Collects the lines of telegrams one by one. */
class TelegramCollector {
  readonly #syntax: TelegramSyntax;
  #header: TelegramLine[] = [];
  #body: TelegramLine[] = [];
  #isCut = false;
  #isHeaderClosed = false;
  /** The section of a terminal file; undefined outside of one. */
  #section: TerminalSection | undefined;
  #complete: Telegram[] = [];

  constructor(syntax: TelegramSyntax) {
    this.#syntax = syntax;
  }

  /** Adds a line, or a part of one between two framing characters. */
  add(number: number, piece: string): void {
    const normalized = normalizeLine(piece.slice(0, MAX_LINE_LENGTH));
    if (normalized === '') return this.#addBlank();
    if (normalized === 'NNNN' || /^ZCZC(?: |$)/.test(normalized)) return this.end();
    const next = findTerminalSection(normalized);
    if (next) {
      if (next.isFirst) this.end();
      this.#section = next.section;
      return undefined;
    }
    if (this.#addToSection({ number, text: normalized })) return undefined;
    if (this.#isStartOfNext(normalized)) this.end();
    const text = normalized.replace(/[ =]*=$/, '');
    const part = this.#body.length > 0 || this.#syntax.identifier.test(text) ? this.#body : this.#header;
    this.#isCut ||= piece.length > MAX_LINE_LENGTH || this.#lineCount >= this.#syntax.maxLines;
    if (this.#lineCount < this.#syntax.maxLines && text !== '') part.push({ number, text });
    if (normalized.endsWith('=')) this.end();
  }

  /** Completes the telegram that is being collected. */
  end(): void {
    if (this.#lineCount > 0) this.#complete.push({ header: this.#header, body: this.#body, isCut: this.#isCut });
    this.#header = [];
    this.#body = [];
    this.#isCut = false;
    this.#isHeaderClosed = false;
    this.#section = undefined;
  }

  /** Adds a line of a terminal file, in the form of other telegrams; returns false for a line of the text. */
  #addToSection(line: TelegramLine): boolean {
    const { number, text } = line;
    switch (this.#section) {
      case 'header':
        this.#header.push(line);
        return true;
      case 'origin':
        this.#header.push({ number, text: `.${text}` });
        return true;
      case 'msgid':
        this.#addOriginTime(line);
        return true;
      case 'smi':
        // Some files have no further section.
        this.#section = 'text';
        (this.#syntax.identifier.test(text) ? this.#body : this.#header).push(line);
        return true;
      case 'text':
        return this.#addStartOfText(line);
      default:
        return false;
    }
  }

  #addOriginTime({ number, text }: TelegramLine): void {
    const last = this.#header.findLastIndex((line) => origin.test(line.text));
    const address = this.#header[last];
    if (address) this.#header[last] = { ...address, text: `${address.text} ${text}` };
    else this.#header.push({ number, text });
  }

  /** The text can repeat the addresses and the identifier. */
  #addStartOfText(line: TelegramLine): boolean {
    if (this.#body.length !== 1) return false;
    const { text } = line;
    if (priority.test(text) || origin.test(text)) this.#header.push(line);
    return text === this.#body[0]?.text || priority.test(text) || origin.test(text);
  }

  /** Returns the complete telegrams and removes them. */
  take(): readonly Telegram[] {
    const telegrams = this.#complete;
    this.#complete = [];
    return telegrams;
  }

  get #lineCount(): number {
    return this.#header.length + this.#body.length;
  }

  /** A blank line ends a telegram, but some systems insert one between the header and the body. */
  #addBlank(): void {
    // Terminal files have blank lines between and in their sections.
    if (this.#section !== undefined) return undefined;
    const hasAddress = this.#header.some(({ text }) => origin.test(text) || priority.test(text));
    if (this.#body.length > 0 || !hasAddress) return this.end();
    this.#isHeaderClosed = true;
  }

  /** Whether a line cannot belong to the telegram that is being collected. */
  #isStartOfNext(line: string): boolean {
    const isIdentifier = this.#syntax.identifier.test(line);
    const type = findTelegramType({ text: line });
    if (this.#body.length > 0 || this.#isCut)
      return isIdentifier || type !== undefined || line === 'COR' || priority.test(line) || origin.test(line);
    // A telegram of another type ends where the next one begins.
    if (type !== undefined && this.#header.some((above) => findTelegramType(above) !== undefined)) return true;
    return (
      (this.#isHeaderClosed && !isIdentifier && line !== 'COR' && line !== 'PDM') ||
      (priority.test(line) && this.#header.some(({ text }) => origin.test(text)))
    );
  }
}

/**
 * Splits a file or stream into telegrams. A telegram ends with a blank line, with `=` at the end of a line, with `NNNN`, or at the
 * address line, origin line or identifier of the next one. Lines end with LF or CRLF.
 */
export async function* splitTelegrams(
  bytes: AsyncIterable<Uint8Array>,
  syntax: TelegramSyntax,
): AsyncGenerator<Telegram> {
  const collector = new TelegramCollector(syntax);
  for await (const batch of readLineBatches(bytes)) {
    for (const { number, text: raw } of batch) {
      const line = number === 1 && raw.startsWith(byteOrderMark) ? raw.slice(byteOrderMark.length) : raw;
      for (const [index, piece] of line.split(heading).join(textEnd).split(textEnd).entries()) {
        if (index > 0) collector.end();
        collector.add(number, piece);
      }
      yield* collector.take();
    }
  }
  collector.end();
  yield* collector.take();
}
