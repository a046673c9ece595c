import { expect, test } from 'vitest';
import { FeedError } from '#feeds/feed-error.ts';
import { readXmlParts } from '#feeds/aidx/xml-elements.ts';
import { buildDocument, buildLeg, describeRemarks, readDocument } from './aidx-documents.ts';

const laughs = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join(
  '',
);
const document = buildDocument(`\n${buildLeg('')}`);

/** Returns line and message of the error that rejects a document. */
const describeRejection = async (text: string | Buffer): Promise<unknown> => {
  const error: unknown = await readDocument(text).catch((reason: unknown) => reason);
  return error instanceof FeedError ? `line ${error.line}, ${error.message}` : error;
};

/** A root without content. */
const R = 'IATA_AIDX_FlightLegRS';

test.each([
  [
    'an external entity',
    `<!DOCTYPE ${R} [<!ENTITY x SYSTEM "file:///etc/passwd">]><${R}>&x;</${R}>`,
    'line 1, column 74: a document type declaration is not allowed.',
  ],
  [
    'nested entities',
    `<!DOCTYPE ${R} [<!ENTITY l0 "ha">${laughs}]>\n<${R}>&l9;</${R}>`,
    'line 1, column 547: a document type declaration is not allowed.',
  ],
  [
    'an external document type',
    `<!DOCTYPE ${R} SYSTEM "http://example.test/a.dtd"><${R}/>`,
    'line 1, column 67: a document type declaration is not allowed.',
  ],
  ['an undeclared entity', document.replace('LHR', '&lhr;'), 'line 3, column 39: undefined entity.'],
  ['a reference to NUL', document.replace('LHR', '&#0;'), 'line 3, column 38: malformed character entity.'],
  ['a reference to ESC', document.replace('LHR', '&#27;'), 'line 3, column 39: malformed character entity.'],
  ['a reference to half a pair', document.replace('LHR', '&#xd800;'), 'line 3, column 42: malformed character entity.'],
  [
    'a reference beyond Unicode',
    document.replace('LHR', '&#x110000;'),
    'line 3, column 44: malformed character entity.',
  ],
  ['deep nesting', `<${R}>${'<b>'.repeat(1_000_000)}`, 'line 1, column 119: elements have a limit of 32 levels.'],
  [
    'deep nesting in another namespace',
    `<${R} xmlns:x="y">${'<x:b>'.repeat(100)}`,
    'line 1, column 195: elements have a limit of 32 levels.',
  ],
  [
    'a long attribute',
    `<${R} b="${'c'.repeat(9000)}"/>`,
    'line 1, column 9027: the limit of a text or an attribute is 8192 characters; this attribute has 9000.',
  ],
  [
    'many attributes',
    `<${R} ${Array.from({ length: 70 }, (_, index) => `b${index}="1"`).join(' ')}/>`,
    'line 1, column 532: an element has a limit of 64 attributes.',
  ],
  [
    'a long text',
    `<${R}><b>${'c'.repeat(9000)}</b></${R}>`,
    'line 1, column 9027: the limit of a text or an attribute is 8192 characters; this text has 9000.',
  ],
  [
    'a text in many pieces',
    `<${R}><b>${`${'c'.repeat(100)}<!-- -->`.repeat(90)}</b></${R}>`,
    'line 1, column 8875: the limit of a text or an attribute is 8192 characters; this text has 8200.',
  ],
  [
    'another encoding',
    document.replace('utf-8', 'ISO-8859-1'),
    "line 1, column 43: the encoding must be UTF-8, not 'ISO-8859-1'.",
  ],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from(`<${R}>\n<b>`), Buffer.from([0xe9]), Buffer.from(`</b></${R}>`)]),
    'line 2, column 3: the document is not UTF-8.',
  ],
  ['UTF-16', Buffer.from(`\u{FEFF}<${R}/>`, 'utf16le'), 'line 1, column 1: the document is not UTF-8.'],
  ['a truncated document', document.slice(0, -40), 'line 3, column 179: unclosed tag: FlightLeg.'],
  ['an empty document', '', 'line 1, column 1: document must contain a root element.'],
  ['text', 'hello', 'line 1, column 5: text data outside of root node.'],
  ['two documents', `<${R}/>\n<${R}/>`, 'line 2, column 23: documents may contain only one root.'],
  ['a tag that is closed twice', `<${R}></b></${R}>`, 'line 1, column 27: unexpected close tag.'],
])('%s is rejected with line and column', async (_, text, message) => {
  expect(await describeRejection(text)).toBe(message);
});

test.each([
  ['turns the direction of text', '&#x202e;', '\u202e'],
  ['controls a terminal', '&#x9b;', '\u009b'],
])('a leg with a reference to a character that %s is quarantined', async (_, reference, character) => {
  const gate = `<AirportResources Usage="Actual"><Resource DepartureOrArrival="Departure"><PassengerGate>A${reference}1</PassengerGate></Resource></AirportResources>`;
  expect(describeRemarks(await readDocument(buildDocument(buildLeg(gate))))).toEqual([
    `quarantined departure.gate A${character}1: departure.gate must be 0 to 40 printable characters, not 'A${character}1'.`,
  ]);
});

test.each([
  ['another root', '<a/>', 'the document must be IATA_AIDX_FlightLegNotifRQ or IATA_AIDX_FlightLegRS, not a.'],
  [
    'another namespace',
    '<IATA_AIDX_FlightLegRS xmlns="urn:other"/>',
    'the namespace of the document must be http://www.iata.org/IATA/2007/00.',
  ],
  [
    'a message for tests',
    buildDocument('', 'Version="22.1" Target="Test"'),
    "the document is for 'Test', not for Production.",
  ],
  [
    'a time without an offset',
    buildDocument('', 'Version="22.1" TimeStamp="2027-03-01T11:00:00"'),
    "TimeStamp must be a date and time with its offset from UTC, not '2027-03-01T11:00:00'.",
  ],
])('%s is rejected', async (_, text, message) => {
  expect(await describeRejection(text)).toBe(`line 1, ${message}`);
});

test.each([
  ['a comment', '<a><!--'],
  ['a text', '<a><b>'],
  ['a document type', '<!DOCTYPE a ['],
  ['an attribute', '<a b="'],
  ['a name', '<a'],
  ['CDATA', '<a><![CDATA['],
])('%s without an end is rejected before it fills the memory', async (_, start) => {
  let sent = 0;
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start);
    for (;;) {
      sent += 10_000;
      yield Buffer.alloc(10_000, 'x');
    }
  };
  const readAll = async (): Promise<void> => {
    for await (const part of readXmlParts(endless(), { namespace: '' })) void part;
  };
  await expect(readAll()).rejects.toThrow(FeedError);
  expect(sent).toBeLessThan(100_000);
});
