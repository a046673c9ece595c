// Requests to the service that served this page, with the key of the reader in the header.

const STORED_KEY = 'flightdata.key';
const MAX_KNOWN = 40;
const TIMEOUT_MS = 15_000;

/** Bodies with their entity tags, by address. */
const known = new Map();
/** Milliseconds by which the clock of the service is ahead of this one. */
let clockDifference = 0;

/** Returns the time of the service, milliseconds since 1970. */
export const now = () => Date.now() + clockDifference;
const setClock = (response) => {
  const ahead = Date.parse(response.headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(ahead)) clockDifference = Math.abs(ahead) < 2000 ? 0 : ahead;
  return response;
};
/** The attributions of public feeds. With them, the page has the time of the service before its first search. */
const readAttributions = async () => setClock(await fetch('sources.json')).json();
export const attributions = readAttributions().catch(() => []);

const findKey = () =>
  sessionStorage.getItem(STORED_KEY) ?? document.querySelector('meta[name=public-key]').getAttribute('content');

/** Keeps the key until the tab is closed; an empty one is removed. */
export const storeKey = (key) => {
  known.clear();
  if (key) sessionStorage.setItem(STORED_KEY, key);
  else sessionStorage.removeItem(STORED_KEY);
};

/**
 * Returns the body of a GET, and in `asOf` the time of data that are old. While the service returns 304, the result is the same object.
 */
export const get = async (path, query) => {
  const url = `../${path}?${new URLSearchParams(query)}`;
  const last = known.get(url);
  const response = await fetch(url, {
    cache: 'no-store',
    headers: { 'Subscription-Key': findKey(), ...(last && { 'If-None-Match': last.tag }) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  setClock(response);
  const asOf = response.headers.get('data-as-of') ?? undefined;
  if (response.status === 304 && last) return asOf === undefined ? last.result : { ...last.result, asOf };
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const message = body.detail ?? `The service responded with ${response.status}.`;
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
    throw Object.assign(new Error(message), { status: response.status, retryAfterMs });
  }
  const result = { body, asOf };
  known.delete(url);
  known.set(url, { tag: response.headers.get('etag') ?? '', result });
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value);
  return result;
};

/** Returns the flights of a search, up to `maximum`, and the number of all: the same object while a single page is unchanged. */
export const listFlights = async (query, maximum = 500) => {
  const pages = [await get('flight-instances', { version: 'v2', Content: 'Status', Limit: '500', ...query })];
  for (let page = pages[0].body; page.paging.next && pages.length * 500 < maximum; page = pages.at(-1).body)
    pages.push(
      await get('flight-instances', Object.fromEntries(new URL(page.paging.next, location.href).searchParams)),
    );
  const listed = {
    flights: pages.flatMap(({ body }) => body.data),
    total: pages[0].body.paging.totalCount,
    asOf: pages.find(({ asOf }) => asOf)?.asOf,
  };
  return pages.length > 1 ? listed : (pages[0].listed ??= listed);
};

/** Locations by code; undefined for those that master data do not contain. */
const locations = new Map();

/** Returns the location of an airport code that was read by `readLocations`. */
export const findLocation = (code) => locations.get(code);

const toLocation = ({ code, name, place, timezone }) => ({
  code: code.iata ?? code.icao ?? code.faa,
  name: name ?? '',
  city: place.city?.name ?? name ?? '',
  point: place.longitude && place.latitude && [place.longitude.decimalDegrees, place.latitude.decimalDegrees],
  zone: timezone?.name,
});

/** Reads the names, positions and zones of airports once. A key without Master Data shows codes only, and no map. */
export const readLocations = async (codes) => {
  const missing = [...new Set(codes)].filter((code) => code && !locations.has(code));
  for (const [type, ofType] of Map.groupBy(missing, ({ length }) => (length === 4 ? 'ICAO' : 'IATA')))
    for (let start = 0; start < ofType.length; start += 100) {
      const part = ofType.slice(start, start + 100);
      const query = { version: 'v1', AirportCode: part.join(','), CodeType: type, Limit: '200' };
      const { body } = await get('locations', query).catch((error) => {
        if (error.status === 403) return { body: { data: [] } };
        throw error;
      });
      for (const code of part) locations.set(code, undefined);
      for (const item of body.data) {
        const code = item.code[type.toLowerCase()];
        if (item.type !== 'MetropolitanArea' && part.includes(code) && !locations.get(code))
          locations.set(code, toLocation(item));
      }
    }
};
