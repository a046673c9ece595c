import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deriveHubKeys } from '#delivery/hub/hub-keys.ts';
import { renderServerConfig } from '#delivery/hub/hub-server-config.ts';
import { freePort } from '../free-port.ts';

const searchFolders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
/** Returns the path of a program; '' when it is not installed. */
const findProgram = (name: string): string =>
  searchFolders.map((searchFolder) => join(searchFolder, name)).find(existsSync) ?? '';
/** The path of the broker to test with. */
export const natsServerPath = findProgram('nats-server');

/** Whether a nats-server is installed; prints a notice when it is not. */
export const hasNatsServer = natsServerPath !== '';
if (!hasNatsServer)
  console.warn('The hub is not tested: no nats-server on this machine (Debian: apt-get install nats-server)');

export type Broker = Awaited<ReturnType<typeof startBroker>>;

const acceptsConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    // The broker prints this line when it accepts clients.
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Prepares a process of the broker with a configuration, which is stored in its directory. */
const createProcess = (directory: string, { port, text }: { readonly port: number; readonly text: string }) => {
  const config = join(directory, 'server.conf');
  writeFileSync(config, text);
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const started = spawn(natsServerPath, ['-c', config, '-l', join(directory, 'log')], { stdio: 'ignore' });
    server = started;
    while (!(await acceptsConnections(port))) {
      if (started.exitCode !== null) throw new Error(`nats-server has ended with ${started.exitCode}`);
      await delay(10);
    }
  };
  /** Kills the process at once, without a final write. */
  const kill = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return { start, kill };
};

/** Starts a broker with the configuration that `flightdata hub server-config` prints, or with users of its own. */
export const startBroker = async (secret: Uint8Array, users?: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'flightdata-hub-'));
  const port = await freePort();
  const keys = deriveHubKeys(secret);
  const settings = { listen: `127.0.0.1:${port}`, storeDir: directory, now: new Date() };
  const own = `listen: ${settings.listen}\njetstream { store_dir: ${JSON.stringify(directory)} }\nauthorization { ${users} }\n`;
  const { start, kill } = createProcess(directory, {
    port,
    text: users === undefined ? renderServerConfig(keys, settings) : own,
  });
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    keys,
    start,
    kill,
    /** Saves the stored data of a stopped broker; `restore` brings it back. */
    save: (): void => cpSync(join(directory, 'jetstream'), join(directory, 'saved'), { recursive: true }),
    restore: (): void => {
      rmSync(join(directory, 'jetstream'), { recursive: true });
      cpSync(join(directory, 'saved'), join(directory, 'jetstream'), { recursive: true });
    },
    drop: async (): Promise<void> => {
      await kill();
      rmSync(directory, { recursive: true });
    },
  };
};

/** Whether the programs of a cluster of brokers are installed. */
export const hasBrokerCluster = hasNatsServer && findProgram('haproxy') !== '';

const haproxyConfig = new URL('../../../docs/deploy/cluster/haproxy.cfg', import.meta.url).pathname;

/** Returns the environment of the recipe's HAProxy that has brokers only; nothing listens on port 1. */
const createProxyEnvironment = async (
  port: number,
  brokers: readonly number[],
): Promise<Readonly<Record<string, string>>> => ({
  LISTEN: '127.0.0.1',
  LEADER_PORT: String(await freePort()),
  HTTP_PORT: String(await freePort()),
  HUB_PORT: String(port),
  ...Object.fromEntries(brokers.map((broker, index) => [`NATS${index + 1}`, `127.0.0.1:${broker}`])),
  ...Object.fromEntries(['PG1', 'PG2', 'PG3', 'WEB1', 'WEB2'].map((name) => [name, '127.0.0.1:1'])),
  ...Object.fromEntries(
    ['REST1', 'REST2', 'REST3', 'READY1', 'READY2'].flatMap((name) => [
      [`${name}_HOST`, '127.0.0.1'],
      [`${name}_PORT`, '1'],
    ]),
  ),
});

/** Starts three brokers that form a cluster, behind the HAProxy of docs/deploy/cluster. */
export const startBrokerCluster = async (secret: Uint8Array) => {
  const folder = mkdtempSync(join(tmpdir(), 'flightdata-hubs-'));
  const keys = deriveHubKeys(secret);
  const names = ['b1', 'b2', 'b3'] as const;
  const ports = await Promise.all(names.map(freePort));
  const routePorts = await Promise.all(names.map(freePort));
  const routes = routePorts.map((port) => JSON.stringify(`nats://127.0.0.1:${port}`)).join(', ');
  const now = new Date();
  const brokers = names.map((name, index) => {
    const directory = join(folder, name);
    mkdirSync(directory);
    const [port = 0, routePort] = [ports[index], routePorts[index]];
    const config = renderServerConfig(keys, { listen: `127.0.0.1:${port}`, storeDir: directory, now });
    const cluster = `cluster { name: flightdata, listen: "127.0.0.1:${routePort}", routes: [${routes}] }`;
    return { name, ...createProcess(directory, { port, text: `${config}server_name: ${name}\n${cluster}\n` }) };
  });
  await Promise.all(brokers.map(({ start }) => start()));
  const port = await freePort();
  const proxy = spawn(findProgram('haproxy'), ['-db', '-f', haproxyConfig], {
    env: await createProxyEnvironment(port, ports),
    stdio: 'ignore',
  });
  while (!(await acceptsConnections(port))) {
    if (proxy.exitCode !== null) throw new Error(`haproxy has ended with ${proxy.exitCode}`);
    await delay(50);
  }
  return {
    /** The address behind HAProxy. */
    url: `nats://127.0.0.1:${port}`,
    keys,
    brokers,
    drop: async (): Promise<void> => {
      await Promise.all(brokers.map(({ kill }) => kill()));
      const ended = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
