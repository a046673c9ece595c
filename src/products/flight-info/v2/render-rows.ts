import { dateAt, formatDate } from '../../../domain/dates.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { placeOf, type ListedInstance } from '../../../store/flight-instances.ts';
import type { Content } from './content.ts';
import type { Deps } from './deps.ts';
import { FLIGHT_MAP_PATH } from './map/flight-map-page.ts';
import { MAP_TOKEN_LIFETIME_MS, sealMapToken } from './map/map-token.ts';
import { renderRow } from './render-row.ts';
import { statusesOfRows } from './statuses-of-rows.ts';

/** What a subscription needs to be given links to maps. */
const MAP_FEATURE = 'map';

/** A status is written with its state first, so that it can be told without reading on. */
const inAir = Buffer.from('{"state":"inAir"');

const mapLink = (row: ListedInstance, base: string, { mapSecret, clock }: Deps): string | undefined => {
  if (!row.status?.subarray(0, inAir.length).equals(inAir)) return undefined;
  const token = sealMapToken(mapSecret, {
    departsOn: formatDate(dateAt(placeOf(row).departsAt)),
    statusOrder: BigInt(row.statusOrder.toString('latin1')),
    expiresAt: clock().getTime() + MAP_TOKEN_LIFETIME_MS,
  });
  return `${base}${FLIGHT_MAP_PATH}${token}`;
};

/** The rows of an answer with the datasets that were asked for, each the JSON text of a FlightInstance. */
export const renderRows = async (
  rows: readonly ListedInstance[],
  { status, withSeats, withMap }: Content,
  { context, deps }: { readonly context: RequestContext; readonly deps: Deps },
): Promise<readonly Buffer[]> => {
  const { base, features } = context;
  const hasMaps = withMap && features.includes(MAP_FEATURE);
  const directory = deps.directory();
  const statuses = status && (await statusesOfRows(rows, status === 'history', { sql: deps.sql, directory }));
  return rows.map((row, index) =>
    renderRow(
      row,
      { statusDetails: statuses?.[index], map: hasMaps ? mapLink(row, base, deps) : undefined, withSeats },
      context,
    ),
  );
};
