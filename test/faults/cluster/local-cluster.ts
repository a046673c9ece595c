import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

const script = new URL('../../../docs/deploy/cluster/local.sh', import.meta.url).pathname;
const programs = ['patroni', 'etcd', 'haproxy', 'nats-server', 'curl'];

/** The programs of the cluster that are not installed; `local.sh` names their Debian packages. */
export const missingPrograms: readonly string[] = programs.filter(
  (name) => spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${name}`]).status !== 0,
);
if (missingPrograms.length > 0)
  console.log(`the tests of the cluster do not run: ${missingPrograms.join(', ')} not installed`);

/** Why nodes cannot have network namespaces here; undefined where they can. */
export const findNetworkObstacle = (): string | undefined => {
  if (missingPrograms.length > 0) return 'programs are missing';
  const name = `fdprobe${process.pid}`;
  const { status, stderr, error } = spawnSync(
    'sh',
    ['-ec', `ip netns add ${name}; ip link add ${name} type bridge; ip link delete ${name}; ip netns delete ${name}`],
    { encoding: 'utf8' },
  );
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
};

const runScript = (args: readonly string[], env: Readonly<Record<string, string>>): string => {
  const { status, stdout, stderr } = spawnSync(script, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`local.sh ${args.join(' ')} exited with ${status}: ${stderr}`);
  return stdout;
};

const nodes = [1, 2, 3] as const;
type NodeNumber = (typeof nodes)[number];

const readPid = (path: string): number => Number(readFileSync(path, 'utf8').split('\n', 1)[0]);

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

/** Starts three nodes of PostgreSQL with Patroni, etcd and HAProxy, in about ten seconds. */
export const startLocalCluster = ({
  basePort,
  isSynchronous = true,
  hasNetworks = false,
}: {
  /** The ports above it are used; test files that run at the same time need others. */
  readonly basePort: number;
  readonly isSynchronous?: boolean;
  /** Gives each node a network namespace, for `cut`. */
  readonly hasNetworks?: boolean;
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'flightdata-cluster-'));
  chmodSync(folder, 0o755);
  const env = {
    PARTS: 'postgres',
    SYNC: String(isSynchronous),
    BASE_PORT: String(basePort),
    NETWORKS: String(hasNetworks),
  };
  const remove = (): void => {
    runScript(['stop', folder], env);
    rmSync(folder, { recursive: true, force: true });
  };
  const start = (): string => {
    try {
      return runScript(['start', folder], env);
    } catch (error) {
      remove();
      throw error;
    }
  };
  const output = start();
  const [, urls = ''] = /^DATABASE_URL=(\S+)$/m.exec(output) ?? [];
  const [leaderUrl = '', ...nodeUrls] = urls.split(',');
  const hosts = nodeUrls.map((url) => new URL(url).hostname);
  const isRole = async (node: number, role: string): Promise<boolean> =>
    fetch(`http://${hosts[node - 1] ?? '127.0.0.1'}:${basePort + 10 + node}/${role}`, {
      signal: AbortSignal.timeout(1000),
    }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const findLeader = async (): Promise<NodeNumber | undefined> => {
    for (const node of nodes) if (await isRole(node, 'primary')) return node;
    return undefined;
  };
  return {
    /** The leader through HAProxy, then all nodes. */
    urls,
    leaderUrl,
    nodeUrls,
    findLeader,
    /** Kills a node with its Patroni, as a machine that loses its power. */
    killNode: (node: NodeNumber): void => {
      kill(readPid(join(folder, 'pids', `n${node}`)));
      kill(readPid(join(folder, `n${node}`, 'data', 'postmaster.pid')));
    },
    /** Returns the process ID of the PostgreSQL server of a node. */
    readPostmaster: (node: NodeNumber): number => readPid(join(folder, `n${node}`, 'data', 'postmaster.pid')),
    startNode: (node: NodeNumber): void => void runScript(['node', String(node), folder], env),
    /** Adds a fourth node, and resolves with its URL when it is a replica. */
    addReplica: async (): Promise<string> => {
      runScript(['node', '4', folder], env);
      await vi.waitUntil(() => isRole(4, 'replica'), { timeout: 120_000, interval: 200 });
      const url = new URL(nodeUrls[0] ?? '');
      url.port = String(basePort + 4);
      return url.href;
    },
    /** Parts a node from the others and from etcd, and from its clients when it is isolated. */
    cut: (node: NodeNumber, { isIsolated }: { readonly isIsolated: boolean }): void =>
      void runScript(['cut', String(node), folder], { ...env, ISOLATED: String(isIsolated) }),
    join: (node: NodeNumber): void => void runScript(['join', String(node), folder], env),
    /** The address of the service behind HAProxy. */
    base: `http://127.0.0.1:${basePort + 31}`,
    /** Starts two servers, or replaces them one after the other; `root` is a checkout of the service. */
    replaceServers: async (root: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
      const child = spawn(script, ['servers', folder], {
        env: { ...process.env, ...env, ...more, PARTS: 'postgres servers', ROOT: root },
        stdio: 'inherit',
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`local.sh servers exited with ${String(code)}`);
    },
    /** Waits until there is a leader, and the other nodes are replicas; with synchronous replication, until one of them could take over. */
    untilComplete: () =>
      vi.waitFor(
        async () => {
          const leader = await findLeader();
          for (const node of nodes)
            if (node !== leader && !(await isRole(node, 'replica'))) throw new Error(`node ${node} is no replica yet`);
          if (leader === undefined) throw new Error('there is no leader yet');
          const areSynchronous = await Promise.all(nodes.map((node) => isRole(node, 'synchronous')));
          if (isSynchronous && !areSynchronous.includes(true)) throw new Error('no replica is synchronous yet');
        },
        { timeout: 120_000, interval: 200 },
      ),
    remove,
  };
};
