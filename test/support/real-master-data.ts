import { inject } from 'vitest';
import type { LoadReport } from '../../src/feeds/load-report.ts';
import { openDatabase } from '../../src/store/pool/database.ts';
import { importMasterData } from '../../src/jobs/import/import-master-data.ts';
import { cloneDatabase, type FreshDatabase } from './database.ts';
import { findSharedData } from './shared-data.ts';

/** The folder of the real master data files, or undefined without the shared data set. */
export const realMasterDataDir = findSharedData('master');

const REAL_IMPORT_LOCK = 7_884;

/** Imports into a new database and renames it when it is complete, so that an interrupted run leaves no partial one. */
const importRealMasterData = async (name: string): Promise<void> => {
  const partial = await cloneDatabase(inject('testTemplate'), `${name}_making`);
  const report = await importMasterData({ sql: partial.sql, dir: realMasterDataDir ?? '', log: () => {} });
  await partial.sql`create schema test_support`;
  await partial.sql`create table test_support.load_report as select ${JSON.stringify(report)}::text as report`;
  await partial.sql.end();
};

export type RealMasterData = FreshDatabase & { readonly report: LoadReport };

/**
 * Creates a database with all real master data, and returns the load report. The first caller of a test run imports the files;
 * later callers clone its database. Call `drop` in afterAll.
 */
export const readRealMasterData = async (): Promise<RealMasterData> => {
  const name = `${inject('testTemplate')}_real`;
  const server = openDatabase({ url: inject('testServer'), applicationName: 'flightdata-test', max: 1 });
  try {
    await server`select pg_advisory_lock(${REAL_IMPORT_LOCK})`;
    const [existing] = await server`select from pg_database where datname = ${name}`;
    if (!existing) {
      await server.unsafe(`drop database if exists ${name}_making with (force)`);
      await importRealMasterData(name);
      await server.unsafe(`alter database ${name}_making rename to ${name}`);
    }
  } finally {
    // The end of the connection releases the lock.
    await server.end();
  }
  const database = await cloneDatabase(name);
  const [row] = await database.sql<{ report: string }[]>`select report from test_support.load_report`;
  const report: LoadReport = JSON.parse(row?.report ?? '');
  return { ...database, report };
};
