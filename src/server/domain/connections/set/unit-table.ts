import { MINUTES_A_DAY } from '#domain/time/dates.ts';
import type { SetColumns } from './set-columns.ts';
import type { SetDistances } from './set-distances.ts';

/** The properties of all units as leg 2, as columns in the order of `boardUnits`. */
export type UnitTable = {
  /** UTC minute of the day of departure, 0..1439. */
  readonly minute: Uint16Array;
  /** Days from the local departure date to the UTC departure date. */
  readonly day: Int8Array;
  /** Number of the airport. */
  readonly arrivalAirport: Uint16Array;
  /** Key of the record as leg 2; the use of a pair depends only on the keys of both legs. */
  readonly leg2Key: Uint32Array;
  /** Class of the record at its departure airport for minimum connecting times. */
  readonly departureClass: Uint32Array;
  /** Flown distance including stops; NaN where a position is unknown. */
  readonly metres: Float64Array;
  /** Number of the designator, and of that of the operating flight. */
  readonly flight: Uint32Array;
  readonly operatingFlight: Uint32Array;
  /** 1 when the record has more than one unit. */
  readonly isSplit: Uint8Array;
  /** First and last word of its mask that is not 0. */
  readonly firstWord: Uint8Array;
  readonly lastWord: Uint8Array;
};

const UNITS_A_STEP = 100_000;

const findExtents = (masks: Uint32Array, words: number): readonly { readonly first: number; readonly last: number }[] =>
  Array.from({ length: masks.length / words }, (_, mask) => {
    const own = masks.subarray(mask * words, (mask + 1) * words);
    return { first: own.findIndex((word) => word !== 0), last: own.findLastIndex((word) => word !== 0) };
  });

/** Builds the table from the columns, in steps of about a millisecond. */
export function* buildUnitTable(
  columns: SetColumns,
  { alongRoute }: SetDistances,
  words: number,
): Generator<void, UnitTable> {
  const extents = findExtents(columns.masks, words);
  yield;
  const {
    unitRecord,
    unitDeparture,
    recordOff,
    recordLeg2Key,
    recordDepartureClass,
    recordRoute,
    unitMask,
    recordUnits,
  } = columns;
  const count = unitRecord.length;
  const table = {
    minute: new Uint16Array(count),
    day: new Int8Array(count),
    arrivalAirport: new Uint16Array(count),
    leg2Key: new Uint32Array(count),
    departureClass: new Uint32Array(count),
    metres: new Float64Array(count),
    flight: new Uint32Array(count),
    operatingFlight: new Uint32Array(count),
    isSplit: new Uint8Array(count),
    firstWord: new Uint8Array(count),
    lastWord: new Uint8Array(count),
  };
  for (let unit = 0; unit < count; unit += 1) {
    const record = unitRecord[unit] ?? 0;
    const departure = unitDeparture[unit] ?? 0;
    const day = Math.floor(departure / MINUTES_A_DAY);
    table.day[unit] = day;
    table.minute[unit] = departure - day * MINUTES_A_DAY;
    table.arrivalAirport[unit] = recordOff[record] ?? 0;
    table.leg2Key[unit] = recordLeg2Key[record] ?? 0;
    table.departureClass[unit] = recordDepartureClass[record] ?? 0;
    table.metres[unit] = alongRoute[recordRoute[record] ?? 0] ?? Number.NaN;
    table.flight[unit] = columns.recordFlight[record] ?? 0;
    table.operatingFlight[unit] = columns.recordOperatingFlight[record] ?? 0;
    table.isSplit[unit] = (recordUnits[record + 1] ?? 0) - (recordUnits[record] ?? 0) > 1 ? 1 : 0;
    const { first, last } = extents[unitMask[unit] ?? 0] ?? { first: 0, last: words - 1 };
    table.firstWord[unit] = first;
    table.lastWord[unit] = last;
    if (unit % UNITS_A_STEP === UNITS_A_STEP - 1) yield;
  }
  return table;
}
