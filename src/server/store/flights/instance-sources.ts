import { addDays, buildLocalMinute, formatDate, formatMinute, toDate, type LocalMinute } from '#domain/time/dates.ts';
import { addFilter, bindValue, createWhereClause, renderWhere, type WhereClause } from '../pool/where-clause.ts';
import { joinCodeshares, listSearchTerms } from './codeshares.ts';
import { addTimeSpan, type InstanceFilter, type LatestFilter } from './instance-filter.ts';

/** Returns the condition that a status is one of the days of a filter, after other conditions; nothing without days. */
const renderStatusDays = (where: WhereClause, status: string, { departs }: InstanceFilter): string => {
  if (!departs) return '';
  const [first, last] = [departs.from, departs.to].map((at) => bindValue(where, formatDate(toDate(at))));
  return ` and ${status}.departs_on between ${first}::date and ${last}::date`;
};

/** Returns the condition that the status of an instance is selected by a subquery on the status tables: a few rows, then an index lookup. */
const isStatusIn = (where: WhereClause, flights: string, filter: InstanceFilter): string =>
  `i.status_order = any(array(${flights}${renderStatusDays(where, 's', filter)}))`;

/** The list row of a leg contains this text. */
export const NO_STOPS = '"numberOfStops":0';

const addDivertedFilter = (where: WhereClause, filter: InstanceFilter, ids: readonly number[]): void => {
  const locations = `any(${bindValue(where, [...ids])}::int[])`;
  const diverted = `select s.status_order from flight_diversion s where s.location = ${locations}`;
  where.conditions.push(`(i.arrival = ${locations} or ${isStatusIn(where, diverted, filter)})`);
};

const addStateFilter = (where: WhereClause, filter: InstanceFilter, states: readonly string[]): void => {
  const status = `select from flight_status t
    where t.departs_on = i.departs_at::date and t.status_order = i.status_order${renderStatusDays(where, 't', filter)}`;
  const isOneOf = `any(${bindValue(where, states.map(String))}::text[])`;
  // The condition of the index, literally.
  where.conditions.push(
    states.includes('Scheduled')
      ? `not exists (${status} and t.state not in ('', 'Scheduled') and not t.state = ${isOneOf})`
      : `exists (${status} and t.state not in ('', 'Scheduled') and t.state = ${isOneOf})`,
  );
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
  if (filter.latest?.departs) addTimeSpan(where, 'i.latest_departs_at', filter.latest.departs);
  if (filter.latest?.arrives) addTimeSpan(where, 'i.latest_arrives_at', filter.latest.arrives);
  if (filter.states) addStateFilter(where, filter, filter.states);
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
export type InstanceSource = {
  readonly isCodeshare: boolean;
  readonly from: string;
  /** The expression of `key_order`. */
  readonly keyOrder: string;
  readonly where: WhereClause;
  /** The tables of rows whose positions are the first selected ones, `position`; without it, `from` has the rows. */
  readonly rowsAt?: string;
};

const codeshareOrder = `(c.codeshare ->> 'order')::bigint`;
export const storedSource = { isCodeshare: false, from: 'flight_instance i', keyOrder: 'i.key_order' };
export const codeshareSource = {
  isCodeshare: true,
  from: `flight_instance i ${joinCodeshares}`,
  keyOrder: codeshareOrder,
};

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
const createTermSource = (filter: InstanceFilter, { values }: WhereClause, table: string): InstanceSource => {
  const where = { conditions: [], values };
  const { codeshareCarriers = [], flightNumber } = filter;
  const operating = { conditions: [], values };
  addCommonFilters(operating, filter);
  const terms = listSearchTerms(codeshareCarriers, flightNumber === undefined ? undefined : [flightNumber]);
  addFilter(where, `(c.codeshare ->> 'carrierId')::int`, codeshareCarriers);
  if (flightNumber !== undefined) addFilter(where, `(c.codeshare ->> 'flightNumber')::int`, [flightNumber]);
  addFiledFilter(where, codeshareOrder, filter);
  const hasTerm = `i.codeshare_terms && ${bindValue(where, terms.map(String))}::bigint[]`;
  const from = `(select * from ${table} i ${renderWhere(operating)} and ${hasTerm} offset 0) i ${joinCodeshares}`;
  return { ...codeshareSource, from, where };
};

/** Whether no member of a filter but days and carriers excludes codeshares: all of them are scheduled, by a schedule or an airport. */
const isByCarrierOnly = ({
  departs,
  carriers: _carriers,
  codeshareCarriers: _codeshareCarriers,
  isMarketing: _isMarketing,
  flightTypes = ['S'],
  ...rest
}: InstanceFilter): boolean =>
  departs !== undefined && flightTypes.includes('S') && Object.values(rest).every((value) => value === undefined);

/** The end of the flight by which a list by latest time is selected and ordered, and its span. */
export const getLatestEnd = ({ departs, arrives }: LatestFilter) =>
  departs ? { end: 'departure', name: 'departs', span: departs } : { end: 'arrival', name: 'arrives', span: arrives };

const renderLatestColumns = (status: string): string =>
  ['departs', 'arrives']
    .map((name) => `coalesce(${status}.latest_${name}_at, r.${name}_at) as latest_${name}_at`)
    .join(', ');

/** The flights that are scheduled in the span of a filter by latest time, with their latest times. */
const renderScheduledTable = (where: WhereClause, latest: LatestFilter): string => {
  const { name, span } = getLatestEnd(latest);
  const within = { conditions: [], values: where.values };
  if (span) addTimeSpan(within, `r.${name}_at`, span);
  if (latest.scheduled) addTimeSpan(within, 'r.departs_at', latest.scheduled);
  // Few flights of an airport have a status: a plan that joins the statuses as a whole reads all of them.
  return `(select r.*, ${renderLatestColumns('s')} from flight_instance r
    left join lateral (select s.latest_departs_at, s.latest_arrives_at from flight_status s
      where s.departs_on = r.departs_at::date and s.status_order = r.status_order offset 0) s on true ${renderWhere(within)})`;
};

const startOfHour = (minute: LocalMinute): LocalMinute => (minute - (minute % 60)) as LocalMinute;

/** The flights whose status has moved them into the span of a filter by latest time, with their latest times. */
const renderMovedTable = (where: WhereClause, filter: InstanceFilter, latest: LatestFilter): string => {
  const { end, name, span } = getLatestEnd(latest);
  if (!span) throw new Error('a filter by latest time has a span');
  const selectMoved = (from: string, column: string, ids: readonly number[] | undefined): string => {
    const moved = { conditions: [], values: where.values };
    addFilter(moved, column, ids);
    addTimeSpan(moved, `s.latest_${name}_at`, span);
    addTimeSpan(moved, `s.latest_${name}_hour`, { from: startOfHour(span.from), to: span.to });
    return `select s.departs_on, s.status_order, s.latest_departs_at, s.latest_arrives_at from ${from} ${renderWhere(moved)}`;
  };
  const ids = end === 'departure' ? filter.departures : (filter.scheduledOrDivertedTo ?? filter.arrivals);
  const moved = [selectMoved('flight_status s', `s.${end}`, ids)];
  if (end === 'arrival' && filter.scheduledOrDivertedTo)
    moved.push(
      selectMoved('flight_diversion d join flight_status s using (departs_on, status_order)', 'd.location', ids),
    );
  const within = { conditions: [], values: where.values };
  if (filter.departs) addTimeSpan(within, 'r.departs_at', filter.departs);
  const [from, to] = [bindValue(where, formatMinute(span.from)), bindValue(where, formatMinute(span.to))];
  // Each is a subquery of its own: a few statuses, then an index lookup in the table of their day.
  return `(select r.*, ${renderLatestColumns('moved')} from (${moved.join(' union ')} offset 0) moved
    cross join lateral (
      select * from flight_instance r ${renderWhere(within)}
        and r.departs_at >= moved.departs_on and r.departs_at < moved.departs_on + 1 and r.status_order = moved.status_order
        and r.${name}_at not between ${from} and ${to} offset 0) r)`;
};

/** Returns the tables of instances that a filter selects from. */
const listTables = (where: WhereClause, filter: InstanceFilter): readonly [string, ...string[]] =>
  filter.latest
    ? [renderScheduledTable(where, filter.latest), renderMovedTable(where, filter, filter.latest)]
    : ['flight_instance'];

/** Returns the sources of the instances that a filter selects; the values of all of them are one list. */
export const createSources = (filter: InstanceFilter): readonly [InstanceSource, ...InstanceSource[]] => {
  const { values } = createWhereClause();
  const createSource = (table: string): InstanceSource => {
    const where = { conditions: [], values };
    addInstanceFilters(where, filter);
    return { ...storedSource, from: `${table} i`, where };
  };
  const [table, ...others] = listTables({ conditions: [], values }, filter);
  const stored = createSource(table);
  const moved = others.map(createSource);
  if (!filter.codeshareCarriers) return [stored, ...moved];
  if (isByCarrierOnly(filter)) return [stored, createPositionSource(filter, stored.where)];
  return [
    stored,
    ...moved,
    ...[table, ...others].map((one) => createTermSource(filter, { conditions: [], values }, one)),
  ];
};
