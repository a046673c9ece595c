import {
  addDays,
  buildLocalMinute,
  toDate,
  formatDate,
  formatMinute,
  localDate,
  MINUTES_A_DAY,
  type LocalDate,
  type LocalMinute,
} from '#domain/time/dates.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import type { Sql } from '../pool/database.ts';
import { takeRows } from '../pool/driver/driver.ts';
import { joinCodeshares, listSearchTerms } from './codeshares.ts';
import { bindValue, addFilter, createWhereClause, renderWhere, type WhereClause } from '../pool/where-clause.ts';

/** A span of local time, both ends included. */
export type TimeSpan = { readonly from: LocalMinute; readonly to: LocalMinute };

/** S scheduled, U unscheduled, G general aviation. */
export type FlightTypeLetter = 'S' | 'U' | 'G';

/** Selects instances. An undefined member does not filter; an empty list matches nothing. */
export type InstanceFilter = {
  /** Local departure. Always set it (by `addDepartureBounds` for a filter by arrival): it limits the partitions that are read. */
  readonly departs?: TimeSpan | undefined;
  /** Local arrival. */
  readonly arrives?: TimeSpan | undefined;
  /** Location ids. */
  readonly departures?: readonly number[] | undefined;
  readonly arrivals?: readonly number[] | undefined;
  /** Flights scheduled to one of these locations or diverted to one match; `arrivals` stays a filter of the scheduled arrival. */
  readonly scheduledOrDivertedTo?: readonly number[] | undefined;
  /** Carrier ids. */
  readonly carriers?: readonly number[] | undefined;
  /** The carriers of which codeshares match too, those that only operating flights name; none by default. */
  readonly codeshareCarriers?: readonly number[] | undefined;
  readonly flightNumber?: number | undefined;
  readonly flightTypes?: readonly FlightTypeLetter[] | undefined;
  /** One letter each; a blank selects flights without a service type. */
  readonly serviceTypes?: readonly string[] | undefined;
  readonly isMarketing?: boolean | undefined;
  /** Leaves out flights with stops as a whole. */
  readonly legsOnly?: true | undefined;
  /** Registration of the aircraft, without hyphens; a blocked one matches nothing. */
  readonly registration?: string | undefined;
};

/** The position of an instance in every list: by local departure, then by key. */
export type InstancePosition = { readonly departsAt: LocalMinute; readonly keyOrder: bigint };

/**
 * A list row as it comes from the database, as unparsed bytes. All buffers but `departsAt`, `keyOrder`, `statusOrder` and `original` are JSON text, set when
 * requested and known. `readInstancePosition` parses the position.
 */
export type ListedInstance = {
  readonly rowJson: Buffer;
  readonly departsAt: Buffer;
  readonly keyOrder: Buffer;
  /** Comes with the status. */
  readonly statusOrder: Buffer | undefined;
  /** On a recovery flight: date and key of the flight that it recovers, as in its URL; empty when that has none. */
  readonly original: Buffer | undefined;
  /** Whether another carrier operates the flight. */
  readonly isMarketing: boolean;
  /** The latest status. */
  readonly statusJson: Buffer | undefined;
  /** Seats as scheduled (`seatingCapacity` of the contract), of the actual aircraft, and as predicted. */
  readonly seatsJson: Buffer | undefined;
  readonly actualSeatsJson: Buffer | undefined;
  readonly predictedSeatsJson: Buffer | undefined;
  /** Set when the row is that of the operating flight of a codeshare, in whose place it is listed. */
  readonly codeshareJson: Buffer | undefined;
};

const endsWithDay = (span: TimeSpan): boolean => span.to % MINUTES_A_DAY === MINUTES_A_DAY - 1;
const isWholeDays = (span: TimeSpan): boolean => span.from % MINUTES_A_DAY === 0 && endsWithDay(span);

const addTimeSpan = (where: WhereClause, column: string, { from, to }: TimeSpan): void => {
  where.conditions.push(
    `${column} between ${bindValue(where, formatMinute(from))} and ${bindValue(where, formatMinute(to))}`,
  );
};

/** Returns the condition that the status of an instance is selected by a subquery on the status tables: a few rows, then an index lookup. */
const isStatusIn = (where: WhereClause, flights: string, { departs }: InstanceFilter): string => {
  const days = departs
    ? ` and s.departs_on between ${bindValue(where, formatDate(toDate(departs.from)))}::date and ${bindValue(where, formatDate(toDate(departs.to)))}::date`
    : '';
  return `i.status_order = any(array(${flights}${days}))`;
};

/** The list row of a leg contains this text. */
export const NO_STOPS = '"numberOfStops":0';

const addDivertedFilter = (where: WhereClause, filter: InstanceFilter, ids: readonly number[]): void => {
  const locations = `any(${bindValue(where, [...ids])}::int[])`;
  const diverted = `select s.status_order from flight_diversion s where s.location = ${locations}`;
  where.conditions.push(`(i.arrival = ${locations} or ${isStatusIn(where, diverted, filter)})`);
};

/** Adds the conditions that an instance and its codeshares have in common. */
const addCommonFilters = (where: WhereClause, filter: InstanceFilter): void => {
  if (filter.departs) addTimeSpan(where, 'i.departs_at', filter.departs);
  if (filter.arrives) addTimeSpan(where, 'i.arrives_at', filter.arrives);
  addFilter(where, 'i.departure', filter.departures);
  addFilter(where, 'i.arrival', filter.arrivals);
  if (filter.scheduledOrDivertedTo) addDivertedFilter(where, filter, filter.scheduledOrDivertedTo);
  addFilter(where, 'i.flight_type', filter.flightTypes);
  addFilter(where, 'i.service_type', filter.serviceTypes);
  if (filter.legsOnly) where.conditions.push(`strpos(i.doc, '${NO_STOPS}') > 0`);
  if (filter.registration !== undefined)
    where.conditions.push(
      isStatusIn(
        where,
        `select s.status_order from flight_status s where s.registration = ${bindValue(where, filter.registration)}
          and not exists (select from registration_block where registration = ${bindValue(where, filter.registration)})`,
        filter,
      ),
    );
};

const addInstanceFilters = (where: WhereClause, filter: InstanceFilter): void => {
  addCommonFilters(where, filter);
  addFilter(where, 'i.carrier', filter.carriers);
  if (filter.flightNumber !== undefined) addFilter(where, 'i.flight_number', [filter.flightNumber]);
  if (filter.isMarketing !== undefined)
    where.conditions.push(`i.is_marketing = ${bindValue(where, filter.isMarketing)}`);
};

/** The partners' own records have the keys of the codeshares that they replace: in this way the planner reads them once. */
const addFiledFilter = (
  where: WhereClause,
  keyOrder: string,
  { departs, codeshareCarriers, flightNumber }: InstanceFilter,
): void => {
  const filed = { conditions: [], values: where.values };
  const days = departs && {
    from: buildLocalMinute(toDate(departs.from), 0),
    to: buildLocalMinute(addDays(toDate(departs.to), 1), -1),
  };
  if (days) addTimeSpan(filed, 'f.departs_at', days);
  addFilter(filed, 'f.carrier', codeshareCarriers);
  if (flightNumber !== undefined) addFilter(filed, 'f.flight_number', [flightNumber]);
  where.conditions.push(`${keyOrder} not in (select f.key_order from flight_instance f ${renderWhere(filed)})`);
};

/** Instances that a statement selects, as tables and conditions: those stored as rows, or codeshares of such rows. */
type InstanceSource = {
  readonly isCodeshare: boolean;
  readonly from: string;
  /** The expression of `key_order`. */
  readonly keyOrder: string;
  readonly where: WhereClause;
  /** The tables of rows whose positions are the first selected ones, `position`; without it, `from` has the rows. */
  readonly rowsAt?: string;
};

const codeshareOrder = `(c.codeshare ->> 'order')::bigint`;
const storedSource = { isCodeshare: false, from: 'flight_instance i', keyOrder: 'i.key_order' };
const codeshareSource = { isCodeshare: true, from: `flight_instance i ${joinCodeshares}`, keyOrder: codeshareOrder };

/**
 * Codeshares by their positions: without a condition on their operating flights, a page needs only its own rows, and a count none. The rows are
 * a subquery of their own: otherwise the planner joins the tables of all days.
 */
const createPositionSource = (filter: InstanceFilter, { values }: WhereClause): InstanceSource => {
  const where = { conditions: [], values };
  if (filter.departs) addTimeSpan(where, 'i.departs_at', filter.departs);
  addFilter(where, 'i.carrier', filter.codeshareCarriers);
  addFiledFilter(where, 'i.key_order', filter);
  const rowsAt = `cross join lateral (select * from flight_instance r
      where r.departs_at = position.departs_at and r.key_order = position.operating_order offset 0) i
    join lateral jsonb_array_elements(i.codeshares) as c(codeshare) on ${codeshareOrder} = position.key_order`;
  return { isCodeshare: true, from: 'flight_codeshare i', keyOrder: 'i.key_order', where, rowsAt };
};

/**
 * Codeshares by the conditions on their operating flights. The instances are a subquery of their own: without it, the planner plans the
 * conditions for the table of each day.
 */
const createTermSource = (filter: InstanceFilter, { values }: WhereClause): InstanceSource => {
  const where = { conditions: [], values };
  const { codeshareCarriers = [], flightNumber } = filter;
  const operating = { conditions: [], values };
  addCommonFilters(operating, filter);
  const terms = listSearchTerms(codeshareCarriers, flightNumber === undefined ? undefined : [flightNumber]);
  addFilter(where, `(c.codeshare ->> 'carrierId')::int`, codeshareCarriers);
  if (flightNumber !== undefined) addFilter(where, `(c.codeshare ->> 'flightNumber')::int`, [flightNumber]);
  addFiledFilter(where, codeshareOrder, filter);
  const hasTerm = `i.codeshare_terms && ${bindValue(where, terms.map(String))}::bigint[]`;
  const from = `(select * from flight_instance i ${renderWhere(operating)} and ${hasTerm} offset 0) i ${joinCodeshares}`;
  return { ...codeshareSource, from, where };
};

/** Whether no member of a filter but days and carriers excludes codeshares: all of them are scheduled flights. */
const isByCarrierOnly = ({
  departs,
  carriers: _carriers,
  codeshareCarriers: _codeshareCarriers,
  isMarketing: _isMarketing,
  flightTypes = ['S'],
  ...rest
}: InstanceFilter): boolean =>
  departs !== undefined && flightTypes.includes('S') && Object.values(rest).every((value) => value === undefined);

const createSources = (filter: InstanceFilter): readonly [InstanceSource, ...InstanceSource[]] => {
  const where = createWhereClause();
  addInstanceFilters(where, filter);
  const stored = { ...storedSource, where };
  if (!filter.codeshareCarriers) return [stored];
  return [stored, isByCarrierOnly(filter) ? createPositionSource(filter, where) : createTermSource(filter, where)];
};

/**
 * Adds bounds of departure to a filter by arrival, so that only the partitions that can match are read. A flight lasts at most as long as the
 * longest of its day; across the date line it can arrive the day before it departs.
 */
export const addDepartureBounds = async (sql: Sql, filter: InstanceFilter): Promise<InstanceFilter> => {
  const { departs, arrives } = filter;
  if (departs || !arrives) return filter;
  const [row] = await sql<{ since: string | null }[]>`
    select min(day) as since from expanded_day where day + longest_days >= ${formatDate(toDate(arrives.from))}`;
  const from = row?.since ? localDate(row.since) : toDate(arrives.from);
  return {
    ...filter,
    departs: { from: buildLocalMinute(from, 0), to: buildLocalMinute(addDays(toDate(arrives.to), 2), -1) },
  };
};

/** Parses the position of a list row. */
export const readInstancePosition = ({ departsAt, keyOrder }: ListedInstance): InstancePosition => {
  const text = departsAt.toString('latin1');
  const date = (Date.parse(`${text.slice(0, 10)}T00:00Z`) / 86_400_000) as LocalDate;
  return {
    departsAt: buildLocalMinute(date, Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16))),
    keyOrder: BigInt(keyOrder.toString('latin1')),
  };
};

const none = Buffer.alloc(0);

/** The optional datasets of a list row. */
export type InstanceDatasets = { readonly withStatus: boolean; readonly withSeats: boolean };

const statusJoin = `left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order`;
const seatsJoin = `left join segment on segment.id = i.segment_id
    left join seat_prediction p on (p.carrier, p.flight_number, p.departure, p.arrival) = (i.carrier, i.flight_number, i.departure, i.arrival)
      and i.departs_at >= p.since`;

const renderJoins = ({ withStatus, withSeats }: InstanceDatasets): string =>
  [withStatus || withSeats ? statusJoin : '', withSeats ? seatsJoin : ''].join(' ');

/** Selects only the columns that the datasets need: every column costs time for each row of a page. */
const renderColumns = (
  { withStatus, withSeats }: InstanceDatasets,
  { isCodeshare, keyOrder }: Pick<InstanceSource, 'isCodeshare' | 'keyOrder'>,
): string =>
  [
    `i.doc, i.departs_at, ${keyOrder} as key_order, i.original, ${isCodeshare ? 'true' : 'i.is_marketing'} as is_marketing`,
    `${isCodeshare ? 'c.codeshare::text' : 'null::text'} as codeshare`,
    ...(withStatus ? [`i.status_order, nullif(s.doc, '') as status`] : []),
    ...(withSeats ? ['segment.seats as seats, s.seats as actual_seats, p.seats as predicted_seats'] : []),
  ].join(', ');

const BASE_COLUMNS = 6;
const TRUE = 't'.charCodeAt(0);
const STATUS_COLUMNS = 2;

type Columns = readonly (Buffer | null | undefined)[];

const createRowReader =
  ({ withStatus, withSeats }: InstanceDatasets) =>
  (columns: Columns): ListedInstance => {
    const [rowJson, departsAt, keyOrder, original, isMarketing, codeshare] = columns;
    const [statusOrder, status] = withStatus ? columns.slice(BASE_COLUMNS) : [];
    const seatsAt = BASE_COLUMNS + (withStatus ? STATUS_COLUMNS : 0);
    const [seats, actualSeats, predictedSeats] = withSeats ? columns.slice(seatsAt) : [];
    return {
      rowJson: rowJson ?? none,
      departsAt: departsAt ?? none,
      keyOrder: keyOrder ?? none,
      original: original ?? undefined,
      isMarketing: isMarketing?.[0] === TRUE,
      statusOrder: statusOrder ?? undefined,
      statusJson: status ?? undefined,
      seatsJson: seats ?? undefined,
      actualSeatsJson: actualSeats ?? undefined,
      predictedSeatsJson: predictedSeats ?? undefined,
      codeshareJson: codeshare ?? undefined,
    };
  };

/** Returns the days of departure when they are the only filter: the counters of the days then give the number of instances. */
const onlyWholeDays = ({ departs, ...rest }: InstanceFilter): TimeSpan | undefined =>
  departs && isWholeDays(departs) && Object.values(rest).every((value) => value === undefined) ? departs : undefined;

/** Returns the expression for the exact number of matching instances. */
const countExpression = (sources: readonly [InstanceSource, ...InstanceSource[]], filter: InstanceFilter): string => {
  const days = onlyWholeDays(filter);
  if (!days)
    return sources.map(({ from, where }) => `(select count(*) from ${from} ${renderWhere(where)})`).join(' + ');
  const [{ where }] = sources;
  const [first, last] = [toDate(days.from), toDate(days.to)].map((day) => bindValue(where, formatDate(day)));
  return `(select coalesce(sum(instances), 0) from expanded_day where day between ${first}::date and ${last}::date)
    + (select count(*) from flight_instance i ${renderWhere(where)} and i.flight_type <> 'S')`;
};

export type InstanceListOptions = InstanceDatasets & {
  /** The position of the first item; without it, the list starts at the beginning. */
  readonly from?: InstancePosition | undefined;
  readonly limit: number;
  /** Whether to count all matching instances. */
  readonly withCount: boolean;
};

export type InstancePage = {
  readonly instances: readonly ListedInstance[];
  /** The exact number of all matching instances; undefined when it was not requested. */
  readonly count: number | undefined;
};

/** Adds the count as the last column of the first row, null in the others: a value in each row would cost time for each. */
const addCountColumn = (page: string, count: string): string =>
  `select p.*, case when row_number() over (order by departs_at, key_order) = 1 then ${count} end
   from (${page}) as p order by departs_at, key_order`;

/** Returns the statement for the first rows of a source in list order. */
const renderPage = (source: InstanceSource, datasets: InstanceDatasets, maximum: string): string => {
  const { from, where, keyOrder, rowsAt } = source;
  const first = `from ${from} ${rowsAt === undefined ? renderJoins(datasets) : ''} ${renderWhere(where)}
    order by i.departs_at, ${keyOrder} limit ${maximum}`;
  if (rowsAt === undefined) return `select ${renderColumns(datasets, source)} ${first}`;
  const columns = renderColumns(datasets, { ...source, keyOrder: 'position.key_order' });
  return `select ${columns} from (select i.* ${first}) position ${rowsAt} ${renderJoins(datasets)}
    order by i.departs_at, position.key_order limit ${maximum}`;
};

/**
 * Returns up to `limit` instances in list order, with documents as stored bytes. The count is part of the same statement, so that it is of the
 * same snapshot and saves a query, which costs as much as a short page.
 */
export const listInstances = async (
  sql: Sql,
  filter: InstanceFilter,
  { from, limit, withCount, ...datasets }: InstanceListOptions,
): Promise<InstancePage> => {
  const sources = createSources(filter);
  const [{ where }] = sources;
  const count = withCount ? countExpression(sources, filter) : undefined;
  const position = from && [bindValue(where, formatMinute(from.departsAt)), bindValue(where, from.keyOrder)].join(', ');
  const maximum = bindValue(where, limit);
  const pages = sources.map((source) => {
    if (position) source.where.conditions.push(`(i.departs_at, ${source.keyOrder}) >= (${position})`);
    return renderPage(source, datasets, maximum);
  });
  // Each part is limited by itself, so that the first one reads its index in order.
  const page =
    pages.length === 1
      ? pages.join('')
      : `${pages.map((part) => `(${part})`).join(' union all ')} order by departs_at, key_order limit ${maximum}`;
  const text = count === undefined ? page : addCountColumn(page, count);
  const rows = takeRows(await sql.unsafe(text, where.values, { prepare: true }).raw());
  // Without a row the count is 0.
  const counted = rows[0]?.at(-1)?.toString('latin1') ?? '0';
  return { instances: rows.map(createRowReader(datasets)), count: withCount ? Number(counted) : undefined };
};

/** An instance with the details of its segment, JSON members without braces. */
export type InstanceWithDetails = ListedInstance & { readonly detailsJson: Buffer | undefined };

/** Finds the instance with a key (32 bytes) that departs on a local date. */
export const findInstance = async (
  sql: Sql,
  { date, key }: { readonly date: LocalDate; readonly key: Buffer },
): Promise<InstanceWithDetails | undefined> => {
  const datasets = { withStatus: true, withSeats: true };
  const select = (source: Pick<InstanceSource, 'isCodeshare' | 'keyOrder' | 'from'>, condition: string): string =>
    `select ${renderColumns(datasets, source)}, segment.details from ${source.from} ${renderJoins(datasets)}
    where i.departs_at >= $1::date and i.departs_at < $2::date and ${condition}`;
  const find = async (text: string, key: Buffer | string): Promise<Columns | undefined> => {
    const values = [formatDate(date), formatDate(addDays(date, 1)), order, key];
    const [columns] = await sql.unsafe(text, values, { prepare: true }).raw();
    return columns;
  };
  const order = toKeyOrder(key);
  const row =
    (await find(select(storedSource, 'i.key_order = $3 and i.key = $4'), key)) ??
    (await find(
      select(codeshareSource, `i.codeshare_terms && array[$3::bigint] and c.codeshare ->> 'key' = $4`),
      key.toString('hex'),
    ));
  return row && { ...createRowReader(datasets)(row), detailsJson: row.at(-1) ?? undefined };
};

/** Rejects with the error of the database when flight instances cannot be read. */
export const assertInstancesReadable = async (sql: Sql): Promise<void> => {
  await sql`select from flight_instance limit 1`;
};
