#!/usr/bin/env node
import './node-20.ts';
import { parseArgs } from 'node:util';
import { catalog } from '#generated/catalog.ts';
import { readChangeLogs } from '#cli/shared/change-logs.ts';
import { createClock } from '#cli/shared/clock.ts';
import { assertCanListen, toListenAddress } from '#cli/shared/listen-address.ts';
import { printProducts } from '#cli/shared/print-products.ts';
import { createPortalReader, readDocuments } from '#cli/shared/published-files.ts';
import { toServerUrl } from '#cli/shared/server-url.ts';
import { waitForStopSignal } from '#cli/shared/stop-signal.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { logRejections } from '#http/server/rejected-requests.ts';
import { openHttpServer } from '#http/server/server.ts';
import { createPublishedPages, type PublicPages } from '#http/static/published-pages.ts';
import { renderVariablesHelp } from '#lib/environment-variable.ts';
import { escapeControls } from '#lib/escape-controls.ts';
import { serviceVersion } from '#service-version.ts';
import { createMock } from './mock.ts';
import { mockVariables, readMockSettings, type MockArguments } from './settings.ts';

/** How long open requests have to finish; event streams never finish by themselves. */
const GRACE_MS = 500;

const HELP = `Usage: flightdata-mock [options]

Serve the examples of the OpenAPI documents over HTTP, without a store.

Options:
  --port <port>     port to listen on (default: PORT, or 4010; 0 selects a free one)
  --host <address>  address to listen on (default: HOST, or 127.0.0.1)
  --today <date>    start the clock on this UTC date (default: FLIGHTDATA_TODAY, or today)
  -V, --version     output the version number
  -h, --help        display help

Environment:
${renderVariablesHelp(mockVariables)}`;

const options = {
  port: { type: 'string' },
  host: { type: 'string' },
  today: { type: 'string' },
  version: { type: 'boolean', short: 'V' },
  help: { type: 'boolean', short: 'h' },
} as const;

const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const printExamples = (base: string): void => {
  const printCurl = (description: string, curlOptions: string, path: string): void =>
    printLine(`# ${description}\ncurl -s -H 'Subscription-Key: any'${curlOptions} '${base}${path}'\n`);
  printLine('\nResponses come from the OpenAPI examples; any key is valid. Try:\n');
  const flights = '/flight-instances?version=v2&DepartureDateTime=2027-03-01';
  printCurl('a page of flights with a link to the next page', '', flights);
  printCurl('the error response of an unavailable service', ` -i -H 'Prefer: code=503'`, flights);
  printCurl(
    'a version on a date on which its sunset is announced',
    ` -i -H 'Prefer: today=2024-06-01'`,
    '/flight-instances?version=v1&DepartureDate=2024-06-02',
  );
};

/** Returns the pages of the documents and, if it was built, of the portal with example calls to this server. */
const createPages = (base: string): readonly PublicPages[] => [
  createPublishedPages({
    catalog,
    files: readDocuments(),
    portal: createPortalReader(base),
    changes: readChangeLogs(),
  }),
];

const serveMock = async (given: MockArguments): Promise<void> => {
  const stopped = waitForStopSignal();
  const settings = readMockSettings(given);
  const { host: hostname } = settings;
  const clock = createClock(settings.today);
  const log = createAccessLog();
  const givenAddress = { port: given.port === undefined ? undefined : settings.port, host: given.host };
  await assertCanListen(toListenAddress(givenAddress, settings));
  const { fetch, load } = createMock({ clock, log, pages: createPages(toServerUrl(hostname, settings.port)) });
  const server = openHttpServer({ fetch, port: settings.port, hostname, onRejected: logRejections(log, clock) });
  const { port } = await server.listening;
  // Since the start of the process.
  const elapsed = (): string => `${(performance.now() / 1000).toFixed(1)} s`;
  const base = toServerUrl(hostname, port);
  try {
    printProducts(printLine, toUtcDate(clock()));
    printExamples(base);
    printLine(`listening on ${base} after ${elapsed()}`);
    // Requests may come earlier; they wait for their version only.
    await load();
    printLine(`all versions loaded after ${elapsed()}`);
    await stopped;
  } finally {
    await server.close(GRACE_MS);
    await log.flush();
  }
};

try {
  const { values } = parseArgs({ options });
  if (values.help) printLine(HELP);
  else if (values.version) printLine(serviceVersion);
  else await serveMock(values);
} catch (error) {
  process.stderr.write(`flightdata-mock: ${escapeControls(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
