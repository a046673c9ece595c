/** The whole service as it is run, on a port of its own; its log goes to a pipe that nobody reads. */
import { createApp } from '../../src/app.ts';
import { countBuffersAsHeap } from '../../src/cli/count-buffers-as-heap.ts';
import { createAccessLog } from '../../src/http/access-log.ts';
import { openServer } from '../../src/http/serve.ts';
import { openDatabase } from '../../src/store/database.ts';
import { secretNamed } from '../../src/store/secrets.ts';
import { readDirectory } from '../../src/work/directory.ts';

countBuffersAsHeap();
const [url = ''] = process.argv.slice(2);
const sql = openDatabase({ url, applicationName: 'flightdata bench' });
const directory = await readDirectory(sql);
const app = createApp({
  sql,
  directory: () => directory,
  mapSecret: Buffer.alloc(32, 7),
  cursorSecret: await secretNamed(sql, 'cursor'),
  clock: () => new Date(),
  log: createAccessLog(),
});
const { port } = await openServer({ fetch: app, port: 0, hostname: '127.0.0.1' }).listening;
process.send?.(port);
