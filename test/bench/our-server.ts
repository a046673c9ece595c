/** The whole service as it is run, on a port of its own; its log goes to a pipe that nobody reads. */
import { createApp } from '../../src/app.ts';
import { countBuffersAsHeap } from '../../src/cli/count-buffers-as-heap.ts';
import { createAccessLog } from '../../src/http/access-log.ts';
import { openServer } from '../../src/http/serve.ts';
import { openDatabase } from '../../src/store/database.ts';
import { secretNamed } from '../../src/store/secrets.ts';
import { readMasterData } from '../../src/work/master-data.ts';

countBuffersAsHeap();
const [url = ''] = process.argv.slice(2);
const sql = openDatabase({ url, applicationName: 'flightdata bench' });
const clock = (): Date => new Date();
const masterData = await readMasterData(sql, clock);
const app = createApp({
  sql,
  masterData: () => masterData,
  mapSecret: Buffer.alloc(32, 7),
  cursorSecret: await secretNamed(sql, 'cursor'),
  clock,
  log: createAccessLog(),
});
const { port } = await openServer({ fetch: app, port: 0, hostname: '127.0.0.1' }).listening;
process.send?.(port);
