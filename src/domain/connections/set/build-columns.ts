import { minuteOfDay } from '../../time/dates.ts';
import type { ConnectingFlight } from '../flights/connecting-flight.ts';
import { createInterner } from './interner.ts';
import type { Drafts, RecordDraft } from './record-drafts.ts';
import { toColumn, type MutableColumns } from './set-columns.ts';

/** Texts that columns point at. */
export type SetTexts = {
  readonly carriers: readonly string[];
  readonly suffixes: readonly string[];
  readonly terminals: readonly string[];
  readonly equipment: readonly string[];
  readonly restrictions: readonly string[];
};

const FINGERPRINT_BYTES = 32;
const statusNumbers = { '': 0, D: 1, I: 2 } as const;

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The places of numbers after their texts have been sorted. */
const ranks = (texts: readonly string[]): readonly number[] => {
  const order = [...texts.keys()].toSorted((one, other) => byText(texts[one] ?? '', texts[other] ?? ''));
  const places = Array.from({ length: texts.length }, () => 0);
  for (const [place, number] of order.entries()) places[number] = place;
  return places;
};

/** Where the items of each group begin, and the end of the last: `groupOf` must not decrease. */
const starts = (groups: number, items: number, groupOf: (item: number) => number): readonly number[] => {
  const counts = Array.from({ length: groups + 1 }, () => 0);
  for (let item = 0; item < items; item += 1) counts[groupOf(item) + 1] = (counts[groupOf(item) + 1] ?? 0) + 1;
  for (let group = 0; group < groups; group += 1) counts[group + 1] = (counts[group + 1] ?? 0) + (counts[group] ?? 0);
  return counts;
};

const flagsOf = (flight: ConnectingFlight, fingerprint: string): number =>
  (flight.isMarketing ? 1 : 0) |
  (statusNumbers[flight.departureStatus] << 1) |
  (statusNumbers[flight.arrivalStatus] << 3) |
  (fingerprint === '' ? 0 : 0b10_0000);

/** Numbers classes within their airport; a record of each speaks for it. */
const groupClasses = (
  records: readonly RecordDraft[],
  airports: number,
  {
    classOf,
    airportOf,
  }: { readonly classOf: (record: RecordDraft) => number; readonly airportOf: (record: RecordDraft) => number },
) => {
  const members = Array.from(
    { length: airports },
    () => new Map<number, { readonly local: number; readonly record: number }>(),
  );
  const locals = records.map((record, index) => {
    const classes = members[airportOf(record)];
    const known = classes?.get(classOf(record));
    if (known) return known.local;
    const local = classes?.size ?? 0;
    classes?.set(classOf(record), { local, record: index });
    return local;
  });
  const speakers = members.flatMap((classes) => [...classes.values()].map(({ record }) => record));
  const begin = [0];
  for (const classes of members) begin.push((begin.at(-1) ?? 0) + classes.size);
  return { locals, speakers, begin };
};

const speakersOf = (
  records: readonly RecordDraft[],
  keys: number,
  keyOf: (record: RecordDraft) => number,
): readonly number[] => {
  const speakers = Array.from({ length: keys }, () => 0);
  for (const [index, record] of records.entries()) speakers[keyOf(record)] = index;
  return speakers;
};

/** A unit with where it belongs, in the numbers of the set. */
type PlacedUnit = {
  readonly record: number;
  readonly board: number;
  readonly off: number;
  readonly departure: number;
  readonly arrival: number;
  readonly fromDate: number;
  readonly mask: number;
};

const inJoinOrder = (one: PlacedUnit, other: PlacedUnit): number =>
  one.board - other.board ||
  minuteOfDay(one.departure) - minuteOfDay(other.departure) ||
  one.record - other.record ||
  one.fromDate - other.fromDate;

const unitColumns = (
  units: readonly PlacedUnit[],
  { records, airports }: { readonly records: number; readonly airports: number },
) => {
  const byRecord = [...units.keys()].toSorted(
    (one, other) => (units[one]?.record ?? 0) - (units[other]?.record ?? 0) || one - other,
  );
  const byRoute = [...units.keys()].toSorted(
    (one, other) =>
      (units[one]?.board ?? 0) - (units[other]?.board ?? 0) ||
      (units[one]?.off ?? 0) - (units[other]?.off ?? 0) ||
      one - other,
  );
  return {
    recordUnits: toColumn(
      'recordUnits',
      starts(records, units.length, (index) => units[byRecord[index] ?? 0]?.record ?? 0),
    ),
    unitsOfRecord: toColumn('unitsOfRecord', byRecord),
    unitRecord: toColumn(
      'unitRecord',
      units.map(({ record }) => record),
    ),
    unitDeparture: toColumn(
      'unitDeparture',
      units.map(({ departure }) => departure),
    ),
    unitArrival: toColumn(
      'unitArrival',
      units.map(({ arrival }) => arrival),
    ),
    unitMask: toColumn(
      'unitMask',
      units.map(({ mask }) => mask),
    ),
    unitFrom: toColumn(
      'unitFrom',
      units.map(({ fromDate: from }) => from),
    ),
    boardUnits: toColumn(
      'boardUnits',
      starts(airports, units.length, (index) => units[index]?.board ?? 0),
    ),
    unitsByRoute: toColumn('unitsByRoute', byRoute),
  };
};

const joinMasks = (masks: readonly Uint32Array[], words: number): Uint32Array<ArrayBuffer> => {
  const joined = new Uint32Array(masks.length * words);
  for (const [index, mask] of masks.entries()) joined.set(mask, index * words);
  return joined;
};

const fingerprintsOf = (records: readonly RecordDraft[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(records.length * FINGERPRINT_BYTES);
  for (const [index, { fingerprint }] of records.entries())
    bytes.set(Buffer.from(fingerprint, 'hex'), index * FINGERPRINT_BYTES);
  return bytes;
};

const inListingOrder =
  (airportRanks: readonly number[]) =>
  (one: RecordDraft, other: RecordDraft): number => {
    const [a, b] = [one.of.flight, other.of.flight];
    return (
      (airportRanks[one.of.board] ?? 0) - (airportRanks[other.of.board] ?? 0) ||
      one.record.departureLocalMinutes - other.record.departureLocalMinutes ||
      byText(a.carrier, b.carrier) ||
      a.flightNumber - b.flightNumber ||
      byText(a.suffix, b.suffix) ||
      one.record.period.from - other.record.period.from ||
      (airportRanks[one.of.off] ?? 0) - (airportRanks[other.of.off] ?? 0) ||
      byText(one.fingerprint, other.fingerprint)
    );
  };

/** Lays out drafts as columns; answers the airports in their order, and the texts. */
export const buildColumns = (drafts: Drafts, words: number) => {
  const airportRanks = ranks(drafts.airports.map(({ iata }) => iata));
  const airports = drafts.airports.toSorted((one, other) => byText(one.iata, other.iata));
  const records = drafts.records.toSorted(inListingOrder(airportRanks));
  const rankOf = (airport: number): number => airportRanks[airport] ?? 0;
  const boardOf = ({ of }: RecordDraft): number => rankOf(of.board);
  const offOf = ({ of }: RecordDraft): number => rankOf(of.off);
  const carriers = [
    ...new Set(records.flatMap(({ of: { flight } }) => [flight.carrier, flight.operating.carrier])),
  ].toSorted(byText);
  const carrierNumbers = new Map(carriers.map((carrier, number) => [carrier, number]));
  const [suffixes, terminals] = [createInterner(), createInterner()];
  const [equipment, restrictions] = [createInterner(), createInterner()];
  const units: PlacedUnit[] = records.flatMap((draft, record) =>
    draft.units.map(({ from, ...unit }) => ({
      ...unit,
      fromDate: from,
      record,
      board: boardOf(draft),
      off: offOf(draft),
    })),
  );
  const placed = units.toSorted(inJoinOrder);
  const arrival = groupClasses(records, airports.length, { classOf: ({ of }) => of.arrivalClass, airportOf: offOf });
  const departure = groupClasses(records, airports.length, {
    classOf: ({ of }) => of.departureClass,
    airportOf: boardOf,
  });
  const byOff = [...records.keys()].toSorted((one, other) => {
    const [a, b] = [records[one], records[other]];
    return (a && b ? offOf(a) - offOf(b) : 0) || one - other;
  });
  const offAt = (index: number): number => {
    const record = records[byOff[index] ?? 0];
    return record ? offOf(record) : 0;
  };
  const boardAt = (index: number): number => {
    const record = records[index];
    return record ? boardOf(record) : 0;
  };
  const each = (of: (draft: RecordDraft) => number): readonly number[] => records.map(of);
  const columns: Omit<MutableColumns, 'mct'> = {
    recordBoard: toColumn('recordBoard', each(boardOf)),
    recordOff: toColumn('recordOff', each(offOf)),
    recordDeparture: toColumn(
      'recordDeparture',
      each(({ record }) => record.departureLocalMinutes),
    ),
    recordArrival: toColumn(
      'recordArrival',
      each(({ record }) => record.arrivalLocalMinutes),
    ),
    recordLastLegDays: toColumn(
      'recordLastLegDays',
      each(({ record }) => record.lastLegArrivalDays),
    ),
    recordPeriod: toColumn(
      'recordPeriod',
      each(({ period }) => period),
    ),
    recordCarrier: toColumn(
      'recordCarrier',
      each(({ of }) => carrierNumbers.get(of.flight.carrier) ?? 0),
    ),
    recordNumber: toColumn(
      'recordNumber',
      each(({ of }) => of.flight.flightNumber),
    ),
    recordSuffix: toColumn(
      'recordSuffix',
      each(({ of }) => suffixes.idOf(of.flight.suffix)),
    ),
    recordOperatingCarrier: toColumn(
      'recordOperatingCarrier',
      each(({ of }) => carrierNumbers.get(of.flight.operating.carrier) ?? 0),
    ),
    recordOperatingNumber: toColumn(
      'recordOperatingNumber',
      each(({ of }) => of.flight.operating.flightNumber),
    ),
    recordOperatingSuffix: toColumn(
      'recordOperatingSuffix',
      each(({ of }) => suffixes.idOf(of.flight.operating.suffix)),
    ),
    recordFlags: toColumn(
      'recordFlags',
      each(({ of, fingerprint }) => flagsOf(of.flight, fingerprint)),
    ),
    recordServiceType: toColumn(
      'recordServiceType',
      each(({ of }) => of.flight.serviceType.charCodeAt(0)),
    ),
    recordDepartureTerminal: toColumn(
      'recordDepartureTerminal',
      each(({ of }) => terminals.idOf(of.flight.departureTerminal)),
    ),
    recordArrivalTerminal: toColumn(
      'recordArrivalTerminal',
      each(({ of }) => terminals.idOf(of.flight.arrivalTerminal)),
    ),
    recordRoute: toColumn(
      'recordRoute',
      each(({ of }) => of.route),
    ),
    recordEquipment: toColumn(
      'recordEquipment',
      each(({ of }) => equipment.idOf(JSON.stringify(of.flight.equipment))),
    ),
    recordRestrictions: toColumn(
      'recordRestrictions',
      each(({ of }) => restrictions.idOf(JSON.stringify(of.flight.restrictions))),
    ),
    recordFlight: toColumn(
      'recordFlight',
      each(({ of }) => of.designator),
    ),
    recordOperatingFlight: toColumn(
      'recordOperatingFlight',
      each(({ of }) => of.operating),
    ),
    recordLeg1Key: toColumn(
      'recordLeg1Key',
      each(({ of }) => of.leg1Key),
    ),
    recordLeg2Key: toColumn(
      'recordLeg2Key',
      each(({ of }) => of.leg2Key),
    ),
    recordArrivalClass: toColumn('recordArrivalClass', arrival.locals),
    recordDepartureClass: toColumn('recordDepartureClass', departure.locals),
    recordFingerprint: fingerprintsOf(records),
    ...unitColumns(placed, { records: records.length, airports: airports.length }),
    boardRecords: toColumn('boardRecords', starts(airports.length, records.length, boardAt)),
    recordsByOff: toColumn('recordsByOff', byOff),
    offRecords: toColumn('offRecords', starts(airports.length, records.length, offAt)),
    periodFrom: toColumn(
      'periodFrom',
      drafts.periods.map(({ from }) => from),
    ),
    periodTo: toColumn(
      'periodTo',
      drafts.periods.map(({ to }) => to),
    ),
    periodDays: toColumn(
      'periodDays',
      drafts.periods.map(({ days }) => days),
    ),
    periodWeeks: toColumn(
      'periodWeeks',
      drafts.periods.map(({ everyWeeks }) => everyWeeks),
    ),
    masks: joinMasks(drafts.masks, words),
    leg1KeyRecord: toColumn(
      'leg1KeyRecord',
      speakersOf(records, drafts.leg1Keys, ({ of }) => of.leg1Key),
    ),
    leg2KeyRecord: toColumn(
      'leg2KeyRecord',
      speakersOf(records, drafts.leg2Keys, ({ of }) => of.leg2Key),
    ),
    arrivalClassRecord: toColumn('arrivalClassRecord', arrival.speakers),
    arrivalClasses: toColumn('arrivalClasses', arrival.begin),
    departureClassRecord: toColumn('departureClassRecord', departure.speakers),
    departureClasses: toColumn('departureClasses', departure.begin),
  };
  const routes = drafts.routes.map((route) => route.split(' ').map((number) => rankOf(Number(number))));
  const texts: SetTexts = {
    carriers,
    suffixes: suffixes.texts(),
    terminals: terminals.texts(),
    equipment: equipment.texts(),
    restrictions: restrictions.texts(),
  };
  return { columns, airports, routes, texts };
};
