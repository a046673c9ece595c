import { z } from 'zod';
import { FeedError } from '../feed-error.ts';
import { parseMessageInstant } from '../status/wire-values.ts';
import { parseAnswerJson } from './hkia.ts';
import { swedaviaCodes } from './live-elements.ts';
import {
  formatSecond,
  isStationCode,
  parseDesignator,
  toLocalDateText,
  withoutBlanks,
  type LiveAnswer,
  type LiveDirection,
  type LiveFacts,
  type LiveReader,
  type LiveRemark,
  type LiveRow,
} from './live-row.ts';

const times = z
  .object({ scheduledUtc: z.string(), estimatedUtc: z.string().nullish(), actualUtc: z.string().nullish() })
  .partial({ scheduledUtc: true });
const sign = z.union([z.string(), z.number()]).nullish();

const flightSchema = z.object({
  flightId: z.string(),
  airlineOperator: z.object({ iata: z.string().nullish(), icao: z.string().nullish() }),
  departureTime: times.optional(),
  arrivalTime: times.optional(),
  locationAndStatus: z.object({ terminal: sign, gate: sign, flightLegStatus: z.string().nullish() }),
  checkIn: z.object({ checkInDeskFrom: sign, checkInDeskTo: sign }).nullish(),
  baggage: z.object({ baggageClaimUnit: sign }).nullish(),
  codeShareData: z.array(z.string()).nullish(),
  flightLegIdentifier: z.object({ departureAirportIata: z.string(), arrivalAirportIata: z.string() }),
  viaDestinations: z.array(z.object({ airportIATA: z.string() })).nullish(),
});

type Flight = z.infer<typeof flightSchema>;

const record = z.record(z.string(), z.unknown());
const answerSchema = z.object({ flights: z.array(record), continuationtoken: z.string().nullish() }).loose();

type Remark = (reason: string, value: string) => void;
type Row = { readonly row: LiveRow } | { readonly rejected: LiveRemark };

const reject = (reason: string, value: string): Row => ({ rejected: { reason, value: value.slice(0, 80) } });

const toSecond = (text: string | null | undefined, remark: Remark): string | undefined => {
  if (text === null || text === undefined || text === '') return undefined;
  const at = parseMessageInstant(text);
  if (at === undefined) remark('bad-time', text);
  return at === undefined ? undefined : formatSecond(new Date(at));
};

/** The carrier of a flight ID such as `BA778B`: the code of the operator with which it begins. */
const toDesignator = (flightId: string, { iata, icao }: Flight['airlineOperator']) => {
  const id = flightId.replaceAll(' ', '');
  return [iata, icao].map((code) => (code ? parseDesignator(code, id) : undefined)).find((one) => one !== undefined);
};

const readFacts = (
  { departureTime, arrivalTime, locationAndStatus, checkIn, baggage }: Flight,
  direction: LiveDirection,
  remark: Remark,
): { readonly facts: LiveFacts; readonly isOperating: boolean } => {
  const { terminal, gate, flightLegStatus } = locationAndStatus;
  const status = flightLegStatus ?? '';
  if (status !== '' && (!(status in swedaviaCodes) || status === 'DEL')) remark('unknown-status', status);
  const isDeparture = direction === 'departure';
  const { estimatedUtc, actualUtc } = (isDeparture ? departureTime : arrivalTime) ?? {};
  const [estimated, actual] = [estimatedUtc, actualUtc].map((text) => toSecond(text, remark));
  const desks = [...new Set([checkIn?.checkInDeskFrom, checkIn?.checkInDeskTo])].filter((one) => one);
  const texts = {
    terminal: String(terminal ?? '').replace(/^T(?=\d$)/, ''),
    gate: String(gate ?? ''),
    ...(isDeparture
      ? { estimatedOut: estimated, actualOut: actual, checkInCounter: desks.join('-') }
      : { estimatedIn: estimated, actualOn: actual, baggage: String(baggage?.baggageClaimUnit ?? '') }),
    ...(swedaviaCodes[status]?.fact === 'cancelled' && { cancelled: 'true' }),
  };
  return { facts: withoutBlanks(texts), isOperating: ['ACT', 'DEP', 'LAN'].includes(status) };
};

const readRow = (
  value: unknown,
  {
    direction,
    zone,
    places,
  }: { readonly direction: LiveDirection; readonly zone: string; readonly places: readonly string[] },
  remark: Remark,
): Row => {
  const parsed = flightSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return reject('bad-row', `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const flight = parsed.data;
  const designator = toDesignator(flight.flightId, flight.airlineOperator);
  if (!designator) return reject('bad-flight-id', flight.flightId);
  const { departureAirportIata: from, arrivalAirportIata: to } = flight.flightLegIdentifier;
  const isDeparture = direction === 'departure';
  const [airport, other] = isDeparture ? [from, to] : [to, from];
  if (!places.includes(airport)) return reject('other-airport', airport);
  const via = (flight.viaDestinations ?? []).map(({ airportIATA }) => airportIATA).filter((code) => code !== other);
  const stations = isDeparture ? [other, ...via] : [...via, other];
  const invalid = stations.find((one) => !isStationCode(one));
  if (invalid !== undefined) return reject('bad-station', invalid);
  if (from === to) return reject('leg-to-itself', flight.flightId);
  const { scheduledUtc = '' } = (isDeparture ? flight.departureTime : flight.arrivalTime) ?? {};
  const scheduled = toSecond(scheduledUtc, () => {});
  if (scheduled === undefined) return reject('bad-time', scheduledUtc);
  const codeshares = (flight.codeShareData ?? []).flatMap((id) => {
    const text = id.replaceAll(' ', '');
    const found = parseDesignator(text.slice(0, 2), text) ?? parseDesignator(text.slice(0, 3), text);
    if (!found) remark('bad-codeshare', id);
    return found ? [found] : [];
  });
  return {
    row: {
      ...designator,
      direction,
      airport,
      stations,
      scheduled,
      date: toLocalDateText(new Date(scheduled), zone),
      codeshares,
      serviceType: '',
      ...readFacts(flight, direction, remark),
    },
  };
};

/** Reads an answer of `query`, whose flights have a member `departure` or `arrival`, or one of `departures` or `arrivals` of an airport. */
export const readSwedavia: LiveReader = async (bytes, { place, zone, receivedAt }): Promise<LiveAnswer> => {
  const parsed = answerSchema.safeParse(parseAnswerJson(bytes));
  if (!parsed.success) throw new FeedError('The answer has no list of flights.', { reason: 'not-the-format' });
  const { flights, continuationtoken, to, from } = parsed.data;
  const rows: LiveRow[] = [];
  const rejected: LiveRemark[] = [];
  const remarks: LiveRemark[] = [];
  const remark: Remark = (reason, value) => void remarks.push({ reason, value: value.slice(0, 80) });
  for (const flight of flights) {
    const direction = 'departure' in flight || from !== undefined ? 'departure' : 'arrival';
    const value = to === undefined && from === undefined ? flight[direction] : flight;
    const read = readRow(value, { direction, zone, places: place.split(',') }, remark);
    if ('row' in read) rows.push(read.row);
    else rejected.push(read.rejected);
  }
  return {
    observedAt: receivedAt.toISOString(),
    airport: place,
    rows,
    rejected,
    remarks,
    ...(continuationtoken && { cursor: continuationtoken }),
  };
};
