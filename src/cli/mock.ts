import type { Command } from 'commander';
import { catalog } from '../../generated/catalog.ts';
import type { Config } from '../config.ts';
import { toUtcDate, type LocalDate } from '../domain/time/dates.ts';
import { createAccessLog } from '../http/observability/access-log.ts';
import type { PublicPage } from '../http/router/router.ts';
import { createPublishedPages } from '../http/static/published-pages.ts';
import { logRejections } from '../http/server/rejected-requests.ts';
import { openServer } from '../http/server/server.ts';
import { createMock } from '../mock/create-mock.ts';
import { needPrism } from '../mock/prism.ts';
import { readChangeLogs } from './shared/change-logs.ts';
import { createClock } from './shared/clock.ts';
import { readDocuments, readPortal } from './shared/published-files.ts';
import { toServerUrl } from './shared/server-url.ts';
import { waitForStopSignal } from './shared/stop-signal.ts';
import { printProducts } from './shared/startup-banner.ts';
import { parseDateArgument, parsePortArgument } from './shared/arguments.ts';

/** Only streams of events are still open by then, and those have no end of their own. */
const GRACE_MS = 500;

type Options = { readonly port?: number; readonly host?: string; readonly today?: LocalDate };

type Say = (text: string) => void;

const say: Say = (text) => {
  process.stdout.write(`${text}\n`);
};

const tellHowToAsk = (base: string): void => {
  const curl = (about: string, more: string, path: string): void =>
    say(`# ${about}\ncurl -s -H 'Subscription-Key: any'${more} '${base}${path}'\n`);
  say('\nAnswers are the examples of the documents; any key will do. Try:\n');
  const flights = '/flight-instances?version=v2&DepartureDateTime=2027-03-01';
  curl('a page of flights, with a link to the next', '', flights);
  curl('a service that is not available', ` -i -H 'Prefer: code=503'`, flights);
  curl(
    'a version on a day on which its end is announced',
    ` -i -H 'Prefer: today=2024-06-01'`,
    '/flight-instances?version=v1&DepartureDate=2024-06-02',
  );
};

/** What can be read on the service itself: its documents and, where it was built, the portal with calls to this address. */
const pagesAt = (base: string): readonly PublicPage[] =>
  createPublishedPages({ catalog, files: [...readDocuments(), ...readPortal(base)], changes: readChangeLogs() });

const mock = async (config: Config, options: Options): Promise<void> => {
  needPrism();
  const clock = createClock(options.today ?? config.today);
  const log = createAccessLog();
  const hostname = options.host ?? config.host;
  const wantedPort = options.port ?? config.mockPort;
  const { fetch, open } = createMock({ clock, log, pages: pagesAt(toServerUrl(hostname, wantedPort)) });
  const server = openServer({ fetch, port: wantedPort, hostname, onRejected: logRejections(log, clock) });
  const { port } = await server.listening;
  // Counted from the start of the process.
  const elapsed = (): string => `${(performance.now() / 1000).toFixed(1)} s`;
  const base = toServerUrl(hostname, port);
  const stopped = waitForStopSignal();
  try {
    printProducts(say, toUtcDate(clock()));
    tellHowToAsk(base);
    say(`listening on ${base} after ${elapsed()}`);
    // Whoever asks sooner waits for the one version that is asked for.
    await open();
    say(`every version is read after ${elapsed()}`);
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
    .description('serve the examples of the documents over HTTP, without a store')
    .option('--port <port>', 'the port (default: PORT, or 4010; 0 takes a free one)', parsePortArgument)
    .option('--host <address>', 'the address to listen on (default: HOST, or 127.0.0.1)')
    .option(
      '--today <date>',
      'start the clock on this UTC date (default: FLIGHTDATA_TODAY, or today)',
      parseDateArgument,
    )
    .action((options: Options) => mock(config(), options));
};
