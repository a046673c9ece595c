import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { newLoadReport } from '../../src/feeds/load-report.ts';
import { csvRows } from '../../src/feeds/master-data/sources/csv-rows.ts';
import { realMasterDataDir } from './real-master-data.ts';

const columns = ['iata', 'name', 'subd', 'country', 'lat', 'lon', 'tz'] as const;

/** The stations of the list of airports in use that have an IATA code, as the file has them. */
export const listSourceStations = async () => {
  const name = 'airportsdata_airports.csv.gz';
  const bytes = pipeline(createReadStream(`${realMasterDataDir}/${name}`), createGunzip(), () => {});
  const rows = csvRows({ name, bytes }, { columns, separator: ',', report: newLoadReport(name) });
  const stations = [];
  for await (const { values } of rows) if (values.iata !== '') stations.push(values);
  return stations;
};
