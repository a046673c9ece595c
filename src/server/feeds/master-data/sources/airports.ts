import { isZone } from '#domain/time/zones.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { parsePosition, type Station } from './station.ts';
import { parseFaaStation, parseIataStation, parseIcaoStation } from './station-codes.ts';
import { findTypeInName } from './station-types.ts';

const columns = ['icao', 'iata', 'name', 'city', 'subd', 'country', 'lat', 'lon', 'tz', 'lid'] as const;

/** Two territories with ISO codes of their own, which the file has as states of the United States. */
const territories: ReadonlyMap<string, string> = new Map([
  ['Puerto Rico', 'PR'],
  ['Virgin Islands', 'VI'],
]);

/**
 * Reads the airports in use today, with their time zones (airportsdata_airports.csv). Invalid ICAO indicators are left out, and so
 * are fields without any code; the report has the totals of both.
 */
export const readAirports = async (file: FeedFile, report: LoadReport): Promise<readonly Station[]> => {
  const stations: Station[] = [];
  let invalidIcaoCodes = 0;
  for await (const { line, values } of readCsvRows(file, { columns, separator: ',', report })) {
    const countryCode = (values.country === 'US' ? territories.get(values.subd) : undefined) ?? values.country;
    const territory = { countryCode, state: values.subd };
    const icao = parseIcaoStation(values.icao, territory);
    if (icao === '' && values.icao !== '') invalidIcaoCodes++;
    const zone = isZone(values.tz) ? values.tz : undefined;
    if (!zone) {
      const message = `The time zone of ${values.iata || values.icao} is not in the time zone database of this runtime and was ignored.`;
      report.entries.push({ severity: 'notice', line, field: 'tz', value: values.tz, reason: 'unknown-zone', message });
    }
    stations.push({
      iata: parseIataStation(values.iata),
      icao,
      faa: parseFaaStation(values.lid, territory),
      name: values.name,
      cityCode: '',
      countryCode,
      ...parsePosition(values.lat, values.lon),
      zone,
      type: findTypeInName(values.name),
      cityName: values.city,
      // A territory is not a region of itself.
      region: { code: '', name: countryCode === values.country ? values.subd : '' },
      validity: { from: '', to: '' },
      source: 'airportsdata',
    });
  }
  const coded = stations.filter(({ iata, icao, faa }) => iata !== '' || icao !== '' || faa !== '');
  if (invalidIcaoCodes > 0) {
    const message = `${invalidIcaoCodes} airports have an identifier in the ICAO column that is not an ICAO code; it was ignored.`;
    report.entries.push({
      severity: 'notice',
      field: 'icao',
      value: String(invalidIcaoCodes),
      reason: 'not-an-icao-code',
      message,
    });
  }
  if (coded.length < stations.length) {
    const message = `${stations.length - coded.length} airports have no IATA, ICAO or FAA code and were ignored.`;
    report.entries.push({
      severity: 'notice',
      value: String(stations.length - coded.length),
      reason: 'field-without-code',
      message,
    });
  }
  return coded;
};
