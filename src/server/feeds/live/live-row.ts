import { addDays, formatDate, localDate, toDate, toUtcDate, toUtcMinute } from '#domain/time/dates.ts';
import { toLocalMinute } from '#domain/time/zones.ts';

/** The facts that live feeds report, with their path in a status message; `{end}` is the end of the leg at the airport of the row. */
export const factPaths = {
  estimatedOut: 'departure.estimated.out',
  actualOut: 'departure.actual.out',
  estimatedIn: 'arrival.estimated.in',
  actualOn: 'arrival.actual.on',
  actualIn: 'arrival.actual.in',
  cancelled: 'cancelled',
  boarding: 'departure.boarding',
  terminal: '{end}.terminal',
  gate: '{end}.gate',
  stand: '{end}.stand',
  checkInCounter: 'departure.checkInCounter',
  baggage: 'arrival.baggage',
} as const;

type FactName = keyof typeof factPaths;

/** The names of the facts. */
export const factNames = Object.keys(factPaths) as readonly FactName[];

/** Facts of a row by name: times are instants in UTC, `cancelled` is `true` or `false`, `boarding` is the status of the event. */
export type LiveFacts = { readonly [Name in FactName]?: string };

export type LiveDirection = 'departure' | 'arrival';

/** A flight designator as the feed writes it. */
export type LiveDesignator = { readonly carrier: string; readonly flightNumber: number; readonly suffix: string };

/** One leg at one of its airports, as a feed reports it. */
export type LiveRow = LiveDesignator & {
  readonly direction: LiveDirection;
  /** Code of the airport that reports. */
  readonly airport: string;
  /** Other stations in flight order: those after the departure, or those before the arrival. The leg is to the first, or from the last. */
  readonly stations: readonly string[];
  /** Scheduled time at the airport, UTC, such as `2026-10-07T12:05:00Z`. */
  readonly scheduled: string;
  /** Its local date at the airport. */
  readonly date: string;
  /** Identifies the leg in the feed. Not set where the feed has nothing that can be verified. */
  readonly legId?: string;
  /** The date of the departure that `legId` confirms, in UTC or at the airport. */
  readonly departureDates?: readonly string[];
  readonly codeshares: readonly LiveDesignator[];
  /** IATA service type, '' when unknown. */
  readonly serviceType: string;
  /** Whether the row has a status other than cancelled: it reinstates a cancelled flight. */
  readonly isOperating: boolean;
  readonly facts: LiveFacts;
};

/** Something in an answer that is not taken, for the counts by reason and value. */
export type LiveRemark = { readonly reason: string; readonly value: string };

/** What a reader returns for an answer. Each row of the answer is in `rows` or in `rejected`. */
export type LiveAnswer = {
  /** When the source knew it, UTC with milliseconds. */
  readonly observedAt: string;
  /** The airport of the answer. */
  readonly airport: string;
  readonly rows: readonly LiveRow[];
  readonly rejected: readonly LiveRemark[];
  /** Values of taken rows that have no meaning here. */
  readonly remarks: readonly LiveRemark[];
  /** Cursor of the next request for changes, if the answer has one. */
  readonly cursor?: string;
};

/** The request of an answer, as far as its reader needs it. */
export type LiveRequest = {
  /** Code of the airport; several, with commas between, where the source has one request for them. */
  readonly place: string;
  /** Zone of the airports. */
  readonly zone: string;
  /** When the answer was received, less the time that it was in caches. */
  readonly receivedAt: Date;
  /** Hours before now of the window of the request; undefined where it has none. */
  readonly hoursBack?: number | undefined;
  /** Parameters of the request by name. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** Reads an answer. Throws FeedError when it is malformed or for another request. */
export type LiveReader = (bytes: Uint8Array, request: LiveRequest) => Promise<LiveAnswer>;

/** Returns the station at the other end of the leg of a row. */
export const getOtherStation = ({ direction, stations }: LiveRow): string =>
  (direction === 'departure' ? stations[0] : stations.at(-1)) ?? '';

/** Returns the actual time of the end of a row. */
export const getActualTime = ({ facts: { actualOut, actualOn, actualIn } }: LiveRow): string | undefined =>
  actualOut ?? actualIn ?? actualOn;

/** Whether nothing more is expected of a row. */
export const isFinal = (row: LiveRow): boolean => row.facts.cancelled === 'true' || getActualTime(row) !== undefined;

/** Formats a designator, such as `WF955`. */
export const formatDesignator = ({ carrier, flightNumber, suffix }: LiveDesignator): string =>
  `${carrier}${flightNumber}${suffix}`;

/** Formats what identifies a row in its feed, such as `BVG D WF955 VDS 2026-10-07T12:05:00Z`. */
export const formatRowKey = (row: LiveRow): string =>
  [
    row.airport,
    row.direction === 'departure' ? 'D' : 'A',
    formatDesignator(row),
    getOtherStation(row),
    row.scheduled,
  ].join(' ');

/** Splits a flight ID into carrier, number and suffix: the carrier is cut off first, because `W46245` is W4 6245. */
export const parseDesignator = (carrier: string, flightId: string): LiveDesignator | undefined => {
  if (!/^[A-Z0-9]{2,3}$/.test(carrier) || !flightId.startsWith(carrier)) return undefined;
  const [, number, suffix = ''] = /^ ?0*(\d{1,4})([A-Z]?)$/.exec(flightId.slice(carrier.length)) ?? [];
  return number === undefined ? undefined : { carrier, flightNumber: Number(number), suffix };
};

export const isStationCode = (text: string): boolean => /^[A-Z0-9]{3,4}$/.test(text);

/** Formats an instant to the second, `2026-10-07T12:05:00Z`; undefined for an invalid one. */
export const formatSecond = (instant: Date): string | undefined =>
  Number.isNaN(instant.getTime()) ? undefined : `${instant.toISOString().slice(0, 19)}Z`;

/** Returns the local date of an instant. */
export const toLocalDateText = (instant: Date, zone: string): string =>
  formatDate(toDate(toLocalMinute(zone, toUtcMinute(instant))));

/** Returns the UTC and the local date of an instant, and of the day before it. */
export const listDatesBefore = (instant: Date, zone: string): readonly string[] => {
  const dates = [toUtcDate(instant), localDate(toLocalDateText(instant, zone))];
  return [...new Set([...dates, ...dates.map((date) => addDays(date, -1))].map(formatDate))];
};

/** Returns the entries of facts that have a text. */
export const withoutBlanks = (facts: Readonly<Record<string, string | undefined>>): LiveFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''));
