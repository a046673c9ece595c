import { catalog } from '../../generated/catalog.ts';
import type { LocalDate } from '../domain/time/dates.ts';
import { stageOf } from '../http/router/version-lifecycle.ts';
import {
  alertsShowcase,
  connectionsShowcase,
  liveShowcase,
  masterDataShowcase,
  schedulesShowcase,
  showcase,
  type ShowcaseQuery,
} from '../jobs/demo/world/showcase.ts';
import { DEMO_KEY } from '../jobs/demo/seed-demo.ts';

/** Tells the versions of each product that answer on a day. */
export const tellProducts = (say: Say, today: LocalDate): void => {
  for (const { title, versions } of catalog) {
    const answering = versions.filter((one) => ['current', 'deprecated'].includes(stageOf(one, today)));
    say(`${title} ${answering.map(({ version }) => version).join(', ') || '(no version on this day)'}`);
  }
};

type Say = (text: string) => void;

export type Served = {
  /** Scheme, host and port. */
  readonly base: string;
  readonly today: LocalDate;
  /** The account of the demo world; undefined where something else is served. */
  readonly demoAccount: string | undefined;
};

/** Tells whoever started a server what it serves, and what to ask it. */
export const tellWhatIsServed = (say: Say, { base, today, demoAccount }: Served): void => {
  tellProducts(say, today);
  if (demoAccount === undefined) {
    const products = catalog.map(({ product }) => product).join(',');
    say(`Make a key with: flightdata keys create --name NAME --products ${products}`);
    return;
  }
  say(`\nThe demo world is loaded: invented carriers on real airports, around today. Its key is ${DEMO_KEY}. Try:\n`);
  const show = ({ description, query }: ShowcaseQuery, path: string, more = ''): void =>
    say(`# ${description}\ncurl -s${more} -H 'Subscription-Key: ${DEMO_KEY}' '${base}${path}?${query}'\n`);
  for (const one of [...showcase(today).slice(0, 2), liveShowcase(today)]) show(one, '/flight-instances');
  show(schedulesShowcase, '/flights');
  show(connectionsShowcase(today), '/flight-connections');
  show(masterDataShowcase, '/locations');
  const streaming = `N -H 'Accept: text/event-stream' -H 'accountId: ${demoAccount}'`;
  show(alertsShowcase, '/flight-info-alerts/events', streaming);
};
