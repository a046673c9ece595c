/** `make schema`: writes src/server/store/schema/schema.sql and records the checksums of new migrations. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordMigrations } from '#contract/check-migrations.ts';
import { openEmbedded } from '#store/engine/embedded.ts';
import { migrate } from '#store/schema/migrate.ts';
import { dumpSchema } from '#store/schema/schema-dump.ts';

recordMigrations();
const dataDir = await mkdtemp(join(tmpdir(), 'flightdata-schema-'));
const { sql, close } = await openEmbedded({ dataDir, applicationName: 'flightdata schema', log: () => {} });
try {
  await migrate(sql);
  await writeFile(new URL('../../src/server/store/schema/schema.sql', import.meta.url), await dumpSchema(sql));
} finally {
  await close();
  await rm(dataDir, { recursive: true });
}
