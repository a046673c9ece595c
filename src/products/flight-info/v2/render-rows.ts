import { formatDate } from '../../../domain/time/dates.ts';
import type { RequestContext } from '../../../http/router/request-context.ts';
import type { ListedInstance } from '../../../store/flights/flight-instances.ts';
import type { StatusPlace } from '../../../store/status/flight-statuses.ts';
import type { Content } from './content.ts';
import type { Deps } from './deps.ts';
import { FLIGHT_MAP_PATH } from './map/flight-map-page.ts';
import { MAP_TOKEN_LIFETIME_MS, sealMapToken } from './map/map-token.ts';
import { renderRow } from './render-row.ts';
import { statusesOfRows } from './statuses-of-rows.ts';

/** What a subscription needs to be given links to maps. */
const MAP_FEATURE = 'map';

const mapLink = (
  { departsOn, statusOrder }: StatusPlace,
  base: string,
  { mapSecret, clock }: Pick<Deps, 'mapSecret' | 'clock'>,
): string => {
  const expiresAt = clock().getTime() + MAP_TOKEN_LIFETIME_MS;
  const token = sealMapToken(mapSecret, { departsOn: formatDate(departsOn), statusOrder, expiresAt });
  return `${base}${FLIGHT_MAP_PATH}${token}`;
};

type Circumstances = { readonly context: RequestContext; readonly deps: Deps };

const nothing = { statusDetails: undefined, map: undefined, withSeats: false };

const renderSome = async (
  rows: readonly ListedInstance[],
  { status, withSeats, withMap }: Content,
  { context, deps }: Circumstances,
): Promise<readonly Buffer[]> => {
  const { base, features } = context;
  const hasMaps = withMap && features.includes(MAP_FEATURE);
  const directory = deps.directory();
  const statuses =
    status || hasMaps ? await statusesOfRows(rows, status === 'history', { sql: deps.sql, directory }) : [];
  if (statuses.length === 0 && !withSeats) return rows.map((row) => renderRow(row, nothing, context));
  return rows.map((row, index) => {
    const { details, inAir } = statuses[index] ?? { details: undefined, inAir: undefined };
    const map = hasMaps && inAir ? mapLink(inAir, base, deps) : undefined;
    return renderRow(row, { statusDetails: status && details, map, withSeats }, context);
  });
};

/** Histories are long: so many flights are written at a time, and other requests get their turn in between. */
const FLIGHTS_A_TURN = 50;

/** The rows of an answer with the datasets that were asked for, each the JSON text of a FlightInstance. */
export const renderRows = async (
  rows: readonly ListedInstance[],
  content: Content,
  circumstances: Circumstances,
): Promise<readonly Buffer[]> => {
  if (content.status !== 'history') return renderSome(rows, content, circumstances);
  const rendered: Buffer[] = [];
  for (let start = 0; start < rows.length; start += FLIGHTS_A_TURN)
    rendered.push(...(await renderSome(rows.slice(start, start + FLIGHTS_A_TURN), content, circumstances)));
  return rendered;
};
