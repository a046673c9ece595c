import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { localDate } from '../../domain/time/dates.ts';
import type { FlightPlan, FlightReference, StatusMessage } from '../../domain/status/message.ts';
import { truncateValue, describeSchemaError, type MessageFieldError, type LineRejection } from './message-errors.ts';
import { MAX_LINE_BYTES } from './lines.ts';
import { toFlightFacts, toLandings, toTypeCodes } from './message-facts.ts';
import { statusMessageSchema, type WireMessage } from './message-schema.ts';
import { toInstant } from './parse-instant.ts';
import { toUtcSecond } from './time-order.ts';
import { messageId } from './wire-values.ts';

/** An accepted message with the fields that were left out, or why the line was rejected. */
export type StatusLineResult =
  | { readonly message: StatusMessage; readonly fieldErrors: readonly MessageFieldError[] }
  | { readonly rejection: LineRejection };

/** Compiling halves the time of a validation; `strict` throws at startup for a schema that cannot be compiled. */
const wireMessage = z.compile(statusMessageSchema, { strict: true });

const rejectLine = (reason: LineRejection['reason'], line: string | Buffer, message: string): StatusLineResult => ({
  rejection: { reason, field: '', value: truncateValue(line.slice(0, 400).toString()), message },
});

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
    carrier: flight.carrier.toUpperCase(),
    flightNumber: flight.flightNumber,
    suffix: flight.suffix?.toUpperCase() ?? '',
    originDate: localDate(flight.originDate),
    departureAirport: flight.departureAirport.toUpperCase(),
    arrivalAirport: flight.arrivalAirport?.toUpperCase(),
  };
};

const toFlightPlan = (plan: WireMessage['plan'], fieldErrors: MessageFieldError[]): FlightPlan | undefined => {
  if (!plan) return undefined;
  const { departs, arrives } = plan;
  const departsAt = toUtcSecond(departs.at);
  const arrivesAt = arrives.at === undefined ? undefined : toUtcSecond(arrives.at);
  const isTooEarly = arrivesAt !== undefined && arrivesAt < departsAt;
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
    serviceType: plan.serviceType?.toUpperCase() ?? '',
    aircraftType: toTypeCodes(plan.aircraftType ?? {}),
    recovers: plan.recovers && toFlightReference(plan.recovers),
  };
};

const toStatusMessage = (wire: WireMessage): StatusLineResult => {
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
  return { message, fieldErrors };
};

const parseJson = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

/**
 * Parses one line of a status feed, a JSON object in UTF-8 of up to 64 kB. Invalid data never throws: a time out of order is left out
 * and listed in `fieldErrors`; any other error rejects the line. A message of 430 bytes takes 7 µs.
 */
export const parseStatusMessage = (line: string | Buffer): StatusLineResult => {
  const size = typeof line === 'string' ? Buffer.byteLength(line) : line.length;
  if (size > MAX_LINE_BYTES)
    return rejectLine('too-long', line, `The line has more than ${MAX_LINE_BYTES} bytes, the most a message may have.`);
  if (typeof line !== 'string' && !isUtf8(line)) return rejectLine('not-utf8', line, 'The line is not UTF-8.');
  const json = parseJson(line.toString());
  if ('problem' in json) return rejectLine('not-json', line, `The line is not JSON: ${json.problem}.`);
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return rejectLine('not-an-object', line, 'The line is JSON but not an object.');
  const checked = wireMessage.safeParse(value, { reportInput: true });
  if (checked.success) return toStatusMessage(checked.data);
  const id = messageId.safeParse('messageId' in value ? value.messageId : undefined);
  return { rejection: { ...describeSchemaError(checked.error), ...(id.success && { id: id.data }) } };
};
