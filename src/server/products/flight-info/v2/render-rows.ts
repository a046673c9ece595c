import { formatDate } from '#domain/time/dates.ts';
import type { RequestVariables } from '#http/context/env.ts';
import type { InstanceWithDetails, ListedInstance } from '#store/flights/flight-instances.ts';
import { parseCodeshare } from '#store/flights/codeshares.ts';
import type { StatusId } from '#store/status/flight-statuses.ts';
import { PENDING_ORIGINAL } from '#store/status/unscheduled-instances.ts';
import type { Deps } from './deps.ts';
import { FLIGHT_MAP_PATH } from './map/flight-map-handler.ts';
import { MAP_TOKEN_LIFETIME_MS, sealMapToken } from './map/map-token.ts';
import type { RequestedContent } from './parse-query.ts';
import { readRowStatuses } from './row-statuses.ts';
import { renderCodeshareRow } from './to-codeshare-row.ts';

/** The parts of the JSON text of a FlightInstance. They are joined once, with the page: joining each row first takes twice the time. */
type RowParts = readonly Buffer[];

/** What is added to a stored row. */
type RowExtras = {
  /** The value of `statusDetails`, JSON text; absent if undefined. */
  readonly statusDetails: Buffer | undefined;
  /** The link to the flight's map; absent if undefined. */
  readonly map: string | undefined;
  readonly withSeats: boolean;
};

const text = (value: string): Buffer => Buffer.from(value);
const close = text('}');
const statusHead = text(',"statusDetails":');
const seatsHead = text(',"seatingCapacity":{');
const actualHead = text('"actual":');
const predictedHead = text('"predicted":');
const comma = text(',');
// Not stored in the rows, so that rows of earlier versions have it too.
const operatingTail = text(',"isOperating":true');
const marketingTail = text(',"isOperating":false');

/** Renders `seatingCapacity`: the seats of the actual aircraft, else of the scheduled one, and the predicted ones. */
const renderSeatingCapacity = ({
  seatsJson,
  actualSeatsJson,
  predictedSeatsJson,
}: ListedInstance): readonly Buffer[] => {
  const actual = actualSeatsJson ? [actualHead, actualSeatsJson] : seatsJson ? [seatsJson.subarray(1, -1)] : [];
  const predicted = predictedSeatsJson ? [predictedHead, predictedSeatsJson] : [];
  if (actual.length + predicted.length === 0) return [];
  return [seatsHead, ...actual, ...(actual.length > 0 && predicted.length > 0 ? [comma] : []), ...predicted, close];
};

const PENDING = PENDING_ORIGINAL.charCodeAt(0);

/** The link has version 2 for every caller: version 1 has no operation for a single flight. */
const renderOriginal = (original: Buffer, base: string): readonly Buffer[] =>
  original.length > 0 && original[0] !== PENDING
    ? [
        text(
          `,"originalFlight":${JSON.stringify(`${base}/flight-instances/${original.toString('latin1')}?version=v2`)}`,
        ),
      ]
    : [];

/** Adds the requested datasets to a stored row as bytes; the row is not parsed. */
const renderRow = (
  row: ListedInstance | InstanceWithDetails,
  { statusDetails, map, withSeats }: RowExtras,
  { baseUrl }: Pick<RequestVariables, 'baseUrl'>,
): RowParts => {
  const { rowJson, codeshareJson, isMarketing, original } = row;
  const list = codeshareJson
    ? text(renderCodeshareRow(rowJson.toString(), parseCodeshare(codeshareJson.toString())))
    : rowJson;
  const parts = [list.subarray(0, -1), isMarketing ? marketingTail : operatingTail];
  if (original) parts.push(...renderOriginal(original, baseUrl));
  if (map !== undefined) parts.push(text(`,"map":${JSON.stringify(map)}`));
  if ('detailsJson' in row && row.detailsJson && row.detailsJson.length > 0) parts.push(comma, row.detailsJson);
  if (withSeats) parts.push(...renderSeatingCapacity(row));
  if (statusDetails) parts.push(statusHead, statusDetails);
  parts.push(close);
  return parts;
};

/** The subscription feature that grants map links. */
const MAP_FEATURE = 'map';

const createMapLink = (
  { departsOn, statusOrder }: StatusId,
  base: string,
  { mapSecret, clock }: Pick<Deps, 'mapSecret' | 'clock'>,
): string => {
  const expiresAt = clock().getTime() + MAP_TOKEN_LIFETIME_MS;
  const token = sealMapToken(mapSecret, { departsOn: formatDate(departsOn), statusOrder, expiresAt });
  return `${base}${FLIGHT_MAP_PATH}${token}`;
};

type RenderDeps = { readonly variables: RequestVariables; readonly deps: Deps };

const noExtras = { statusDetails: undefined, map: undefined, withSeats: false };

const renderSlice = async (
  rows: readonly ListedInstance[],
  { status, withSeats, withMap }: RequestedContent,
  { variables, deps }: RenderDeps,
): Promise<readonly RowParts[]> => {
  const { baseUrl, key } = variables;
  const hasMaps = withMap && key?.features?.includes(MAP_FEATURE) === true;
  const masterDataIndex = deps.masterDataIndex();
  const statuses =
    status || hasMaps ? await readRowStatuses(rows, status === 'history', { sql: deps.sql, masterDataIndex }) : [];
  if (statuses.length === 0 && !withSeats) return rows.map((row) => renderRow(row, noExtras, variables));
  return rows.map((row, index) => {
    const { details, inAir } = statuses[index] ?? { details: undefined, inAir: undefined };
    const map = hasMaps && inAir ? createMapLink(inAir, baseUrl, deps) : undefined;
    return renderRow(row, { statusDetails: status && details, map, withSeats }, variables);
  });
};

/** Flights with history that are rendered before yielding to the event loop. */
const FLIGHTS_PER_SLICE = 20;

/** Renders rows with the requested datasets. */
export const renderRows = async (
  rows: readonly ListedInstance[],
  content: RequestedContent,
  renderDeps: RenderDeps,
): Promise<readonly RowParts[]> => {
  if (content.status !== 'history') return renderSlice(rows, content, renderDeps);
  const rendered: RowParts[] = [];
  for (let start = 0; start < rows.length; start += FLIGHTS_PER_SLICE)
    rendered.push(...(await renderSlice(rows.slice(start, start + FLIGHTS_PER_SLICE), content, renderDeps)));
  return rendered;
};

/** Renders rows with their latest status, each as JSON text of a FlightInstance as `Content=Status` returns it. */
export const renderRowsWithStatus = async (
  rows: readonly ListedInstance[],
  { baseUrl, ...deps }: Pick<RequestVariables, 'baseUrl'> & Pick<Deps, 'sql' | 'masterDataIndex'>,
): Promise<readonly Buffer[]> => {
  const statuses = await readRowStatuses(rows, false, { sql: deps.sql, masterDataIndex: deps.masterDataIndex() });
  return rows.map((row, index) =>
    Buffer.concat(renderRow(row, { ...noExtras, statusDetails: statuses[index]?.details }, { baseUrl })),
  );
};
