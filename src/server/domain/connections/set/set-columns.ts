import type { ConnectionSetData } from './connection-set-data.ts';

/**
 * The columns of a set. A **record** is a flight between two airports with its dates and local times, numbered by departure airport, local departure
 * time, designator and first day (listing order). A **unit** is a part of a record with constant UTC times, numbered by departure airport and minute
 * of the UTC day (join order). Days count from the local date of departure.
 */
const columnTypes = {
  recordBoard: Uint16Array,
  recordOff: Uint16Array,
  recordDeparture: Uint16Array,
  recordArrival: Int16Array,
  recordLastLegDays: Int16Array,
  recordPeriod: Uint32Array,
  recordCarrier: Uint16Array,
  recordNumber: Uint16Array,
  recordSuffix: Uint8Array,
  recordOperatingCarrier: Uint16Array,
  recordOperatingNumber: Uint16Array,
  recordOperatingSuffix: Uint8Array,
  /** The operating carrier: that of the operating flight, or the disclosed one. */
  recordOperator: Uint16Array,
  /** Bit 0: marketing; bits 1-2 and 3-4: status at departure and arrival (0 none, 1 D, 2 I); bit 5: has a fingerprint. */
  recordFlags: Uint8Array,
  recordServiceType: Uint8Array,
  recordDepartureTerminal: Uint16Array,
  recordArrivalTerminal: Uint16Array,
  recordRoute: Uint32Array,
  recordEquipment: Uint16Array,
  recordRestrictions: Uint16Array,
  /** Numbers of designators and of operating flights, for the rule `same-flight`. */
  recordFlight: Uint32Array,
  recordOperatingFlight: Uint32Array,
  recordLeg1Key: Uint32Array,
  recordLeg2Key: Uint32Array,
  /** The MCT class of its arrival and of its departure, numbered within the airport. */
  recordArrivalClass: Uint32Array,
  recordDepartureClass: Uint32Array,
  /** 32 bytes for each record. */
  recordFingerprint: Uint8Array,
  /** Index in `unitsOfRecord` of the first unit of each record; one entry more than records. */
  recordUnits: Uint32Array,
  unitsOfRecord: Uint32Array,
  unitRecord: Uint32Array,
  /** UTC minutes since 00:00 UTC of the local date of departure. */
  unitDeparture: Int16Array,
  unitArrival: Int16Array,
  /** Number of its mask in `masks`. */
  unitMask: Uint32Array,
  /** First local date of the unit. */
  unitFrom: Int32Array,
  /** First unit of each departure airport; one entry more than airports. */
  boardUnits: Uint32Array,
  /** Units by departure airport, arrival airport and minute of the UTC day. */
  unitsByRoute: Uint32Array,
  /** First record of each departure airport; one entry more than airports. */
  boardRecords: Uint32Array,
  /** Records by arrival airport, and the first of each airport; one entry more than airports. */
  recordsByOff: Uint32Array,
  offRecords: Uint32Array,
  periodFrom: Int32Array,
  periodTo: Int32Array,
  periodDays: Uint8Array,
  periodWeeks: Uint8Array,
  masks: Uint32Array,
  /** A record that represents each key and class. */
  leg1KeyRecord: Uint32Array,
  leg2KeyRecord: Uint32Array,
  arrivalClassRecord: Uint32Array,
  arrivalClasses: Uint32Array,
  departureClassRecord: Uint32Array,
  departureClasses: Uint32Array,
  /** Airports with counts of connections by day, ascending, and the counts (search/connection-counts.ts). */
  departureAirports: Uint16Array,
  departureCounts: Uint32Array,
  viaAirports: Uint16Array,
  viaCounts: Uint32Array,
  arrivalAirports: Uint16Array,
  arrivalCounts: Uint32Array,
  /** The MCT file: JSON of `MctFile.records` in lists, one a line, in order of precedence. */
  mct: Uint8Array,
} as const;

type Layouts = typeof columnTypes;
export type ColumnName = keyof Layouts;
export type SetColumns = { readonly [Name in ColumnName]: InstanceType<Layouts[Name]> };
export type CountColumns = Pick<
  SetColumns,
  'departureAirports' | 'departureCounts' | 'viaAirports' | 'viaCounts' | 'arrivalAirports' | 'arrivalCounts'
>;
export type MutableColumns = { [Name in ColumnName]: InstanceType<Layouts[Name]> };

const copyBytes = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
};

const isName = (name: string): name is ColumnName => Object.hasOwn(columnTypes, name);

/** The names of all columns. */
export const columnNames: readonly ColumnName[] = Object.keys(columnTypes).filter(isName);

/** Reads the columns of a set, one in each step; throws when one is missing. */
export function* readColumns(data: ConnectionSetData): Generator<void, SetColumns> {
  const columns: Partial<Record<ColumnName, SetColumns[ColumnName]>> = {};
  for (const name of columnNames) {
    const bytes = data.columns[name];
    if (bytes === undefined) throw new Error(`the connection set has no column ${name}`);
    // Copied because a slice of a buffer may not be aligned to four bytes.
    columns[name] = new columnTypes[name](copyBytes(bytes));
    yield;
  }
  return columns as SetColumns;
}

/** Converts numbers to a column. Throws when a number exceeds the range of the column. */
export const toColumn = <Name extends ColumnName>(name: Name, values: readonly number[]): SetColumns[Name] => {
  const column = columnTypes[name].from(values);
  const overflow = values.findIndex((value, index) => column[index] !== value);
  if (overflow >= 0) throw new RangeError(`the column ${name} of a connection set cannot store ${values[overflow]}`);
  return column as SetColumns[Name];
};

/** Returns the bytes of a column without copying. */
export const toBytes = (array: SetColumns[ColumnName]): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
