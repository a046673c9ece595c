import type { MctSide } from '../../domain/connections/mct/mct-record.ts';
import * as ssim from '../ssim/field-formats.ts';
import { readText, type Columns, type FieldFormat } from '../text/fixed-width.ts';
import * as kinds from './field-formats.ts';
import { type MctField, readField, RecordError } from './field-formats.ts';

type SideName = 'arrival' | 'departure';

/** Byte columns of what a record asks of the flight on one side, 1-based and inclusive (SSIM chapter 8, record type 2). */
const columns = {
  arrival: {
    carrier: [14, 15],
    flag: [16, 16],
    operator: [17, 18],
    equipment: [24, 26],
    body: [27, 27],
    terminal: [32, 33],
    country: [36, 37],
    station: [38, 40],
    firstFlight: [46, 49],
    lastFlight: [50, 53],
    state: [62, 63],
    region: [66, 68],
  },
  departure: {
    carrier: [19, 20],
    flag: [21, 21],
    operator: [22, 23],
    equipment: [28, 30],
    body: [31, 31],
    terminal: [34, 35],
    country: [41, 42],
    station: [43, 45],
    firstFlight: [54, 57],
    lastFlight: [58, 61],
    state: [64, 65],
    region: [69, 71],
  },
} as const satisfies Record<SideName, Record<string, Columns>>;

type SideField = keyof (typeof columns)[SideName];

const fieldNames: Readonly<Record<SideField, string>> = {
  carrier: 'carrier',
  flag: 'codeshare flag',
  operator: 'operator',
  equipment: 'aircraft type',
  body: 'aircraft body',
  terminal: 'terminal',
  country: 'country',
  station: 'station',
  firstFlight: 'first flight',
  lastFlight: 'last flight',
  state: 'state',
  region: 'region',
};

/** What lies beyond the connection point is called by where it lies: `previous country`, `next country`. */
const fieldsBeyond: ReadonlySet<SideField> = new Set<SideField>(['country', 'station', 'state', 'region']);

const formatFieldName = (side: SideName, part: SideField): string =>
  `${fieldsBeyond.has(part) ? (side === 'arrival' ? 'previous' : 'next') : side} ${fieldNames[part]}`;

/** Reads what a record of 200 bytes asks of its arrival or departure. Throws a RecordError. */
export const parseRecordSide = (record: string, side: SideName): MctSide => {
  const fieldOf = <T>(part: SideField, kind: FieldFormat<T>): MctField<T> => ({
    name: formatFieldName(side, part),
    columns: columns[side][part],
    kind,
  });
  const at = <T>(part: SideField, kind: FieldFormat<T>): T | undefined => readField(record, fieldOf(part, kind));
  const textAt = (part: SideField, kind: FieldFormat<string>): string => at(part, kind) ?? '';
  /** Refuses what stands in a part because of what stands, or does not, in another. */
  const refuse = (part: SideField, reason: string, message: string): never => {
    throw new RecordError({
      field: formatFieldName(side, part),
      columns: columns[side][part],
      value: readText(record, columns[side][part]),
      reason,
      message,
    });
  };

  const readRange = (): MctSide['flights'] => {
    const [first, last] = [at('firstFlight', kinds.flightOfRange), at('lastFlight', kinds.flightOfRange)];
    if (first === undefined && last === undefined) return undefined;
    if (first === undefined)
      return refuse('firstFlight', 'half-range', 'The flight range has a last flight and no first one.');
    if (last === undefined)
      return refuse('lastFlight', 'half-range', 'The flight range has a first flight and no last one.');
    if (last < first)
      return refuse('lastFlight', 'bad-range', `The flight range ends before its first flight, ${first}.`);
    return { from: first, to: last };
  };

  const found: MctSide = {
    carrier: textAt('carrier', kinds.carrier),
    isCodeshare: at('flag', kinds.flag) ?? false,
    operator: textAt('operator', kinds.carrier),
    flights: readRange(),
    terminal: textAt('terminal', kinds.terminal),
    station: textAt('station', ssim.station),
    stateCode: textAt('state', kinds.state),
    countryCode: textAt('country', kinds.country),
    region: textAt('region', kinds.region),
    equipment: textAt('equipment', ssim.equipment),
    body: at('body', kinds.body) ?? '',
  };

  if (found.equipment !== '' && found.body !== '')
    refuse('body', 'type-and-body', 'A record asks for an aircraft type or for a body, not for both.');
  if (found.stateCode !== '' && found.countryCode === '')
    refuse('state', 'state-without-country', 'A state needs its country.');
  if (found.region !== '' && found.countryCode !== '')
    refuse('region', 'two-places', 'A record asks for a region or for a country, not for both.');
  if (found.station !== '' && (found.countryCode !== '' || found.region !== ''))
    refuse('station', 'two-places', 'A record asks for a station or for where it lies, not for both.');
  return found;
};
