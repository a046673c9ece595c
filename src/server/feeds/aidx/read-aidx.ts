import { hash } from 'node:crypto';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import { checkStatusMessage, type StatusLineResult } from '../status/read-message.ts';
import { parseMessageInstant } from '../status/wire-values.ts';
import { ElementTally } from './element-uses.ts';
import { findChild, type LegRemarks, readLegFacts, readScheduledTimes, type StatedSchedule } from './leg-facts.ts';
import { readXmlParts, type XmlElement } from './xml-elements.ts';

/** A message or a remark, with the line of the document. */
export type AidxItem =
  | { readonly line: number; readonly message: StatusMessage; readonly remarks: readonly ReportEntry[] }
  | { readonly line: number; readonly entry: ReportEntry };

export type AidxOptions = {
  /** When the document was received: the time of a message that has none. */
  readonly receivedAt: UtcMillisecond;
  /** Whether the document is received once; a file can be read again later. */
  readonly isReceived?: boolean;
};

const roots = ['IATA_AIDX_FlightLegNotifRQ', 'IATA_AIDX_FlightLegRS'];
const NAMESPACE = 'http://www.iata.org/IATA/2007/00';
const supportedVersions = ['21.3', '22.1'];

/** What the root of a document states about all its legs. */
type Envelope = {
  readonly observedAt: string;
  /** The time of the document; without one, of the receipt. */
  readonly timedBy: 'document' | 'receipt';
  readonly isReceived: boolean;
};

const rejectRoot = (line: number, message: string): never => {
  throw new FeedError(`${message}.`, { line, reason: 'no-aidx' });
};

const readEnvelope = (
  { name, attributes, line, isForeign }: XmlElement,
  { receivedAt, isReceived = false }: AidxOptions,
): Envelope => {
  if (!roots.includes(name)) rejectRoot(line, `the document must be ${roots.join(' or ')}, not ${name.slice(0, 80)}`);
  if (isForeign) rejectRoot(line, `the namespace of the document must be ${NAMESPACE}`);
  const target = attributes.get('Target') ?? 'Production';
  if (target !== 'Production') rejectRoot(line, `the document is for '${target.slice(0, 40)}', not for Production`);
  const sentAt = attributes.get('TimeStamp');
  if (sentAt !== undefined && parseMessageInstant(sentAt) === undefined)
    rejectRoot(line, `TimeStamp must be a date and time with its offset from UTC, not '${sentAt.slice(0, 40)}'`);
  return {
    observedAt: sentAt ?? new Date(receivedAt).toISOString(),
    timedBy: sentAt === undefined ? 'receipt' : 'document',
    isReceived,
  };
};

const toNotice = (
  line: number,
  field: string,
  [value, reason, message]: readonly [string, string, string],
): ReportEntry => ({
  severity: 'notice',
  line,
  field,
  value: value.slice(0, 80),
  reason,
  message,
});

const listEnvelopeNotices = ({ attributes, line }: XmlElement): readonly ReportEntry[] => {
  const version = attributes.get('Version') ?? '';
  return [
    ...(supportedVersions.includes(version)
      ? []
      : [
          toNotice(line, '@Version', [
            version,
            'other-version',
            `the supported versions are ${supportedVersions.join(' and ')}`,
          ]),
        ]),
    ...(attributes.has('TimeStamp')
      ? []
      : [
          toNotice(line, '@TimeStamp', ['', 'no-timestamp', 'the time of receipt is used as the time of the messages']),
        ]),
  ];
};

const toQuarantined = (
  line: number,
  field: string,
  [value, reason, message]: readonly [string, string, string],
): AidxItem => ({
  line,
  entry: { severity: 'quarantined', line, field, value: value.slice(0, 80), reason, message },
});

/** Returns why a leg is not about a flight as the service knows flights; undefined when it is. */
const rejectLeg = (leg: XmlElement): AidxItem | undefined => {
  const identifier = findChild(leg, 'LegIdentifier');
  if (!identifier)
    return toQuarantined(leg.line, 'FlightLeg/LegIdentifier', [
      '',
      'no-identifier',
      'The leg has no LegIdentifier; flights of general aviation are not supported.',
    ]);
  const repeat = findChild(identifier, 'RepeatNumber');
  const path = 'FlightLeg/LegIdentifier/RepeatNumber';
  if (['false', '0'].includes(repeat?.attributes.get('CurrentInd') ?? ''))
    return toQuarantined(leg.line, path, [
      repeat?.text ?? '',
      'replaced-leg',
      'A later attempt to depart has replaced the leg.',
    ]);
  if (Number(repeat?.attributes.get('AirborneReturnNumber') ?? 0) > 0)
    return toQuarantined(leg.line, path, [
      repeat?.text ?? '',
      'airborne-return',
      'The leg follows a return from the air; send the return as a status message.',
    ]);
  return undefined;
};

/** The date of senders that do not know it. */
const UNKNOWN_DATE = '2000-01-01';

/** Returns the flight of a leg as a status message identifies it. Invalid values are left to its schema. */
const readFlight = (
  identifier: XmlElement | undefined,
  { departure, arrival }: StatedSchedule,
): Readonly<Record<string, unknown>> => {
  const textOf = (name: string): string | undefined => findChild(identifier, name)?.text || undefined;
  const number = textOf('FlightNumber');
  const date = textOf('OriginDate');
  return {
    carrier: textOf('Airline'),
    flightNumber: number !== undefined && /^\d{1,4}$/.test(number) ? Number(number) : number,
    suffix: textOf('OperationalSuffix'),
    originDate: date === UNKNOWN_DATE ? undefined : date,
    scheduledDeparture: departure,
    departureAirport: textOf('DepartureAirport'),
    scheduledArrival: arrival,
    arrivalAirport: textOf('ArrivalAirport'),
  };
};

const withoutAbsent = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A leg sent twice has the same ID: it is computed from everything that the message states, without the time of receipt. */
const formatMessageId = (stated: object): string => `aidx:${hash('sha256', JSON.stringify(stated))}`;

const toUtcDated = (read: Extract<StatusLineResult, { message: StatusMessage }>): StatusMessage => {
  const { flight } = read.message;
  return { ...read.message, flight: flight.by === 'designator' ? { ...flight, datedBy: 'utc' } : flight };
};

const toItem = (leg: XmlElement, { observedAt, timedBy, isReceived }: Envelope, tally: ElementTally): AidxItem => {
  tally.add(leg, leg.name);
  const rejection = rejectLeg(leg);
  if (rejection) return rejection;
  const errors: ReportEntry[] = [];
  const remarks: LegRemarks = {
    addNote: (path, element, note) => tally.addNote(path, element, note),
    addError: (field, { line, text }, message) =>
      errors.push({ severity: 'corrected', line, field, value: text.slice(0, 80), reason: 'bad-value', message }),
  };
  const flight = withoutAbsent(readFlight(findChild(leg, 'LegIdentifier'), readScheduledTimes(leg, remarks)));
  const arrivalAirport = 'arrivalAirport' in flight ? String(flight.arrivalAirport) : '';
  const { facts, paths } = readLegFacts(leg, arrivalAirport, remarks);
  const stated = { ...(timedBy === 'document' && { observedAt }), flight, ...facts };
  const read = checkStatusMessage({ messageId: formatMessageId(stated), source: 'aidx', observedAt, ...stated });
  const { line } = leg;
  if ('rejection' in read) {
    const { field, value, reason, message } = read.rejection;
    return toQuarantined(line, field, [value, reason, message]);
  }
  const ofTimes = read.fieldErrors.map((error): ReportEntry => {
    const field = paths.get(error.field) ?? error.field;
    return { severity: 'corrected', line, ...error, field, message: error.message.replaceAll(error.field, field) };
  });
  const isTimedByReceipt = isReceived && timedBy === 'receipt';
  const message = { ...toUtcDated(read), ...(isTimedByReceipt && { isTimedByReceipt }) };
  return { line, message, remarks: [...errors, ...ofTimes] };
};

const rejectErrors = (element: XmlElement): AidxItem =>
  toQuarantined(element.line, element.name, [
    element.children[0]?.text ?? '',
    'sender-error',
    'The sender reports an error in place of legs.',
  ]);

/**
 * Reads an AIDX document (IATA_AIDX_FlightLegNotifRQ or IATA_AIDX_FlightLegRS): a status message for each leg, as soon as it ends, and at the end
 * the elements that were not taken. An invalid leg gives one quarantined entry. Throws FeedError where the document is not well-formed XML or no
 * AIDX.
 */
export async function* readAidx(bytes: AsyncIterable<Uint8Array>, options: AidxOptions): AsyncGenerator<AidxItem> {
  const tally = new ElementTally();
  let envelope: Envelope = { observedAt: '', timedBy: 'document', isReceived: false };
  for await (const { isRoot, element } of readXmlParts(bytes, { namespace: NAMESPACE, hasEnvelope: true })) {
    const { line, name } = element;
    if (isRoot) {
      envelope = readEnvelope(element, options);
      tally.add(element, '');
      for (const entry of listEnvelopeNotices(element)) yield { line, entry };
    } else if (name === 'FlightLeg' && !element.isForeign) yield toItem(element, envelope, tally);
    else if (name === 'Errors') yield rejectErrors(element);
    else tally.add(element, name);
  }
  for (const entry of tally.list()) yield { line: entry.line ?? 1, entry };
}
