import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deriveHubKeys } from '#delivery/hub/hub-keys.ts';
import { renderServerConfig } from '#delivery/hub/hub-server-config.ts';
import { freePort } from '../free-port.ts';

const searchFolders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
/** The path of the broker to test with. */
export const natsServerPath =
  searchFolders.map((searchFolder) => join(searchFolder, 'nats-server')).find(existsSync) ?? '';

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

/** Starts a broker with the configuration that `flightdata hub server-config` prints, or with users of its own. */
export const startBroker = async (secret: Uint8Array, users?: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'flightdata-hub-'));
  const port = await freePort();
  const keys = deriveHubKeys(secret);
  const config = join(directory, 'server.conf');
  const settings = { listen: `127.0.0.1:${port}`, storeDir: directory, now: new Date() };
  const own = `listen: ${settings.listen}\njetstream { store_dir: ${JSON.stringify(directory)} }\nauthorization { ${users} }\n`;
  writeFileSync(config, users === undefined ? renderServerConfig(keys, settings) : own);
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
