import type { LocalDate } from '#domain/time/dates.ts';
import { operatesOn } from '#domain/time/period.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { ConnectingRecord } from '../flights/connecting-flight.ts';
import type { ConnectionSet } from './connection-set.ts';

/** Records of each carrier by number, indexed when a set is first queried for a flight. */
const recordsBySet = new WeakMap<ConnectionSet, readonly Uint32Array[]>();

const recordsByCarrier = ({ columns, header }: ConnectionSet): readonly Uint32Array[] => {
  const counts = new Uint32Array(header.carriers.length);
  for (const carrier of columns.recordCarrier) counts[carrier] = (counts[carrier] ?? 0) + 1;
  const lists = Array.from(counts, (count) => new Uint32Array(count));
  const filled = new Uint32Array(header.carriers.length);
  for (const [record, carrier] of columns.recordCarrier.entries()) {
    const at = filled[carrier] ?? 0;
    const list = lists[carrier];
    if (list) list[at] = record;
    filled[carrier] = at + 1;
  }
  return lists;
};

/** A record of a set, and whether it departs on a local date. */
export type SetRecord = ConnectingRecord & { readonly departsOn: (date: LocalDate) => boolean };

/** Whether a record is not cancelled on a date of its period; outside the frame of the set, cancellations are not known. */
const isFlownOn = ({ columns, reader, frame }: ConnectionSet, record: number, date: LocalDate): boolean => {
  const bit = date - frame.base;
  if (bit < 0 || bit >= frame.words * 32) return true;
  return reader.unitsOf(record).some((unit) => {
    const word = columns.masks[(columns.unitMask[unit] ?? 0) * frame.words + (bit >>> 5)] ?? 0;
    return ((word >>> (bit & 31)) & 1) === 1;
  });
};

/** Lists the records of a flight, for all its board and off point pairs, in listing order; empty when the set does not contain it. */
export const listFlightRecords = (
  set: ConnectionSet,
  { carrier, flightNumber, suffix }: Designator,
): readonly SetRecord[] => {
  const lists = recordsBySet.get(set) ?? recordsByCarrier(set);
  recordsBySet.set(set, lists);
  const { columns, header, reader } = set;
  const [carrierNumber, suffixNumber] = [header.carriers.indexOf(carrier), header.suffixes.indexOf(suffix)];
  const ofFlight = (lists[carrierNumber] ?? new Uint32Array()).filter(
    (record) => columns.recordNumber[record] === flightNumber && columns.recordSuffix[record] === suffixNumber,
  );
  return Array.from(ofFlight, (number) => {
    const record = reader.recordAt(number);
    const departsOn = (date: LocalDate): boolean =>
      operatesOn(record.record.period, date) && isFlownOn(set, number, date);
    return { ...record, departsOn };
  });
};

/** Lists the records that depart on a local date. */
export const listDepartingOn = (records: readonly SetRecord[], date: LocalDate): readonly SetRecord[] =>
  records.filter(({ departsOn }) => departsOn(date));
