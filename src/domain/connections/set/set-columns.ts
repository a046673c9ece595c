import type { ConnectionSetData } from './connection-set-data.ts';

/**
 * The columns of a set. A **record** is a flight between two airports with its dates and local times, numbered by departure airport, local
 * departure time, designator and first day: the order of the listing. A **unit** is the part of a record in which UTC times are constant too,
 * numbered by departure airport and minute of the UTC day: what is joined. Days are counted from the local date of departure.
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
  /** Bit 0: marketing; bits 1-2 and 3-4: status at departure and arrival (0 none, 1 D, 2 I); bit 5: has a fingerprint. */
  recordFlags: Uint8Array,
  recordServiceType: Uint8Array,
  recordDepartureTerminal: Uint16Array,
  recordArrivalTerminal: Uint16Array,
  recordRoute: Uint32Array,
  recordEquipment: Uint16Array,
  recordRestrictions: Uint16Array,
  /** Numbers of flights that may be operated as one and the same, for the rule `same-flight`. */
  recordFlight: Uint32Array,
  recordOperatingFlight: Uint32Array,
  recordLeg1Key: Uint32Array,
  recordLeg2Key: Uint32Array,
  /** The class of its arrival, and of its departure, among those of the airport. */
  recordArrivalClass: Uint32Array,
  recordDepartureClass: Uint32Array,
  /** 32 bytes a record. */
  recordFingerprint: Uint8Array,
  /** Where the units of a record stand in `unitsOfRecord`; one more than there are records. */
  recordUnits: Uint32Array,
  unitsOfRecord: Uint32Array,
  unitRecord: Uint32Array,
  /** UTC minutes after the first minute of the local date of departure, read as a UTC date. */
  unitDeparture: Int16Array,
  unitArrival: Int16Array,
  /** Number of its dates in `masks`. */
  unitMask: Uint32Array,
  /** The local date from which it holds. */
  unitFrom: Int32Array,
  /** First unit of each departure airport; one more than there are airports. */
  boardUnits: Uint32Array,
  /** Units by departure airport, arrival airport and minute of the UTC day. */
  unitsByRoute: Uint32Array,
  /** First record of each departure airport; one more than there are airports. */
  boardRecords: Uint32Array,
  /** Records by arrival airport, and the first of each airport; one more than there are airports. */
  recordsByOff: Uint32Array,
  offRecords: Uint32Array,
  periodFrom: Int32Array,
  periodTo: Int32Array,
  periodDays: Uint8Array,
  periodWeeks: Uint8Array,
  masks: Uint32Array,
  /** A record of each key and class, which speaks for all of them. */
  leg1KeyRecord: Uint32Array,
  leg2KeyRecord: Uint32Array,
  arrivalClassRecord: Uint32Array,
  arrivalClasses: Uint32Array,
  departureClassRecord: Uint32Array,
  departureClasses: Uint32Array,
  /** The file of minimum connecting times: JSON of `MctFile.records` in lists, one a line, those that win over others first. */
  mct: Uint8Array,
} as const;

type Layouts = typeof columnTypes;
export type ColumnName = keyof Layouts;
export type SetColumns = { readonly [Name in ColumnName]: InstanceType<Layouts[Name]> };
export type MutableColumns = { [Name in ColumnName]: InstanceType<Layouts[Name]> };

const copyOf = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
};

const isName = (name: string): name is ColumnName => Object.hasOwn(columnTypes, name);

/** The names of all columns. */
export const columnNames: readonly ColumnName[] = Object.keys(columnTypes).filter(isName);

/** Reads the columns out of a set's bytes, one a step; throws when the set lacks one. */
export function* readColumns(data: ConnectionSetData): Generator<void, SetColumns> {
  const columns: Partial<Record<ColumnName, SetColumns[ColumnName]>> = {};
  for (const name of columnNames) {
    const bytes = data.columns[name];
    if (bytes === undefined) throw new Error(`the set of connections has no column ${name}`);
    // Bytes out of the middle of a buffer need not lie where numbers of four bytes must.
    columns[name] = new columnTypes[name](copyOf(bytes));
    yield;
  }
  return columns as SetColumns;
}

/** A column of numbers that are at hand as a list. Throws when one is too large for it: it would come back as another number. */
export const toColumn = <Name extends ColumnName>(name: Name, values: readonly number[]): SetColumns[Name] => {
  const column = columnTypes[name].from(values);
  const lost = values.findIndex((value, index) => column[index] !== value);
  if (lost >= 0) throw new RangeError(`the column ${name} of a set of connections cannot hold ${values[lost]}`);
  return column as SetColumns[Name];
};

/** The bytes of a column, as they are. */
export const toBytes = (array: SetColumns[ColumnName]): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
