import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FeedError } from '../feed-error.ts';

/** An element with its content. Names of other namespaces have the prefix of the document. */
export type XmlElement = {
  readonly name: string;
  /** By name, with prefix; declarations of namespaces are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Without the children of elements of other namespaces, which are only counted. */
  readonly children: readonly XmlElement[];
  /** Trimmed; '' when there is none. */
  readonly text: string;
  /** Whether `xsi:nil` states that there is no value. */
  readonly isNil: boolean;
  /** Whether the element is of another namespace than the expected one, or than the root. */
  readonly isForeign: boolean;
  /** Of the start tag, 1-based. */
  readonly line: number;
};

/** The root, whose children follow, or a child of the root with its content. */
export type XmlPart = { readonly isRoot: boolean; readonly element: XmlElement };

/** Limits of a document, far above real messages: the largest known leg has 300 elements in 7 levels. */
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 64;
const MAX_ELEMENTS = 10_000;
/** Of a text or an attribute. */
const MAX_CHARACTERS = 8192;
/** Characters that the parser may keep before it reports something, such as a comment. */
const MAX_UNREPORTED = 65_536;
/** Characters parsed at once: the limits are checked in between. */
const SLICE = 16_384;

const INSTANCE_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance';

type OpenElement = Omit<XmlElement, 'text' | 'children'> & { readonly children: XmlElement[]; text: string };

/** Throws the error of a document that cannot be read, which names line and column. */
const rejectAt = ({ line, column }: { readonly line: number; readonly column: number }, message: string): never => {
  throw new FeedError(`column ${Math.max(column, 1)}: ${message}.`, { line, reason: 'bad-xml' });
};

/** Reads the children of the root of one document, each when it ends. Throws FeedError where the document is invalid or exceeds a limit. */
class PartReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #open: OpenElement[] = [];
  readonly #expectedNamespace: string;
  #namespace: string | undefined;
  #parts: XmlPart[] = [];
  #attributes = 0;
  #elements = 0;
  #foreignDepth = 0;
  #reportedAt = 0;

  constructor(namespace: string) {
    this.#expectedNamespace = namespace;
    const parser = this.#parser;
    const reported = (): void => void (this.#reportedAt = parser.position);
    parser.on('error', (error) => this.reject(error.message.replace(/^[^ ]*?\d+:\d+: /, '').replace(/\.$/, '')));
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!/^(utf-?8|us-ascii)$/i.test(encoding))
        this.reject(`the encoding must be UTF-8, not '${encoding.slice(0, 40)}'`);
    });
    parser.on('doctype', () => this.reject('a document type declaration is not allowed'));
    parser.on('comment', reported);
    parser.on('processinginstruction', reported);
    parser.on('opentagstart', () => {
      this.#attributes = 0;
      reported();
    });
    parser.on('attribute', ({ value }) => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES) this.reject(`an element has a limit of ${MAX_ATTRIBUTES} attributes`);
      this.#checkLength(value, 'attribute');
      reported();
    });
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('closetag', () => this.#closeTag());
  }

  /** Throws the error at the current position. */
  reject(message: string): never {
    return rejectAt(this.#parser, message);
  }

  /** Parses the next characters, and returns what ended in them. */
  read(text: string): readonly XmlPart[] {
    this.#parts = [];
    this.#parser.write(text);
    if (this.#parser.position - this.#reportedAt > MAX_UNREPORTED)
      this.reject(`a part of the document exceeds the limit of ${MAX_UNREPORTED} characters`);
    return this.#parts;
  }

  end(): void {
    this.#parser.close();
  }

  #checkLength(text: string, what: string): void {
    if (text.length > MAX_CHARACTERS)
      this.reject(
        `the limit of a text or an attribute is ${MAX_CHARACTERS} characters; this ${what} has ${text.length}`,
      );
  }

  #openTag({ name, local, uri, attributes }: SaxesTagNS): void {
    this.#reportedAt = this.#parser.position;
    this.#namespace ??= uri;
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) this.reject(`a part of the message has a limit of ${MAX_ELEMENTS} elements`);
    if (this.#open.length + this.#foreignDepth >= MAX_DEPTH)
      this.reject(`elements have a limit of ${MAX_DEPTH} levels`);
    // Some senders leave the namespace out.
    const isForeign = uri !== this.#namespace || (uri !== '' && uri !== this.#expectedNamespace);
    if (this.#foreignDepth > 0 || (isForeign && this.#open.at(-1)?.isForeign === true)) {
      this.#foreignDepth += 1;
      return;
    }
    const listed = Object.values(attributes).filter((one) => one.prefix !== 'xmlns' && one.name !== 'xmlns');
    const nil = listed.find((one) => one.uri === INSTANCE_NAMESPACE && one.local === 'nil')?.value.trim();
    const element = {
      name: isForeign ? name : local,
      attributes: new Map(listed.filter((one) => one.uri !== INSTANCE_NAMESPACE).map((one) => [one.name, one.value])),
      children: [],
      text: '',
      isNil: nil === 'true' || nil === '1',
      isForeign,
      line: this.#parser.line,
    };
    if (this.#open.length === 0) this.#parts.push({ isRoot: true, element });
    this.#open.push(element);
  }

  #addText(text: string): void {
    this.#reportedAt = this.#parser.position;
    const element = this.#open.at(-1);
    // The text of the root is the space between its children.
    if (!element || this.#open.length === 1 || this.#foreignDepth > 0) return this.#checkLength(text, 'text');
    element.text += text;
    this.#checkLength(element.text, 'text');
  }

  #closeTag(): void {
    this.#reportedAt = this.#parser.position;
    if (this.#foreignDepth > 0) {
      this.#foreignDepth -= 1;
      return;
    }
    const element = this.#open.pop();
    if (!element) return;
    const closed: XmlElement = { ...element, text: element.text.trim() };
    if (this.#open.length > 1) this.#open.at(-1)?.children.push(closed);
    if (this.#open.length !== 1) return;
    this.#elements = 0;
    this.#parts.push({ isRoot: false, element: closed });
  }
}

/** Decodes UTF-8; of invalid bytes, `invalid` is true, and the text ends before them. */
const decode = (decoder: TextDecoder, bytes: Uint8Array): { readonly text: string; readonly invalid: boolean } => {
  try {
    return { text: decoder.decode(bytes, { stream: true }), invalid: false };
  } catch {
    const [text = ''] = new TextDecoder().decode(bytes).split('\u{FFFD}');
    return { text, invalid: true };
  }
};

/**
 * Reads the root of an XML document in UTF-8, and each of its children as soon as it ends. Document types, and with them all entities but the five
 * of XML, are rejected. Throws FeedError with line and column for a document that is not well-formed, or exceeds a limit of depth or length.
 */
export async function* readXmlParts(bytes: AsyncIterable<Uint8Array>, namespace: string): AsyncGenerator<XmlPart> {
  const reader = new PartReader(namespace);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) {
    const { text, invalid } = decode(decoder, chunk);
    for (let from = 0; from < text.length; from += SLICE) yield* reader.read(text.slice(from, from + SLICE));
    if (invalid) reader.reject('the document is not UTF-8');
  }
  reader.end();
}
