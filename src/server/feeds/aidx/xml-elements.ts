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

/** What documents of a format may be. */
export type XmlFormat = {
  /** The namespace of its elements; '' for none. */
  readonly namespace: string;
  /** Encodings that a document may declare, in lower case; UTF-8 by default. */
  readonly encodings?: readonly string[];
  /** The level of the parts: 1 for the children of the root (default), 2 for theirs. The elements above are reported as roots. */
  readonly partLevel?: number;
  /** Whether a SOAP envelope is opened: the root is then the element in its body. */
  readonly hasEnvelope?: boolean;
};

/** The namespaces of SOAP 1.1 and 1.2. */
const soapNamespaces = ['http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope'];

const utf8Names = ['utf-8', 'utf8', 'us-ascii'];

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
  readonly #partLevel: number;
  readonly #hasEnvelope: boolean;
  /** The open elements of a SOAP envelope: 1 in the envelope, 2 in its body. */
  #wrappers = 0;
  #hasRoot = false;
  #namespace: string | undefined;
  #parts: XmlPart[] = [];
  #attributes = 0;
  #elements = 0;
  #foreignDepth = 0;
  #reportedAt = 0;

  constructor({ namespace, encodings = utf8Names, partLevel = 1, hasEnvelope = false }: XmlFormat) {
    this.#expectedNamespace = namespace;
    this.#partLevel = partLevel;
    this.#hasEnvelope = hasEnvelope;
    const parser = this.#parser;
    const reported = (): void => void (this.#reportedAt = parser.position);
    parser.on('error', (error) => this.reject(error.message.replace(/^[^ ]*?\d+:\d+: /, '').replace(/\.$/, '')));
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!encodings.includes(encoding.toLowerCase()))
        this.reject(
          `the encoding must be ${encodings === utf8Names ? 'UTF-8' : encodings.join(' or ')}, not '${encoding.slice(0, 40)}'`,
        );
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
    if (!this.#hasRoot) this.reject('the SOAP envelope contains no message');
  }

  /** Opens the elements of a SOAP envelope, and skips its header. Returns whether the element is one of these. */
  #openWrapper({ local, uri }: SaxesTagNS): boolean {
    const isOutside = this.#open.length === 0 && this.#foreignDepth === 0;
    if (!this.#hasEnvelope || !isOutside) return false;
    const isSoap = soapNamespaces.includes(uri);
    if (this.#wrappers === 2 && this.#hasRoot) this.reject('the body of the SOAP envelope has a limit of one message');
    if (this.#wrappers === 1 && !(isSoap && local === 'Body')) {
      this.#foreignDepth += 1;
      return true;
    }
    const isWrapper = this.#wrappers === 1 || (this.#wrappers === 0 && isSoap && local === 'Envelope');
    if (isWrapper) this.#wrappers += 1;
    return isWrapper;
  }

  #checkLength(text: string, what: string): void {
    if (text.length > MAX_CHARACTERS)
      this.reject(
        `the limit of a text or an attribute is ${MAX_CHARACTERS} characters; this ${what} has ${text.length}`,
      );
  }

  #openTag(tag: SaxesTagNS): void {
    const { name, local, uri, attributes } = tag;
    this.#reportedAt = this.#parser.position;
    if (this.#openWrapper(tag)) return;
    if (this.#foreignDepth === 0) this.#namespace ??= uri;
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
    if (this.#open.length < this.#partLevel) this.#parts.push({ isRoot: true, element });
    this.#hasRoot = true;
    this.#open.push(element);
  }

  #addText(text: string): void {
    this.#reportedAt = this.#parser.position;
    const element = this.#open.at(-1);
    // The text of a root is the space between its children.
    if (!element || this.#open.length <= this.#partLevel || this.#foreignDepth > 0)
      return this.#checkLength(text, 'text');
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
    if (!element) this.#wrappers -= 1;
    if (!element) return;
    const closed: XmlElement = { ...element, text: element.text.trim() };
    if (this.#open.length > this.#partLevel) this.#open.at(-1)?.children.push(closed);
    if (this.#open.length !== this.#partLevel) return;
    this.#elements = 0;
    this.#parts.push({ isRoot: false, element: closed });
  }
}

/** Decodes bytes; of invalid ones, `invalid` is true, and the text ends before them. */
const decode = (decoder: TextDecoder, bytes: Uint8Array): { readonly text: string; readonly invalid: boolean } => {
  try {
    return { text: decoder.decode(bytes, { stream: true }), invalid: false };
  } catch {
    const [text = ''] = new TextDecoder().decode(bytes).split('\u{FFFD}');
    return { text, invalid: true };
  }
};

/** Enough for an XML declaration. */
const DECLARATION_BYTES = 200;

/** Returns the encoding that the first bytes of a document declare, if the format has it, or UTF-8. */
const findEncoding = (bytes: Uint8Array, { encodings = utf8Names }: XmlFormat): string => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]?.toLowerCase();
  // ASCII is a part of UTF-8; the runtime would read it as windows-1252.
  return declared !== undefined && encodings.includes(declared) && !utf8Names.includes(declared) ? declared : 'utf-8';
};

/**
 * Reads the root of an XML document, and each of its children as soon as it ends. Document types, and with them all entities but the five of XML, are
 * rejected. Throws FeedError with line and column for a document that is not well-formed, or exceeds a limit of depth or length. The encoding is that
 * of the first chunk, if it holds the whole declaration.
 */
export async function* readXmlParts(bytes: AsyncIterable<Uint8Array>, format: XmlFormat): AsyncGenerator<XmlPart> {
  const reader = new PartReader(format);
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(findEncoding(chunk, format), { fatal: true });
    const { text, invalid } = decode(decoder, chunk);
    for (let from = 0; from < text.length; from += SLICE) yield* reader.read(text.slice(from, from + SLICE));
    if (invalid) reader.reject(`the document is not ${decoder.encoding.toUpperCase()}`);
  }
  reader.end();
}
