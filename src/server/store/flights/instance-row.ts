import { toKeyOrder } from '#domain/schedule/keys.ts';
import { formatMinute, type LocalMinute } from '#domain/time/dates.ts';
import { copyText } from '../pool/driver/driver.ts';
import { type Codeshare, toCodeshareTerms } from './codeshares.ts';
import type { FlightTypeLetter } from './instance-filter.ts';

/** A flight instance as it is stored; `doc` is its list row, JSON. */
export type InstanceRow = {
  readonly departsAt: LocalMinute;
  readonly arrivesAt: LocalMinute;
  readonly key: Buffer;
  readonly statusKey: Buffer;
  readonly carrierId: number;
  readonly departureId: number;
  readonly arrivalId: number;
  readonly segmentId: number | undefined;
  readonly flightNumber: number;
  readonly flightType: FlightTypeLetter;
  /** One letter; '' when there is none. */
  readonly serviceType: string;
  readonly isMarketing: boolean;
  readonly doc: string;
  /** On a recovery flight: date and key of the flight that it recovers, as in its URL; '' when that has no URL. */
  readonly original?: string | undefined;
  /** The marketing flights that it names. */
  readonly codeshares?: readonly Codeshare[] | undefined;
};

/** A column of `flight_instance`. */
type InstanceColumn = {
  readonly name: string;
  readonly type: string;
  /** Returns the value of a row as the text of its type. */
  readonly toText: (row: InstanceRow) => string | null;
  /** Set when an unscheduled flight that is described again keeps its value. */
  readonly isKept?: true;
};

/** All columns of an instance, in the order in which they are written. */
export const instanceColumns: readonly InstanceColumn[] = [
  { name: 'departs_at', type: 'timestamp', toText: ({ departsAt }) => formatMinute(departsAt), isKept: true },
  { name: 'key_order', type: 'bigint', toText: ({ key }) => String(toKeyOrder(key)), isKept: true },
  { name: 'arrives_at', type: 'timestamp', toText: ({ arrivesAt }) => formatMinute(arrivesAt) },
  { name: 'key', type: 'bytea', toText: ({ key }) => `\\x${key.toString('hex')}`, isKept: true },
  { name: 'status_order', type: 'bigint', toText: ({ statusKey }) => String(toKeyOrder(statusKey)), isKept: true },
  { name: 'carrier', type: 'int', toText: ({ carrierId }) => String(carrierId), isKept: true },
  { name: 'departure', type: 'int', toText: ({ departureId }) => String(departureId), isKept: true },
  { name: 'arrival', type: 'int', toText: ({ arrivalId }) => String(arrivalId) },
  { name: 'segment_id', type: 'int', toText: ({ segmentId }) => segmentId?.toString() ?? null, isKept: true },
  { name: 'flight_number', type: 'smallint', toText: ({ flightNumber }) => String(flightNumber), isKept: true },
  { name: 'flight_type', type: '"char"', toText: ({ flightType }) => flightType },
  { name: 'service_type', type: '"char"', toText: ({ serviceType }) => serviceType || ' ' },
  { name: 'is_marketing', type: 'boolean', toText: ({ isMarketing }) => (isMarketing ? 't' : 'f'), isKept: true },
  { name: 'doc', type: 'text', toText: ({ doc }) => doc },
  { name: 'original', type: 'text', toText: ({ original }) => original ?? null },
  {
    name: 'codeshares',
    type: 'jsonb',
    toText: ({ codeshares = [] }) => (codeshares.length === 0 ? null : JSON.stringify(codeshares)),
  },
  {
    name: 'codeshare_terms',
    type: 'bigint[]',
    toText: ({ codeshares = [] }) => (codeshares.length === 0 ? null : `{${toCodeshareTerms(codeshares).join(',')}}`),
  },
];

/** Values of these types can contain what COPY escapes. */
const escapedTypes = new Set(['bytea', 'text', 'jsonb']);
const writers = instanceColumns.map(({ type, toText }) => ({ toText, isEscaped: escapedTypes.has(type) }));

/** Returns a row in the text format of COPY, with all columns. */
export const formatCopyLine = (row: InstanceRow): string => {
  let line = '';
  for (const { toText, isEscaped } of writers) {
    const text = toText(row);
    line += `\t${text === null ? '\\N' : isEscaped ? copyText(text) : text}`;
  }
  return line.slice(1);
};
