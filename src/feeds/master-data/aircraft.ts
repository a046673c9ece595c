import type { Equipment } from '../../domain/master-data.ts';
import type { LoadReport } from '../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';
import { equipmentFacts } from './equipment-facts.ts';

const columns = ['iata_code', 'manufacturer', 'model', 'icao_code'] as const;

/** An ICAO type designator of two to four characters; placeholders such as `ZZZZ`, `0000` and `*` are none. */
const icaoType = (code: string): string => (/^[A-Z][A-Z0-9]{1,3}$/.test(code) && code !== 'ZZZZ' ? code : '');

/** `Antonow / Antonov` is one maker in two spellings; ground transport has no maker but the words `Surface Equipment`. */
const nameOf = (manufacturer: string, model: string): string =>
  [manufacturer.split(' / ').at(-1) ?? '', model]
    .filter((part) => part !== '')
    .join(' ')
    .replace(/^Surface Equipment[ -]?/, '');

/**
 * Reads aircraft types (optd_aircraft.csv), corrected and completed by `equipmentFacts`, which wins. Types left without an
 * ICAO code are counted in the report: families have none, because an ICAO code names one type.
 */
export const readAircraft = async (file: FeedFile, report: LoadReport): Promise<readonly Equipment[]> => {
  const types = new Map<string, Equipment>();
  for await (const { line, values } of csvRows(file, { columns, separator: '^', report })) {
    const iata = values.iata_code;
    if (!/^[A-Z0-9]{3}$/.test(iata)) {
      const message = 'An aircraft type has a code of three letters or digits.';
      report.entries.push({
        severity: 'quarantined',
        line,
        field: 'iata_code',
        value: iata,
        reason: 'bad-equipment-code',
        message,
      });
      continue;
    }
    types.set(iata, {
      iata,
      icao: icaoType(values.icao_code),
      name: nameOf(values.manufacturer, values.model),
      cargoTonnes: undefined,
    });
  }
  for (const [iata, { icao, name, cargoTonnes }] of equipmentFacts) {
    const filed = types.get(iata);
    if (filed && icao !== undefined && filed.icao !== icao) {
      const message = `The ICAO code of ${iata} is ${icao === '' ? 'none' : icao}; the file has ${filed.icao === '' ? 'none' : filed.icao}.`;
      report.entries.push({
        severity: 'corrected',
        field: 'icao_code',
        value: filed.icao,
        reason: 'equipment-icao-code',
        message,
      });
    }
    types.set(iata, { iata, icao: icao ?? filed?.icao ?? '', name: name ?? filed?.name ?? '', cargoTonnes });
  }
  const bare = [...types.values()].filter(({ icao }) => icao === '').length;
  if (bare > 0) {
    const message = 'So many aircraft types, mostly families and ground transport, have no ICAO code.';
    report.entries.push({
      severity: 'notice',
      field: 'icao',
      value: String(bare),
      reason: 'equipment-without-icao-code',
      message,
    });
  }
  return [...types.values()];
};
