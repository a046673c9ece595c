import type { Command } from 'commander';
import { catalog } from '#generated/catalog.ts';
import type { Config } from '../config.ts';
import { toUtcDate, type LocalDate } from '../domain/time/dates.ts';
import { createAccessLog } from '../http/observability/access-log.ts';
import { createPublishedPages, type PublicPages } from '../http/static/published-pages.ts';
import { logRejections } from '../http/server/rejected-requests.ts';
import { openHttpServer } from '../http/server/server.ts';
import { createMock } from '#mock/mock.ts';
import { assertPrismInstalled } from '#mock/prism.ts';
import { readChangeLogs } from './shared/change-logs.ts';
import { assertCanListen, toListenAddress } from './shared/listen-address.ts';
import { createClock } from './shared/clock.ts';
import { readDocuments, readPortal } from './shared/published-files.ts';
import { toServerUrl } from './shared/server-url.ts';
import { waitForStopSignal } from './shared/stop-signal.ts';
import { printProducts } from './shared/startup-banner.ts';
import { parseDateArgument, parsePortArgument } from './shared/arguments.ts';

/** How long open requests have to finish; event streams never finish by themselves. */
const GRACE_MS = 500;

type Options = { readonly port?: number; readonly host?: string; readonly today?: LocalDate };

const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const printExamples = (base: string): void => {
  const printCurl = (description: string, options: string, path: string): void =>
    printLine(`# ${description}\ncurl -s -H 'Subscription-Key: any'${options} '${base}${path}'\n`);
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
  createPublishedPages({ catalog, files: [...readDocuments(), ...readPortal(base)], changes: readChangeLogs() }),
];

const mock = async (config: Config, options: Options): Promise<void> => {
  const stopped = waitForStopSignal();
  assertPrismInstalled();
  const clock = createClock(options.today ?? config.today);
  const log = createAccessLog();
  const hostname = options.host ?? config.host;
  const requestedPort = options.port ?? config.mockPort;
  await assertCanListen(toListenAddress(options, { port: config.mockPort, host: config.host }));
  const { fetch, load: open } = createMock({ clock, log, pages: createPages(toServerUrl(hostname, requestedPort)) });
  const server = openHttpServer({ fetch, port: requestedPort, hostname, onRejected: logRejections(log, clock) });
  const { port } = await server.listening;
  // Since the start of the process.
  const elapsed = (): string => `${(performance.now() / 1000).toFixed(1)} s`;
  const base = toServerUrl(hostname, port);
  try {
    printProducts(printLine, toUtcDate(clock()));
    printExamples(base);
    printLine(`listening on ${base} after ${elapsed()}`);
    // Requests may come earlier; they wait for their version only.
    await open();
    printLine(`all versions loaded after ${elapsed()}`);
    await stopped;
  } finally {
    await server.close(GRACE_MS);
    await log.flush();
  }
};

/** Adds `flightdata mock`. */
export const addMock = (program: Command, config: () => Config): void => {
  program
    .command('mock')
    .description('serve the examples of the OpenAPI documents over HTTP, without a store')
    .option('--port <port>', 'port to listen on (default: PORT, or 4010; 0 selects a free one)', parsePortArgument)
    .option('--host <address>', 'address to listen on (default: HOST, or 127.0.0.1)')
    .option(
      '--today <date>',
      'start the clock on this UTC date (default: FLIGHTDATA_TODAY, or today)',
      parseDateArgument,
    )
    .action((options: Options) => mock(config(), options));
};
