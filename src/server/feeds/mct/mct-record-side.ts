import type { MctSide } from '#domain/connections/mct/mct-record.ts';
import * as ssim from '../ssim/field-formats.ts';
import { FeedError } from '../feed-error.ts';
import { readText, type Columns, type FieldFormat } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';
import { type MctField, readField } from './field-formats.ts';

type SideName = 'arrival' | 'departure';

/** Byte columns of the conditions on the flight of one side, 1-based and inclusive (SSIM chapter 8, record type 2). */
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

/** Fields about the other end of the flight, named `previous country`, `next country`. */
const fieldsBeyond: ReadonlySet<SideField> = new Set<SideField>(['country', 'station', 'state', 'region']);

const formatFieldName = (side: SideName, field: SideField): string =>
  `${fieldsBeyond.has(field) ? (side === 'arrival' ? 'previous' : 'next') : side} ${fieldNames[field]}`;

/** Parses the conditions of a record of 200 bytes on its arrival or departure. Throws a FeedError. */
export const parseRecordSide = (record: string, side: SideName): MctSide => {
  const toField = <T>(field: SideField, format: FieldFormat<T>): MctField<T> => ({
    name: formatFieldName(side, field),
    columns: columns[side][field],
    format,
  });
  const readOptional = <T>(field: SideField, format: FieldFormat<T>): T | undefined =>
    readField(record, toField(field, format));
  const readString = (field: SideField, format: FieldFormat<string>): string => readOptional(field, format) ?? '';

  const reject = (field: SideField, reason: string, message: string): never => {
    throw new FeedError(message, {
      field: formatFieldName(side, field),
      bytes: columns[side][field],
      value: readText(record, columns[side][field]),
      reason,
    });
  };

  const readRange = (): MctSide['flights'] => {
    const [first, last] = [
      readOptional('firstFlight', formats.flightOfRangeFormat),
      readOptional('lastFlight', formats.flightOfRangeFormat),
    ];
    if (first === undefined && last === undefined) return undefined;
    if (first === undefined)
      return reject('firstFlight', 'half-range', 'The flight range has a last flight but no first flight.');
    if (last === undefined)
      return reject('lastFlight', 'half-range', 'The flight range has a first flight but no last flight.');
    if (last < first)
      return reject('lastFlight', 'bad-range', `The flight range ends before its first flight ${first}.`);
    return { from: first, to: last };
  };

  const parsed: MctSide = {
    carrier: readString('carrier', formats.carrierFormat),
    isCodeshare: readOptional('flag', formats.flagFormat) ?? false,
    operator: readString('operator', formats.carrierFormat),
    flights: readRange(),
    terminal: readString('terminal', formats.terminalFormat),
    station: readString('station', ssim.stationFormat),
    stateCode: readString('state', formats.stateFormat),
    countryCode: readString('country', formats.countryFormat),
    region: readString('region', formats.regionFormat),
    equipment: readString('equipment', ssim.equipmentFormat),
    body: readOptional('body', formats.bodyFormat) ?? '',
  };

  if (parsed.equipment !== '' && parsed.body !== '')
    reject('body', 'type-and-body', 'A record must not contain both an aircraft type and an aircraft body.');
  if (parsed.stateCode !== '' && parsed.countryCode === '')
    reject('state', 'state-without-country', 'A state requires a country.');
  if (parsed.region !== '' && parsed.countryCode !== '')
    reject('region', 'two-places', 'A record must not contain both a region and a country.');
  if (parsed.station !== '' && (parsed.countryCode !== '' || parsed.region !== ''))
    reject('station', 'two-places', 'A record must not contain both a station and a region, country or state.');
  return parsed;
};
