// Serves the departures board, and requests its flights with the key, which stays on this server.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const {
  SERVICE_URL = 'http://localhost:8080',
  SUBSCRIPTION_KEY = 'demo-key',
  HOST = '127.0.0.1',
  PORT = '8090',
} = process.env;
const { AIRPORT = 'LHR', TIME_ZONE = 'Europe/London' } = process.env;
const QUARTER_MS = 900_000;

const toLocalMinute = (at) => new Date(at).toLocaleString('sv', { timeZone: TIME_ZONE }).slice(0, 16).replace(' ', 'T');

/** The address of the departures of the next three hours, late flights at their latest time. It changes every quarter of an hour only, so that in between the ETag can match. */
const buildUrl = () => {
  const from = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS;
  const url = new URL(`${SERVICE_URL}/flight-instances`);
  const period = `${toLocalMinute(from)}/${toLocalMinute(from + 13 * QUARTER_MS)}`;
  const query = {
    version: 'v2',
    DepartureAirport: AIRPORT,
    LatestDepartureDateTime: period,
    Content: 'Status',
    Limit: '500',
  };
  const filter = { Codeshare: 'Operating', ServiceType: 'Passenger' };
  url.search = String(new URLSearchParams({ ...query, ...filter }));
  return url;
};

const sendFlights = async (request, response) => {
  const tag = request.headers['if-none-match'];
  const headers = { 'Subscription-Key': SUBSCRIPTION_KEY, ...(tag && { 'If-None-Match': tag }) };
  const { status, headers: received, body } = await fetch(buildUrl(), { headers, signal: AbortSignal.timeout(10_000) });
  const kept = ['etag', 'content-type', 'retry-after'].flatMap((name) =>
    received.has(name) ? [[name, received.get(name)]] : [],
  );
  response.writeHead(status, { ...Object.fromEntries(kept), 'Cache-Control': 'no-store' });
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
};

const page = (await readFile(new URL('index.html', import.meta.url), 'utf8')).replaceAll('{{airport}}', AIRPORT);
const server = createServer((request, response) => {
  if (request.url === '/') response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  else if (request.url !== '/departures') response.writeHead(404).end();
  else
    sendFlights(request, response).catch(() =>
      response.headersSent ? response.destroy() : response.writeHead(502).end(),
    );
});
server.listen(Number(PORT), HOST, () => console.log(`departures board on http://${HOST}:${server.address().port}/`));
