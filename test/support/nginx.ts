import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '#contract/run-tool.ts';
import { freePort } from './free-port.ts';

const searchFolders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const nginxPath = searchFolders.map((folder) => join(folder, 'nginx')).find(existsSync) ?? '';

/** Whether nginx is installed; prints a notice when it is not. */
export const hasNginx = nginxPath !== '';
if (!hasNginx) console.warn('nginx is not tested: it is not on this machine (Debian: apt-get install nginx)');

/** Starts nginx before a local server, with the configuration of the guide. `write` writes a file into a temporary `folder`. */
export const startNginx = async (
  target: number,
  { folder, write }: { readonly folder: string; readonly write: (name: string, content: string) => string },
) => {
  const guide = readFileSync(join(root, 'docs/how-to/operate/reverse-proxy.md'), 'utf8');
  const [, documented = ''] = /^```nginx\n(.*?)^```/ms.exec(guide) ?? [];
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const config = write(
    'nginx.conf',
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr notice; events {}
http { access_log off; ${temporary.join(' ')}
${documented.replace('127.0.0.1:8080', `127.0.0.1:${target}`).replace('listen 80', `listen 127.0.0.1:${port}`)} }`,
  );
  const server = spawn(nginxPath, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  // The first notice follows the opening of its port.
  await once(server.stderr, 'data');
  server.stderr.resume();
  return {
    port,
    stop: async (): Promise<void> => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
};
