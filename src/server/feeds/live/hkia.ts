import { z } from 'zod';
import { FeedError } from '../feed-error.ts';
import { hkiaMembers, hkiaTexts } from './live-elements.ts';
import {
  formatSecond,
  isStationCode,
  parseDesignator,
  withoutBlanks,
  type LiveAnswer,
  type LiveDesignator,
  type LiveFacts,
  type LiveReader,
  type LiveRemark,
  type LiveRow,
} from './live-row.ts';

const flightCode = z.object({ no: z.string(), airline: z.string().nullish() });

const rowSchema = z.object({
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  flight: z.array(flightCode).min(1).max(50),
  status: z.string().nullish(),
  destination: z.array(z.string()).optional(),
  origin: z.array(z.string()).optional(),
  terminal: z.string().nullish(),
  aisle: z.string().nullish(),
  gate: z.string().nullish(),
  stand: z.string().nullish(),
  baggage: z.string().nullish(),
  hall: z.string().nullish(),
});

const answerSchema = z.array(
  z.object({
    date: z.iso.date(),
    arrival: z.boolean(),
    cargo: z.boolean(),
    list: z.array(z.record(z.string(), z.unknown())),
  }),
);

/** Hong Kong has had no daylight saving time since 1979. */
const toInstant = (date: string, time: string): string | undefined =>
  formatSecond(new Date(`${date}T${time}:00+08:00`));

/** Days from the day of a row to that of its status: from one before to three after in captures of three days. */
const MIN_DAYS = -2;
const MAX_DAYS = 7;
const DAY_MS = 86_400_000;

/** Returns the date of a status: the day of the row without a suffix, however late; with a suffix, which is day first, that date. */
const toStatusDate = (suffix: string | undefined, rowDate: string): string | undefined => {
  if (suffix === undefined) return rowDate;
  const [day, month, year] = suffix.split('/');
  const date = `${year}-${month}-${day}`;
  const days = (Date.parse(date) - Date.parse(rowDate)) / DAY_MS;
  return z.iso.date().safeParse(date).success && days >= MIN_DAYS && days <= MAX_DAYS ? date : undefined;
};

type Status = { readonly facts: LiveFacts; readonly isOperating: boolean };

const readStatus = (
  text: string,
  { date, direction }: { readonly date: string; readonly direction: LiveRow['direction'] },
  remark: (reason: string, value: string) => void,
): Status => {
  const none: Status = { facts: {}, isOperating: false };
  if (text === '') return none;
  const [, words = text, time, suffix] = /^(.*?)(?: (\d\d:\d\d)(?: \((\d\d\/\d\d\/\d{4})\))?)?$/.exec(text) ?? [];
  const pattern = time === undefined ? words : `${words} HH:MM`;
  const known = hkiaTexts.find((one) => one.text === pattern && ['both', direction].includes(one.direction));
  if (!known) {
    remark('unknown-status', text.replaceAll(/\d/g, '#'));
    return none;
  }
  const { fact, value } = known;
  if (fact === '') return { facts: {}, isOperating: true };
  if (value !== undefined) return { facts: { [fact]: value }, isOperating: fact !== 'cancelled' };
  const statusDate = toStatusDate(suffix, date);
  const instant = statusDate === undefined ? undefined : toInstant(statusDate, time ?? '');
  if (instant === undefined) remark('bad-status-time', text);
  return instant === undefined ? none : { facts: { [fact]: instant }, isOperating: true };
};

const toDesignator = ({ no, airline }: z.infer<typeof flightCode>): LiveDesignator | undefined => {
  const [carrier = '', number = ''] = no.trim().split(/ +/);
  const designator = parseDesignator(carrier, `${carrier}${number}`);
  return designator && { ...designator, carrier: airline && /^[A-Z]{3}$/.test(airline) ? airline : carrier };
};

type Day = Omit<z.infer<typeof answerSchema>[number], 'list'>;

const readRow = (
  value: Readonly<Record<string, unknown>>,
  { date, arrival, cargo }: Day,
  remark: (reason: string, value: string) => void,
): { readonly row: LiveRow } | { readonly rejected: LiveRemark } => {
  const parsed = rowSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { rejected: { reason: 'bad-row', value: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, 80) } };
  }
  for (const name of Object.keys(value)) if (!(name in hkiaMembers)) remark('unknown-member', name);
  const { time, flight, status, terminal, aisle, gate, stand, baggage, ...ends } = parsed.data;
  const [operating, ...marketing] = flight;
  const designator = operating && toDesignator(operating);
  if (!designator) return { rejected: { reason: 'bad-flight-id', value: operating?.no.slice(0, 80) ?? '' } };
  const direction = arrival ? 'arrival' : 'departure';
  const stations = (arrival ? ends.origin : ends.destination) ?? [];
  const other = arrival ? stations.at(-1) : stations[0];
  const invalid = stations.find((one) => !isStationCode(one));
  if (other === undefined || invalid !== undefined)
    return { rejected: { reason: 'bad-station', value: invalid ?? '' } };
  if (other === 'HKG') return { rejected: { reason: 'leg-to-itself', value: operating.no } };
  const scheduled = toInstant(date, time);
  if (scheduled === undefined) return { rejected: { reason: 'bad-time', value: `${date} ${time}` } };
  const read = readStatus((status ?? '').trim(), { date, direction }, remark);
  const codeshares = marketing.flatMap((one) => {
    const other = toDesignator(one);
    if (!other) remark('bad-codeshare', one.no.slice(0, 80));
    return other ? [other] : [];
  });
  const signs = arrival
    ? { stand, baggage, gate, terminal: terminal?.replace(/^T(?=\d$)/, '') }
    : { gate, checkInCounter: aisle, terminal: terminal?.replace(/^T(?=\d$)/, '') };
  return {
    row: {
      ...designator,
      direction,
      airport: 'HKG',
      stations,
      scheduled,
      date,
      codeshares,
      // IATA: scheduled cargo flights.
      serviceType: cargo ? 'F' : '',
      isOperating: read.isOperating,
      facts: withoutBlanks({
        ...read.facts,
        ...Object.fromEntries(Object.entries(signs).map(([name, sign]) => [name, sign?.trim() || undefined])),
      }),
    },
  };
};

/** Reads JSON; throws FeedError for anything else. */
export const parseAnswerJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FeedError(`The answer is not JSON in UTF-8: ${error instanceof Error ? error.message : ''}.`, {
      reason: 'not-the-format',
      cause: error,
    });
  }
};

/** Reads an answer of `flights/past`: one category (arrivals or departures, passengers or cargo) of a day, with late rows of the days before. */
export const readHkia: LiveReader = async (bytes, { parameters, receivedAt }): Promise<LiveAnswer> => {
  const parsed = answerSchema.safeParse(parseAnswerJson(bytes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new FeedError(`The answer is not a list of days: ${issue?.path.join('.')}: ${issue?.message}.`, {
      reason: 'not-the-format',
    });
  }
  const rows: LiveRow[] = [];
  const rejected: LiveRemark[] = [];
  const remarks: LiveRemark[] = [];
  const { date = '', arrival, cargo } = parameters;
  if (parsed.data.length > 0 && !parsed.data.some((day) => day.date === date))
    throw new FeedError(`The answer has no day ${date}.`, { reason: 'other-request' });
  for (const day of parsed.data) {
    if (String(day.arrival) !== arrival || String(day.cargo) !== cargo || day.date > date)
      throw new FeedError(
        `The answer is for ${day.date}, arrival=${day.arrival}, cargo=${day.cargo}, not for ${date}, arrival=${arrival}, cargo=${cargo}.`,
        { reason: 'other-request' },
      );
    for (const value of day.list) {
      const read = readRow(value, day, (reason, text) => void remarks.push({ reason, value: text.slice(0, 80) }));
      if ('row' in read) rows.push(read.row);
      else rejected.push(read.rejected);
    }
  }
  return { observedAt: receivedAt.toISOString(), airport: 'HKG', rows, rejected, remarks };
};
