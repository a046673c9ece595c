import type { RequestedPage } from '../requested-page.ts';
import { figure, type Figure } from '../figures.ts';
import { WORLD_KEY } from '../synthetic/seed-synthetic.ts';
import { runAlternated, type Target } from '../load.ts';
import { playLoad, type LoadPlayer } from '../prepared-stage.ts';
import type { World } from '../world.ts';
import { toGraphqlBody, createGraphqlSchema } from './graphql-queries.ts';
import { installPeers } from './install.ts';

type Peer = Pick<Target, 'base' | 'pid'>;

/** Comparable servers over the same database. */
export type Peers = NonNullable<Awaited<ReturnType<typeof startPeers>>>;

/** Starts the comparable servers; undefined where they cannot be installed. */
export const startPeers = async (world: World, pages: readonly RequestedPage[]) => {
  if (!installPeers()) return undefined;
  await createGraphqlSchema(world.db);
  const given = JSON.stringify(pages);
  const players = {
    documents: await playLoad('./peers/fastify-server.ts', world.url, given, 'documents'),
    relational: await playLoad('./peers/fastify-server.ts', world.url, given, 'relational'),
    graphql: await playLoad('./peers/graphql-server.ts', world.url),
    sameDuties: await playLoad('./peers/fastify-same-duties.ts', world.url),
  };
  const peerOf = ({ firstMessage, process }: LoadPlayer): Peer => ({
    base: `http://127.0.0.1:${String(firstMessage)}`,
    pid: process.pid,
  });
  const stop = async (): Promise<void> => {
    for (const player of Object.values(players)) await player.stop();
    await world.db`drop schema if exists bench cascade`;
  };
  const { documents, relational, graphql, sameDuties } = players;
  return {
    documents: peerOf(documents),
    relational: peerOf(relational),
    graphql: peerOf(graphql),
    sameDuties: peerOf(sameDuties),
    stop,
  };
};

/** Walks to a page of the peer, as a client does: each page has the cursor of the next. */
const walkPeer = async (base: string, { query, limit, page }: RequestedPage): Promise<string> => {
  let path = `/flight-instances?${query}&Limit=${limit}`;
  for (let at = 1; at < page; at += 1) {
    const response = await fetch(`${base}${path}`, { headers: { 'subscription-key': WORLD_KEY } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    const { paging } = (await response.json()) as { readonly paging: { readonly next?: string } };
    if (paging.next === undefined) throw new Error(`${path} has no next page`);
    path = paging.next;
  }
  return path;
};

/** A page of the service against the peer that does the same for it: key, limits, validation, log line, entity tag, signed cursor and count. */
export const compareSameDuties = async (
  { sameDuties }: Peers,
  { ours, page, name }: Pick<Comparison, 'ours' | 'page' | 'name'>,
): Promise<readonly Figure[]> => {
  const paths = [await walkPeer(sameDuties.base, page)];
  const { ratio, cpuRatio } = await runAlternated({ ours, peer: { ...sameDuties, paths } });
  const title = `${name}: to Fastify with the same duties`;
  return [
    figure(title, ratio('ours', 'peer'), 'ratio', { atLeast: 1.1 }),
    figure(`${title}, by processor`, cpuRatio('ours', 'peer'), 'ratio'),
  ];
};

type Comparison = {
  readonly ours: Target;
  /** The service with its page cache. */
  readonly kept: Target;
  readonly page: RequestedPage;
  readonly index: number;
  readonly name: string;
};

const isCompared = ({ page, arrival, name }: RequestedPage): boolean =>
  page === 1 && arrival === undefined && name !== 'date + carrier';

/** The first page of the service, with count, against those of peers that only read and send a page: no key, limit, log line, cursor or count. */
export const comparePeers = async (
  peers: Peers,
  { ours, kept, page, index, name }: Comparison,
): Promise<readonly Figure[]> => {
  if (!isCompared(page)) return [];
  const paths = [`/${index}`];
  const { ratio, cpuRatio, of } = await runAlternated({
    ours,
    kept,
    documents: { ...peers.documents, paths },
    relational: { ...peers.relational, paths },
    graphql: {
      ...peers.graphql,
      paths: ['/graphql'],
      headers: { 'content-type': 'application/json' },
      body: toGraphqlBody(page),
    },
  });
  const titles = {
    documents: 'Fastify and pg without other duties, documents',
    relational: 'Fastify and pg without other duties, joined tables',
    graphql: 'PostGraphile without other duties',
  } as const;
  const target = { atLeast: page.limit === 100 ? 4 : 2.5 };
  const kinds = ['documents', 'relational', 'graphql'] as const;
  const best = kinds.reduce((one, other) => (of(other).perSecond > of(one).perSecond ? other : one));
  return [
    ...kinds.flatMap((kind) => [
      figure(`${name}: to ${titles[kind]}`, ratio('ours', kind), 'ratio'),
      figure(`${name}: by processor, to ${titles[kind]}`, cpuRatio('ours', kind), 'ratio'),
    ]),
    figure(`${name}: to the best peer without other duties`, ratio('ours', best), 'ratio', target),
    figure(
      `${name}: as it is run, from the page cache, to the best peer without other duties`,
      ratio('kept', best),
      'ratio',
      target,
    ),
  ];
};
