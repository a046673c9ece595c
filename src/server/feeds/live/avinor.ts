import { parseMessageInstant } from '../status/wire-values.ts';
import { FeedError } from '../feed-error.ts';
import { readXmlParts, type XmlElement } from '../aidx/xml-elements.ts';
import { avinorCodes, avinorElements } from './live-elements.ts';
import {
  formatSecond,
  isStationCode,
  listDatesBefore,
  parseDesignator,
  toLocalDateText,
  withoutBlanks,
  type LiveAnswer,
  type LiveDesignator,
  type LiveFacts,
  type LiveReader,
  type LiveRemark,
  type LiveRequest,
  type LiveRow,
} from './live-row.ts';

/** Returns the absolute value of the 32-bit hash of a text that Java computes: the `uniqueID` of a leg is such a hash. */
const hashText = (text: string): number => {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return Math.abs(hash);
};

type Row = { readonly row: LiveRow } | { readonly rejected: LiveRemark };

const reject = (reason: string, value: string): Row => ({ rejected: { reason, value: value.slice(0, 80) } });

const readCodeshares = (
  textOf: (name: string) => string,
  remark: (reason: string, value: string) => void,
): readonly LiveDesignator[] => {
  const carriers = textOf('codeshareAirlineDesignators');
  if (carriers === '') return [];
  const split = (text: string): readonly string[] => text.split(';').map((one) => one.trim());
  const [numbers, suffixes] = [split(textOf('codeshareFlightNumbers')), split(textOf('codeshareOperationalSuffixs'))];
  return split(carriers).flatMap((carrier, index) => {
    const id = `${carrier}${numbers[index] ?? ''}${suffixes[index] ?? ''}`;
    const designator = parseDesignator(carrier, id);
    if (!designator) remark('bad-codeshare', id);
    return designator ? [designator] : [];
  });
};

const readStatus = (
  status: XmlElement | undefined,
  direction: LiveRow['direction'],
  remark: (reason: string, value: string) => void,
): { readonly facts: LiveFacts; readonly isOperating: boolean; readonly at?: number } => {
  if (!status) return { facts: {}, isOperating: false };
  const code = status.attributes.get('code') ?? '';
  const time = status.attributes.get('time');
  const at = time === undefined ? undefined : parseMessageInstant(time);
  const fact = avinorCodes[code]?.[direction];
  if (fact === undefined) remark('unknown-status', `${code} of a ${direction}`);
  if (time !== undefined && at === undefined) remark('bad-time', time);
  const isOperating = ['E', 'D', 'A', 'O'].includes(code);
  const base = { isOperating, ...(at !== undefined && { at }) };
  if (fact === undefined) return { ...base, facts: {} };
  if (fact === 'cancelled') return { ...base, facts: { cancelled: 'true' } };
  if (at === undefined) {
    if (time === undefined) remark('status-without-time', code);
    return { ...base, facts: {} };
  }
  return { ...base, facts: { [fact]: formatSecond(new Date(at)) } };
};

/** The leg of a row as its ID confirms it. */
const verifyLegId = (
  uniqueId: string,
  { flightId, from, dates }: { readonly flightId: string; readonly from: string; readonly dates: readonly string[] },
): Pick<LiveRow, 'legId' | 'departureDates'> => {
  const confirmed = dates.filter((date) => hashText(`${flightId}${date}${from}`) === Number(uniqueId));
  return confirmed.length === 0 ? {} : { legId: uniqueId, departureDates: confirmed };
};

const readRow = (
  element: XmlElement,
  { place, zone, windowFrom }: LiveRequest & { readonly windowFrom: number | undefined },
  remark: (reason: string, value: string) => void,
): Row => {
  const byName = new Map(element.children.map((child) => [child.name, child]));
  const textOf = (name: string): string => byName.get(name)?.text ?? '';
  for (const name of byName.keys()) if (!(name in avinorElements)) remark('unknown-element', name);
  const [carrier, flightId, kind] = [textOf('airline'), textOf('flight_id'), textOf('arr_dep')];
  const designator = parseDesignator(carrier, flightId);
  if (!designator) return reject('bad-flight-id', `${carrier} ${flightId}`);
  if (kind !== 'A' && kind !== 'D') return reject('bad-direction', kind);
  const direction = kind === 'D' ? 'departure' : 'arrival';
  const scheduledAt = parseMessageInstant(textOf('schedule_time'));
  if (scheduledAt === undefined) return reject('bad-time', textOf('schedule_time'));
  const scheduled = new Date(scheduledAt);
  const via = textOf('via_airport')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const stations = direction === 'departure' ? [...via, textOf('airport')] : [textOf('airport'), ...via];
  const invalid = stations.find((one) => !isStationCode(one));
  if (invalid !== undefined) return reject('bad-station', invalid);
  const other = (direction === 'departure' ? stations[0] : stations.at(-1)) ?? '';
  if (other === place) return reject('leg-to-itself', `${flightId} ${place}`);
  const status = readStatus(byName.get('status'), direction, remark);
  if (windowFrom !== undefined && scheduledAt < windowFrom && !((status.at ?? -Infinity) >= windowFrom))
    return reject('outside-window', `${flightId} ${scheduled.toISOString().slice(0, 16)}Z`);
  const from = direction === 'departure' ? place : other;
  const dates =
    direction === 'departure' ? listDatesBefore(scheduled, zone).slice(0, 2) : listDatesBefore(scheduled, zone);
  const verified = verifyLegId(element.attributes.get('uniqueID') ?? '', { flightId, from, dates });
  // Serial numbers before 2024; the flight ID is not needed to identify the leg.
  if (verified.legId === undefined) remark('unverified-id', direction);
  const isDeparture = direction === 'departure';
  return {
    row: {
      ...designator,
      direction,
      airport: place,
      stations,
      scheduled: `${scheduled.toISOString().slice(0, 16)}:00Z`,
      date: toLocalDateText(scheduled, zone),
      ...verified,
      codeshares: readCodeshares(textOf, remark),
      serviceType: '',
      isOperating: status.isOperating,
      facts: withoutBlanks({
        ...status.facts,
        gate: textOf('gate'),
        ...(isDeparture ? { checkInCounter: textOf('check_in') } : { baggage: textOf('belt') }),
      }),
    },
  };
};

const rejectAnswer = (element: XmlElement, message: string, reason: string): never => {
  throw new FeedError(message, { line: element.line, reason });
};

/** A sightseeing flight returns to its airport; several rows that do so in an answer belong to another airport. */
const MIN_CIRCULAR = 2;
const MIN_CIRCULAR_SHARE = 0.02;

/** Throws FeedError when the legs are those of another airport than the root names. */
const assertLegsOfAirport = (airport: string, rows: readonly LiveRow[], rejected: readonly LiveRemark[]): void => {
  const circular = rejected.filter(({ reason }) => reason === 'leg-to-itself').length;
  if (circular < MIN_CIRCULAR || circular < (rows.length + rejected.length) * MIN_CIRCULAR_SHARE) return;
  throw new FeedError(`${circular} legs lead from ${airport} to ${airport}: the rows are those of another airport.`, {
    reason: 'other-airport',
  });
};

const HOUR_MS = 3_600_000;
/** Changes are requested from before the last answer: the parameter has no fraction of seconds. */
const CURSOR_OVERLAP_MS = 10_000;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const format = { namespace: '', encodings: ['iso-8859-1', 'windows-1252', 'utf-8'], partLevel: 2 };

/** Reads an answer of Avinor's `XmlFeed/v1.0`: the rows of one airport. */
export const readAvinor: LiveReader = async (bytes, request): Promise<LiveAnswer> => {
  const rows: LiveRow[] = [];
  const rejected: LiveRemark[] = [];
  const remarks: LiveRemark[] = [];
  const remark = (reason: string, value: string): void => void remarks.push({ reason, value: value.slice(0, 80) });
  let observedAt: number | undefined;
  let airport: string | undefined;
  let windowFrom: number | undefined;
  for await (const { isRoot, element } of readXmlParts(once(bytes), format)) {
    if (isRoot && airport === undefined) {
      if (element.name !== 'airport')
        rejectAnswer(element, `The root must be airport, not ${element.name.slice(0, 40)}.`, 'not-the-format');
      airport = element.attributes.get('name') ?? '';
      if (airport !== request.place)
        rejectAnswer(element, `The answer is for '${airport}', not for ${request.place}.`, 'other-airport');
    } else if (isRoot && element.name === 'flights') {
      const text = element.attributes.get('lastUpdate') ?? '';
      observedAt = parseMessageInstant(text);
      if (observedAt === undefined)
        rejectAnswer(element, `lastUpdate must be a time, not '${text.slice(0, 40)}'.`, 'bad-time');
      else if (request.hoursBack !== undefined)
        windowFrom = Math.floor(observedAt / HOUR_MS) * HOUR_MS - request.hoursBack * HOUR_MS;
    } else if (!isRoot && element.name === 'flight') {
      const read = readRow(element, { ...request, windowFrom }, remark);
      if ('row' in read) rows.push(read.row);
      else rejected.push(read.rejected);
    } else remark('unknown-element', element.name);
  }
  if (airport === undefined || observedAt === undefined)
    throw new FeedError('The answer has no element flights.', { reason: 'not-the-format' });
  assertLegsOfAirport(airport, rows, rejected);
  const cursor = formatSecond(new Date(observedAt - CURSOR_OVERLAP_MS));
  return {
    observedAt: new Date(observedAt).toISOString(),
    airport,
    rows,
    rejected,
    remarks,
    ...(cursor && { cursor }),
  };
};
