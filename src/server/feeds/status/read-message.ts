import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { FlightReference, StatusMessage, UnscheduledFlightDescription } from '#domain/status/message.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { localDate, type UtcMinute } from '#domain/time/dates.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import { describeSchemaError, type LineRejection, type MessageFieldError, truncateValue } from './message-errors.ts';
import { toFlightFacts, toLandings, toTypeCodes, toUtcSecond } from './message-facts.ts';
import { statusMessageSchema, type WireMessage } from './message-schema.ts';
import { messageId, toInstant } from './wire-values.ts';

/** One line of a feed: its number, 1-based and counting blank lines, and its bytes without the line end. */
type StatusLine = { readonly line: number; readonly text: Buffer };

/** Largest size of a message. Real ones have a few hundred bytes. */
export const MAX_LINE_BYTES = 65_536;

const LF = 10;
const CR = 13;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bytes kept of a line: enough to exceed the limit after a byte order mark and a carriage return are removed. */
const MAX_KEPT_BYTES = MAX_LINE_BYTES + byteOrderMark.length + 2;

const isBlank = (text: Buffer): boolean => text.every((byte) => byte === 32 || byte === 9 || byte === CR);

/** Removes a carriage return, and from the first line the byte order mark that some editors write. */
const trimLine = (text: Buffer, line: number): Buffer => {
  const from = line === 1 && text.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  return text.subarray(from, text.at(-1) === CR ? -1 : undefined);
};

/**
 * Reads the lines of a feed that are not blank, LF or CRLF; the last one may lack its line end. A line of more than 64 kB is cut, but
 * stays longer than `MAX_LINE_BYTES`, so that it is rejected as a message.
 */
export async function* readStatusLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StatusLine> {
  // The start of a line that ends in a later chunk. Appending in place avoids copying a line again for each small chunk.
  const pending = Buffer.allocUnsafe(MAX_KEPT_BYTES);
  let pendingSize = 0;
  let line = 0;
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(LF); end !== -1; end = buffer.indexOf(LF, start)) {
      line += 1;
      if (pendingSize > 0) pendingSize += buffer.copy(pending, pendingSize, start, end);
      const bytesOfLine =
        pendingSize > 0
          ? Buffer.from(pending.subarray(0, pendingSize))
          : buffer.subarray(start, Math.min(end, start + MAX_KEPT_BYTES));
      const text = trimLine(bytesOfLine, line);
      if (!isBlank(text)) yield { line, text };
      pendingSize = 0;
      start = end + 1;
    }
    pendingSize += buffer.copy(pending, pendingSize, start);
  }
  const text = trimLine(Buffer.from(pending.subarray(0, pendingSize)), line + 1);
  if (!isBlank(text)) yield { line: line + 1, text };
}

/** An accepted message with the fields that were left out and the object that it was read from, or why the line was rejected. */
export type StatusLineResult =
  | { readonly message: StatusMessage; readonly fieldErrors: readonly MessageFieldError[]; readonly value: object }
  | { readonly rejection: LineRejection };

/** Compiling halves the time of a validation; `strict` throws at startup for a schema that cannot be compiled. */
const wireMessage = z.compile(statusMessageSchema, { strict: true });

const rejectLine = (reason: LineRejection['reason'], line: string | Buffer, message: string): StatusLineResult => ({
  rejection: { reason, field: '', value: truncateValue(line.slice(0, 400).toString()), message },
});

const toMinute = (text: string): UtcMinute => secondToMinute(toUtcSecond(text));

const toDesignator = ({
  carrier,
  flightNumber,
  suffix = '',
}: {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly suffix?: string | undefined;
}): Designator => ({ carrier: carrier.toUpperCase(), flightNumber, suffix: suffix.toUpperCase() });

const toFlightReference = (flight: WireMessage['flight']): FlightReference => {
  if ('statusKey' in flight)
    return { by: 'statusKey', key: flight.statusKey.toLowerCase(), departureDate: localDate(flight.departureDate) };
  if ('scheduleInstanceKey' in flight)
    return {
      by: 'scheduleInstanceKey',
      key: flight.scheduleInstanceKey.toLowerCase(),
      departureDate: localDate(flight.departureDate),
    };
  return {
    by: 'designator',
    ...toDesignator(flight),
    originDate: flight.originDate === undefined ? undefined : localDate(flight.originDate),
    ...('scheduledDeparture' in flight && { scheduledOut: toMinute(flight.scheduledDeparture) }),
    ...('scheduledArrival' in flight &&
      flight.scheduledArrival !== undefined && { scheduledIn: toMinute(flight.scheduledArrival) }),
    departureAirport: flight.departureAirport?.toUpperCase() ?? '',
    arrivalAirport: flight.arrivalAirport?.toUpperCase(),
  };
};

const toFlightPlan = (
  plan: WireMessage['plan'],
  fieldErrors: MessageFieldError[],
): UnscheduledFlightDescription | undefined => {
  if (!plan) return undefined;
  const { departs, arrives } = plan;
  const departsAt = departs.at === undefined ? undefined : toUtcSecond(departs.at);
  const arrivesAt = arrives.at === undefined ? undefined : toUtcSecond(arrives.at);
  const isTooEarly = departsAt !== undefined && arrivesAt !== undefined && arrivesAt < departsAt;
  if (isTooEarly)
    fieldErrors.push({
      reason: 'out-of-order',
      field: 'plan.arrives.at',
      value: arrives.at ?? '',
      message: `plan.arrives.at is before plan.departs.at, which is ${departs.at}: ${arrives.at}.`,
    });
  return {
    flightType: plan.flightType,
    departureAirport: departs.airport.toUpperCase(),
    arrivalAirport: arrives.airport.toUpperCase(),
    departsAt,
    arrivesAt: isTooEarly ? undefined : arrivesAt,
    ...(plan.codeshares && { codeshares: plan.codeshares.map(toDesignator) }),
    serviceType: plan.serviceType?.toUpperCase() ?? '',
    aircraftType: toTypeCodes(plan.aircraftType ?? {}),
    recovers: plan.recovers && toFlightReference(plan.recovers),
  };
};

const toStatusMessage = (wire: WireMessage, value: object): StatusLineResult => {
  const fieldErrors: MessageFieldError[] = [];
  const message: StatusMessage = {
    id: wire.messageId,
    source: wire.source ?? 'feed',
    observedAt: toInstant(wire.observedAt),
    flight: toFlightReference(wire.flight),
    facts: toFlightFacts(wire, fieldErrors),
    landings: toLandings(wire, fieldErrors),
    plan: toFlightPlan(wire.plan, fieldErrors),
  };
  return { message, fieldErrors, value };
};

const parseJson = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

/** Checks a message in its wire format. A time out of order is left out and listed in `fieldErrors`; any other error rejects the message. */
export const checkStatusMessage = (value: object): StatusLineResult => {
  const checked = wireMessage.safeParse(value, { reportInput: true });
  if (checked.success) return toStatusMessage(checked.data, value);
  const id = messageId.safeParse('messageId' in value ? value.messageId : undefined);
  return { rejection: { ...describeSchemaError(checked.error), ...(id.success && { id: id.data }) } };
};

/**
 * Parses one line of a status feed, a JSON object in UTF-8 of up to 64 kB. Invalid data never throws: a time out of order is left out
 * and listed in `fieldErrors`; any other error rejects the line. A message of 430 bytes takes 7 µs.
 */
export const parseStatusMessage = (line: string | Buffer): StatusLineResult => {
  const size = typeof line === 'string' ? Buffer.byteLength(line) : line.length;
  if (size > MAX_LINE_BYTES)
    return rejectLine('too-long', line, `The line exceeds the limit of ${MAX_LINE_BYTES} bytes.`);
  if (typeof line !== 'string' && !isUtf8(line)) return rejectLine('not-utf8', line, 'The line is not UTF-8.');
  const json = parseJson(line.toString());
  if ('problem' in json) return rejectLine('not-json', line, `The line is not JSON: ${json.problem}.`);
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return rejectLine('not-an-object', line, 'The line is JSON but not an object.');
  return checkStatusMessage(value);
};
