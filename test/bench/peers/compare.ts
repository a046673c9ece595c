import type { RequestedPage } from '../requested-page.ts';
import { figure, type Figure } from '../figures.ts';
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
  };
  const peerOf = ({ firstMessage, process }: LoadPlayer): Peer => ({
    base: `http://127.0.0.1:${String(firstMessage)}`,
    pid: process.pid,
  });
  const stop = async (): Promise<void> => {
    for (const player of Object.values(players)) await player.stop();
    await world.db`drop schema if exists bench cascade`;
  };
  const { documents, relational, graphql } = players;
  return { documents: peerOf(documents), relational: peerOf(relational), graphql: peerOf(graphql), stop };
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

/** The first page of the service, with count, against those of the peers, without. */
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
    documents: 'Fastify and pg, documents',
    relational: 'Fastify and pg, joined tables',
    graphql: 'PostGraphile',
  } as const;
  const target = { atLeast: page.limit === 100 ? 4 : 2.5 };
  const kinds = ['documents', 'relational', 'graphql'] as const;
  const best = kinds.reduce((one, other) => (of(other).perSecond > of(one).perSecond ? other : one));
  return [
    ...kinds.flatMap((kind) => [
      figure(`${name}: to ${titles[kind]}`, ratio('ours', kind), 'ratio'),
      figure(`${name}: by processor, to ${titles[kind]}`, cpuRatio('ours', kind), 'ratio'),
    ]),
    figure(`${name}: to the best peer`, ratio('ours', best), 'ratio', target),
    figure(`${name}: as it is run, from the page cache, to the best peer`, ratio('kept', best), 'ratio', target),
  ];
};
