import type { LoadReport } from '#feeds/load-report.ts';
import { importMasterData } from '#jobs/import/import-master-data.ts';
import { filledDatabase, type FreshDatabase } from './database.ts';
import { findSharedData } from './shared-data.ts';

/** The folder of the real master data files, or undefined without the shared data set. */
export const realMasterDataDir = findSharedData('master');

export type RealMasterData = FreshDatabase & { readonly report: LoadReport };

/** Creates a database with all real master data, imported once in a run; returns the load report too. */
export const readRealMasterData = async (): Promise<RealMasterData> => {
  const database = await filledDatabase('real', async ({ sql }) => {
    const report = await importMasterData({ sql, dir: realMasterDataDir ?? '', log: () => {} });
    await sql`create schema test_support`;
    await sql`create table test_support.load_report as select ${JSON.stringify(report)}::text as report`;
  });
  const [row] = await database.sql<{ report: string }[]>`select report from test_support.load_report`;
  const report: LoadReport = JSON.parse(row?.report ?? '');
  return { ...database, report };
};
