import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createLoadReport } from '../../src/feeds/load-report.ts';
import { readCsvRows } from '../../src/feeds/text/csv-rows.ts';
import { realMasterDataDir } from './real-master-data.ts';

const columns = ['iata', 'name', 'subd', 'country', 'lat', 'lon', 'tz'] as const;

/** Lists the stations with an IATA code of the file of airports in use. */
export const listSourceStations = async () => {
  const name = 'airportsdata_airports.csv.gz';
  const bytes = pipeline(createReadStream(`${realMasterDataDir}/${name}`), createGunzip(), () => {});
  const rows = readCsvRows({ name, bytes }, { columns, separator: ',', report: createLoadReport(name) });
  const stations = [];
  for await (const { values } of rows) if (values.iata !== '') stations.push(values);
  return stations;
};
