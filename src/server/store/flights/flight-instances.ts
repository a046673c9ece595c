import {
  addDays,
  buildLocalMinute,
  formatDate,
  formatMinute,
  localDate,
  MINUTES_A_DAY,
  toDate,
  type LocalDate,
  type LocalMinute,
} from '#domain/time/dates.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import type { Sql } from '../pool/database.ts';
import { takeRows } from '../pool/driver/driver.ts';
import { bindValue, renderWhere } from '../pool/where-clause.ts';
import type { InstanceFilter, TimeSpan } from './instance-filter.ts';
import { codeshareSource, createSources, getLatestEnd, storedSource, type InstanceSource } from './instance-sources.ts';

/** The position of an instance in a list: by local departure, or by its latest time in a list by that, then by key. */
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
  /** In a list by latest time: that time, by which the list is ordered. */
  readonly latestAt: Buffer | undefined;
};

const endsWithDay = (span: TimeSpan): boolean => span.to % MINUTES_A_DAY === MINUTES_A_DAY - 1;
const isWholeDays = (span: TimeSpan): boolean => span.from % MINUTES_A_DAY === 0 && endsWithDay(span);

/** Parses the position of a row in its list. */
export const readListPosition = (row: ListedInstance): InstancePosition =>
  readInstancePosition({ keyOrder: row.keyOrder, departsAt: row.latestAt ?? row.departsAt });

/** Parses the local departure and key of a list row: its position, unless the list is by latest time. */
export const readInstancePosition = ({
  departsAt,
  keyOrder,
}: Pick<ListedInstance, 'departsAt' | 'keyOrder'>): InstancePosition => {
  const text = departsAt.toString('latin1');
  const date = localDate(text.slice(0, 10));
  return {
    departsAt: buildLocalMinute(date, Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16))),
    keyOrder: BigInt(keyOrder.toString('latin1')),
  };
};

const none = Buffer.alloc(0);

/** The optional datasets of a list row. */
export type InstanceDatasets = { readonly withStatus: boolean; readonly withSeats: boolean };

/** What the statement of a list selects with each row; `latestColumn` is the column of the order in a list by latest time. */
type SelectedDatasets = InstanceDatasets & { readonly latestColumn?: string | undefined };

const statusJoin = `left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order`;
const seatsJoin = `left join segment on segment.id = i.segment_id
    left join seat_prediction p on (p.carrier, p.flight_number, p.departure, p.arrival) = (i.carrier, i.flight_number, i.departure, i.arrival)
      and i.departs_at >= p.since`;

const renderJoins = ({ withStatus, withSeats }: InstanceDatasets): string =>
  [withStatus || withSeats ? statusJoin : '', withSeats ? seatsJoin : ''].join(' ');

/** Selects only the columns that the datasets need: every column costs time for each row of a page. */
const renderColumns = (
  { withStatus, withSeats, latestColumn }: SelectedDatasets,
  { isCodeshare, keyOrder }: Pick<InstanceSource, 'isCodeshare' | 'keyOrder'>,
): string =>
  [
    `i.doc, i.departs_at, ${keyOrder} as key_order, i.original, ${isCodeshare ? 'true' : 'i.is_marketing'} as is_marketing`,
    `${isCodeshare ? 'c.codeshare::text' : 'null::text'} as codeshare`,
    ...(withStatus ? [`i.status_order, nullif(s.doc, '') as status`] : []),
    ...(withSeats ? ['segment.seats as seats, s.seats as actual_seats, p.seats as predicted_seats'] : []),
    ...(latestColumn === undefined ? [] : [`i.${latestColumn} as latest_at`]),
  ].join(', ');

const BASE_COLUMNS = 6;
const TRUE = 't'.charCodeAt(0);
const STATUS_COLUMNS = 2;
const SEATS_COLUMNS = 3;

type Columns = readonly (Buffer | null | undefined)[];

const createRowReader =
  ({ withStatus, withSeats, latestColumn }: SelectedDatasets) =>
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
      latestAt:
        (latestColumn !== undefined ? columns[seatsAt + (withSeats ? SEATS_COLUMNS : 0)] : undefined) ?? undefined,
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
const addCountColumn = (page: string, count: string, orderBy: string): string =>
  `select p.*, case when row_number() over (order by ${orderBy}) = 1 then ${count} end
   from (${page}) as p order by ${orderBy}`;

/** Returns the statement for the first rows of a source in list order. */
const renderPage = (source: InstanceSource, datasets: SelectedDatasets, maximum: string): string => {
  const { from, where, keyOrder, rowsAt } = source;
  const first = `from ${from} ${rowsAt === undefined ? renderJoins(datasets) : ''} ${renderWhere(where)}
    order by i.${datasets.latestColumn ?? 'departs_at'}, ${keyOrder} limit ${maximum}`;
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
  { from, limit, withCount, ...requested }: InstanceListOptions,
): Promise<InstancePage> => {
  const latestColumn = filter.latest && `latest_${getLatestEnd(filter.latest).name}_at`;
  const datasets = { ...requested, latestColumn };
  const orderBy = `${latestColumn === undefined ? 'departs_at' : 'latest_at'}, key_order`;
  const sources = createSources(filter);
  const [{ where }] = sources;
  const count = withCount ? countExpression(sources, filter) : undefined;
  const position = from && [bindValue(where, formatMinute(from.departsAt)), bindValue(where, from.keyOrder)].join(', ');
  const maximum = bindValue(where, limit);
  const pages = sources.map((source) => {
    if (position)
      source.where.conditions.push(
        `(i.${latestColumn ?? 'departs_at'}, ${source.keyOrder}) ${latestColumn === undefined ? '>=' : '>'} (${position})`,
      );
    return renderPage(source, datasets, maximum);
  });
  // Each part is limited by itself, so that the first one reads its index in order.
  const page =
    pages.length === 1
      ? pages.join('')
      : `${pages.map((part) => `(${part})`).join(' union all ')} order by ${orderBy} limit ${maximum}`;
  const text = count === undefined ? page : addCountColumn(page, count, orderBy);
  // A plan for all values reads the flights of whole days where only states, or arrival times at scheduled or diverted airports, select them:
  // three to five times the time.
  const byState = filter.states !== undefined && (filter.departures ?? filter.arrivals) === undefined;
  const byDiversion =
    filter.scheduledOrDivertedTo !== undefined && (filter.arrives ?? filter.latest?.arrives) !== undefined;
  const prepare = !byState && !byDiversion;
  const rows = takeRows(await sql.unsafe(text, where.values, { prepare }).raw());
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
