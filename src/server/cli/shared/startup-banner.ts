import { catalog } from '#generated/catalog.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { printProducts, type PrintLine } from './print-products.ts';

export type StartupBannerOptions = {
  /** Scheme, host and port. */
  readonly base: string;
  readonly today: LocalDate;
  /** The account ID of the demo world; undefined when other data is served. */
  readonly demoAccount: string | undefined;
  readonly hasLivePage: boolean;
};

/** Prints what a server serves, with example requests. */
export const printStartupBanner = async (
  printLine: PrintLine,
  { base, today, demoAccount, hasLivePage }: StartupBannerOptions,
): Promise<void> => {
  printProducts(printLine, today);
  printLine(`Documentation: ${base}/docs/`);
  if (hasLivePage) printLine(`Live flights: ${base}/live/`);
  if (demoAccount === undefined) {
    const products = catalog
      .filter(({ isIngest }) => !isIngest)
      .map(({ product }) => product)
      .join(',');
    printLine(`Create a key with: flightdata keys create --name NAME --products ${products}`);
    return;
  }
  printLine(
    `\nDemo world: fictional carriers at real airports, with flights around today. Subscription key: ${DEMO_KEY}. Try:\n`,
  );
  const { buildExamples } = await import('#demo/world/example-queries.ts');
  for (const { path, description, query } of Object.values(buildExamples(today))) {
    const streaming = path.endsWith('/events') ? `N -H 'Accept: text/event-stream' -H 'accountId: ${demoAccount}'` : '';
    printLine(`# ${description}\ncurl -s${streaming} -H 'Subscription-Key: ${DEMO_KEY}' '${base}${path}?${query}'\n`);
  }
};
