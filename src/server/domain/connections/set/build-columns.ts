import { compareTexts } from '#lib/compare-texts.ts';
import { toMinuteOfDay } from '#domain/time/dates.ts';
import { listWeekdays } from '#domain/time/period.ts';
import type { ConnectingFlight, ConnectionAirport } from '../flights/connecting-flight.ts';
import { createInterner } from './interner.ts';
import type { Drafts, RecordDraft } from './record-drafts.ts';
import { toColumn, type ColumnName, type CountColumns, type MutableColumns, type SetColumns } from './set-columns.ts';

/** The texts that columns refer to by number. */
export type SetTexts = {
  readonly carriers: readonly string[];
  readonly suffixes: readonly string[];
  readonly terminals: readonly string[];
  readonly equipment: readonly string[];
  readonly restrictions: readonly string[];
};

const FINGERPRINT_BYTES = 32;
const statusNumbers = { '': 0, D: 1, I: 2 } as const;

/** Returns for each text its index after sorting. */
const rankTexts = (texts: readonly string[]): readonly number[] => {
  const order = [...texts.keys()].toSorted((one, other) => compareTexts(texts[one] ?? '', texts[other] ?? ''));
  const ranks = Array.from({ length: texts.length }, () => 0);
  for (const [rank, number] of order.entries()) ranks[number] = rank;
  return ranks;
};

/** Returns the index of the first item of each group, and the end of the last; items are sorted by group. */
const groupStarts = (groups: number, items: number, groupOf: (item: number) => number): readonly number[] => {
  const counts = Array.from({ length: groups + 1 }, () => 0);
  for (let item = 0; item < items; item += 1) counts[groupOf(item) + 1] = (counts[groupOf(item) + 1] ?? 0) + 1;
  for (let group = 0; group < groups; group += 1) counts[group + 1] = (counts[group + 1] ?? 0) + (counts[group] ?? 0);
  return counts;
};

const encodeFlags = (flight: ConnectingFlight, fingerprint: string): number =>
  (flight.isMarketing ? 1 : 0) |
  (statusNumbers[flight.departureStatus] << 1) |
  (statusNumbers[flight.arrivalStatus] << 3) |
  (fingerprint === '' ? 0 : 0b10_0000);

/** Numbers classes within their airport, each with a record that represents it. */
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
  const representatives = members.flatMap((classes) => [...classes.values()].map(({ record }) => record));
  const begin = [0];
  for (const classes of members) begin.push((begin.at(-1) ?? 0) + classes.size);
  return { locals, representatives, begin };
};

const findRepresentatives = (
  records: readonly RecordDraft[],
  keys: number,
  keyOf: (record: RecordDraft) => number,
): readonly number[] => {
  const representatives = Array.from({ length: keys }, () => 0);
  for (const [index, record] of records.entries()) representatives[keyOf(record)] = index;
  return representatives;
};

/** A unit with its record and airports, in numbers of the set. */
type PlacedUnit = {
  readonly record: number;
  readonly board: number;
  readonly off: number;
  readonly departure: number;
  readonly arrival: number;
  readonly fromDate: number;
  readonly mask: number;
};

const compareInJoinOrder = (one: PlacedUnit, other: PlacedUnit): number =>
  one.board - other.board ||
  toMinuteOfDay(one.departure) - toMinuteOfDay(other.departure) ||
  one.record - other.record ||
  one.fromDate - other.fromDate;

const buildUnitColumns = (
  units: readonly PlacedUnit[],
  { records, airports }: { readonly records: number; readonly airports: number },
) => {
  const byRecord = [...units.keys()].toSorted(
    (one, other) => (units[one]?.record ?? 0) - (units[other]?.record ?? 0) || one - other,
  );
  const unitsByRoute = [...units.keys()].toSorted(
    (one, other) =>
      (units[one]?.board ?? 0) - (units[other]?.board ?? 0) ||
      (units[one]?.off ?? 0) - (units[other]?.off ?? 0) ||
      one - other,
  );
  return {
    recordUnits: toColumn(
      'recordUnits',
      groupStarts(records, units.length, (index) => units[byRecord[index] ?? 0]?.record ?? 0),
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
      units.map(({ fromDate }) => fromDate),
    ),
    boardUnits: toColumn(
      'boardUnits',
      groupStarts(airports, units.length, (index) => units[index]?.board ?? 0),
    ),
    unitsByRoute: toColumn('unitsByRoute', unitsByRoute),
  };
};

const joinMasks = (masks: readonly Uint32Array[], words: number): Uint32Array<ArrayBuffer> => {
  const joined = new Uint32Array(masks.length * words);
  for (const [index, mask] of masks.entries()) joined.set(mask, index * words);
  return joined;
};

const joinFingerprints = (records: readonly RecordDraft[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(records.length * FINGERPRINT_BYTES);
  for (const [index, { fingerprint }] of records.entries())
    bytes.set(Buffer.from(fingerprint, 'hex'), index * FINGERPRINT_BYTES);
  return bytes;
};

const compareInListingOrder =
  (airportRanks: readonly number[]) =>
  (one: RecordDraft, other: RecordDraft): number => {
    const [a, b] = [one.of.flight, other.of.flight];
    return (
      (airportRanks[one.of.board] ?? 0) - (airportRanks[other.of.board] ?? 0) ||
      one.record.departureLocalMinutes - other.record.departureLocalMinutes ||
      compareTexts(a.carrier, b.carrier) ||
      a.flightNumber - b.flightNumber ||
      compareTexts(a.suffix, b.suffix) ||
      one.record.period.from - other.record.period.from ||
      (airportRanks[one.of.off] ?? 0) - (airportRanks[other.of.off] ?? 0) ||
      one.record.period.to - other.record.period.to ||
      compareTexts(listWeekdays(one.record.period.days).join(''), listWeekdays(other.record.period.days).join('')) ||
      one.record.period.everyWeeks - other.record.period.everyWeeks ||
      one.record.arrivalLocalMinutes - other.record.arrivalLocalMinutes ||
      compareTexts(one.fingerprint, other.fingerprint)
    );
  };

/** The sorted records of a set, and the numbers of what they refer to. */
type SortedDrafts = {
  readonly records: readonly RecordDraft[];
  readonly airports: readonly ConnectionAirport[];
  readonly carriers: readonly string[];
  readonly rankOf: (airport: number) => number;
  readonly boardOf: (draft: RecordDraft) => number;
  readonly offOf: (draft: RecordDraft) => number;
};

const sortDrafts = (drafts: Drafts): SortedDrafts => {
  const airportRanks = rankTexts(drafts.airports.map(({ iata }) => iata));
  const records = drafts.records.toSorted(compareInListingOrder(airportRanks));
  const rankOf = (airport: number): number => airportRanks[airport] ?? 0;
  const designators = records.flatMap(({ of: { flight } }) => [
    flight.carrier,
    flight.operating.carrier,
    flight.operatingCarrier,
  ]);
  return {
    records,
    airports: drafts.airports.toSorted((one, other) => compareTexts(one.iata, other.iata)),
    carriers: [...new Set(designators)].toSorted(compareTexts),
    rankOf,
    boardOf: ({ of }) => rankOf(of.board),
    offOf: ({ of }) => rankOf(of.off),
  };
};

const buildRecordColumns = ({ records, carriers, boardOf, offOf }: SortedDrafts) => {
  const carrierNumbers = new Map(carriers.map((carrier, number) => [carrier, number]));
  const [suffixes, terminals] = [createInterner(), createInterner()];
  const [equipment, restrictions] = [createInterner(), createInterner()];
  const column = <Name extends ColumnName>(name: Name, valueOf: (draft: RecordDraft) => number): SetColumns[Name] =>
    toColumn(name, records.map(valueOf));
  const flightColumn = <Name extends ColumnName>(name: Name, valueOf: (flight: ConnectingFlight) => number) =>
    column(name, ({ of }) => valueOf(of.flight));
  const columns = {
    recordBoard: column('recordBoard', boardOf),
    recordOff: column('recordOff', offOf),
    recordDeparture: column('recordDeparture', ({ record }) => record.departureLocalMinutes),
    recordArrival: column('recordArrival', ({ record }) => record.arrivalLocalMinutes),
    recordLastLegDays: column('recordLastLegDays', ({ record }) => record.lastLegArrivalDays),
    recordPeriod: column('recordPeriod', ({ period }) => period),
    recordCarrier: flightColumn('recordCarrier', ({ carrier }) => carrierNumbers.get(carrier) ?? 0),
    recordNumber: flightColumn('recordNumber', ({ flightNumber }) => flightNumber),
    recordSuffix: flightColumn('recordSuffix', ({ suffix }) => suffixes.idOf(suffix)),
    recordOperatingCarrier: flightColumn(
      'recordOperatingCarrier',
      ({ operating }) => carrierNumbers.get(operating.carrier) ?? 0,
    ),
    recordOperatingNumber: flightColumn('recordOperatingNumber', ({ operating }) => operating.flightNumber),
    recordOperatingSuffix: flightColumn('recordOperatingSuffix', ({ operating }) => suffixes.idOf(operating.suffix)),
    recordOperator: flightColumn('recordOperator', ({ operatingCarrier }) => carrierNumbers.get(operatingCarrier) ?? 0),
    recordFlags: column('recordFlags', ({ of, fingerprint }) => encodeFlags(of.flight, fingerprint)),
    recordServiceType: flightColumn('recordServiceType', ({ serviceType }) => serviceType.charCodeAt(0)),
    recordDepartureTerminal: flightColumn('recordDepartureTerminal', (flight) =>
      terminals.idOf(flight.departureTerminal),
    ),
    recordArrivalTerminal: flightColumn('recordArrivalTerminal', (flight) => terminals.idOf(flight.arrivalTerminal)),
    recordRoute: column('recordRoute', ({ of }) => of.route),
    recordEquipment: flightColumn('recordEquipment', (flight) => equipment.idOf(JSON.stringify(flight.equipment))),
    recordRestrictions: flightColumn('recordRestrictions', (flight) =>
      restrictions.idOf(JSON.stringify(flight.restrictions)),
    ),
    recordFlight: column('recordFlight', ({ of }) => of.designator),
    recordOperatingFlight: column('recordOperatingFlight', ({ of }) => of.operating),
    recordLeg1Key: column('recordLeg1Key', ({ of }) => of.leg1Key),
    recordLeg2Key: column('recordLeg2Key', ({ of }) => of.leg2Key),
    recordFingerprint: joinFingerprints(records),
  };
  const texts: SetTexts = {
    carriers,
    suffixes: suffixes.texts(),
    terminals: terminals.texts(),
    equipment: equipment.texts(),
    restrictions: restrictions.texts(),
  };
  return { columns, texts };
};

/** The records by departure and arrival airport. */
const buildAirportColumns = ({ records, airports, boardOf, offOf }: SortedDrafts) => {
  const offs = records.map(offOf);
  const boards = records.map(boardOf);
  const byOff = [...records.keys()].toSorted((one, other) => (offs[one] ?? 0) - (offs[other] ?? 0) || one - other);
  return {
    boardRecords: toColumn(
      'boardRecords',
      groupStarts(airports.length, records.length, (index) => boards[index] ?? 0),
    ),
    recordsByOff: toColumn('recordsByOff', byOff),
    offRecords: toColumn(
      'offRecords',
      groupStarts(airports.length, records.length, (index) => offs[byOff[index] ?? 0] ?? 0),
    ),
  };
};

const buildPeriodColumns = (periods: Drafts['periods']) => ({
  periodFrom: toColumn(
    'periodFrom',
    periods.map(({ from }) => from),
  ),
  periodTo: toColumn(
    'periodTo',
    periods.map(({ to }) => to),
  ),
  periodDays: toColumn(
    'periodDays',
    periods.map(({ days }) => days),
  ),
  periodWeeks: toColumn(
    'periodWeeks',
    periods.map(({ everyWeeks }) => everyWeeks),
  ),
});

/** The MCT classes of records within their airports, and a representative of each class and key. */
const buildClassColumns = ({ records, airports, boardOf, offOf }: SortedDrafts, drafts: Drafts) => {
  const arrival = groupClasses(records, airports.length, { classOf: ({ of }) => of.arrivalClass, airportOf: offOf });
  const departure = groupClasses(records, airports.length, {
    classOf: ({ of }) => of.departureClass,
    airportOf: boardOf,
  });
  return {
    recordArrivalClass: toColumn('recordArrivalClass', arrival.locals),
    recordDepartureClass: toColumn('recordDepartureClass', departure.locals),
    leg1KeyRecord: toColumn(
      'leg1KeyRecord',
      findRepresentatives(records, drafts.leg1Keys, ({ of }) => of.leg1Key),
    ),
    leg2KeyRecord: toColumn(
      'leg2KeyRecord',
      findRepresentatives(records, drafts.leg2Keys, ({ of }) => of.leg2Key),
    ),
    arrivalClassRecord: toColumn('arrivalClassRecord', arrival.representatives),
    arrivalClasses: toColumn('arrivalClasses', arrival.begin),
    departureClassRecord: toColumn('departureClassRecord', departure.representatives),
    departureClasses: toColumn('departureClasses', departure.begin),
  };
};

/** Sorts and converts collected records into columns; returns the airports in their order and the texts as well. */
export const buildColumns = (drafts: Drafts, words: number) => {
  const sorted = sortDrafts(drafts);
  const { records, airports, rankOf, boardOf, offOf } = sorted;
  const units: PlacedUnit[] = records.flatMap((draft, record) =>
    draft.units.map(({ from, ...unit }) => ({
      ...unit,
      fromDate: from,
      record,
      board: boardOf(draft),
      off: offOf(draft),
    })),
  );
  const recordColumns = buildRecordColumns(sorted);
  const columns: Omit<MutableColumns, 'mct' | keyof CountColumns> = {
    ...recordColumns.columns,
    ...buildUnitColumns(units.toSorted(compareInJoinOrder), { records: records.length, airports: airports.length }),
    ...buildAirportColumns(sorted),
    ...buildPeriodColumns(drafts.periods),
    masks: joinMasks(drafts.masks, words),
    ...buildClassColumns(sorted, drafts),
  };
  const routes = drafts.routes.map((route) => route.split(' ').map((number) => rankOf(Number(number))));
  return { columns, airports, routes, texts: recordColumns.texts };
};
