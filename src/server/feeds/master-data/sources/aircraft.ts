import type { EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { normalizeManufacturer } from '../overrides/equipment-overrides.ts';

const columns = [
  'iata_code',
  'manufacturer',
  'model',
  'iata_group',
  'iata_category',
  'icao_code',
  'nb_engines',
  'aircraft_type',
] as const;

/** A type of the list of aircraft; '' or undefined where the list has no value. */
export type ListedAircraft = {
  readonly iata: string;
  readonly icao: string;
  readonly manufacturer: string;
  readonly model: string;
  /** IATA code of its family, '' when it has none or is the family. */
  readonly group: string;
  readonly category: EquipmentFacts['category'];
  readonly engine: EquipmentFacts['engine'];
};

/** Returns an ICAO type designator of 2 to 4 characters, '' for placeholders such as `ZZZZ`, `0000` and `*`. */
const parseIcaoType = (code: string): string => (/^[A-Z][A-Z0-9]{1,3}$/.test(code) && code !== 'ZZZZ' ? code : '');

type AircraftKind = Pick<ListedAircraft, 'category'> & { readonly engineType: EquipmentFacts['engine']['type'] };

/** The letters of the list: J, T and P are aeroplanes by engine, H is a helicopter with any engine, S a surface vehicle. */
const kindsByLetter: ReadonlyMap<string, AircraftKind> = new Map([
  ['J', { category: 'LandPlane', engineType: 'Jet' }],
  ['T', { category: 'LandPlane', engineType: 'Turboprop' }],
  ['P', { category: 'LandPlane', engineType: 'Piston' }],
  ['H', { category: 'Helicopter', engineType: '' }],
  ['S', { category: 'SurfaceVehicle', engineType: '' }],
]);

/**
 * Reads aircraft types (optd_aircraft.csv) by IATA code. An invalid category, such as the words of a row whose columns are shifted,
 * is reported and left out.
 */
export const readAircraft = async (
  file: FeedFile,
  report: LoadReport,
): Promise<ReadonlyMap<string, ListedAircraft>> => {
  const types = new Map<string, ListedAircraft>();
  for await (const { line, values } of readCsvRows(file, { columns, separator: '^', report })) {
    const iata = values.iata_code;
    if (!/^[A-Z0-9]{3}$/.test(iata)) {
      const message = 'The code of an aircraft type must have three letters or digits; the row was ignored.';
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
    const category = values.iata_category;
    const isShifted = category !== '' && !/^([1-9]?[JTP]|H|S)$/.test(category);
    if (isShifted) {
      const message = `The category of ${iata} must be a number of engines with J, T or P, or H or S; the engine data of the row were ignored.`;
      report.entries.push({
        severity: 'corrected',
        line,
        field: 'iata_category',
        value: category,
        reason: 'equipment-category',
        message,
      });
    }
    const kind = isShifted ? undefined : kindsByLetter.get(values.aircraft_type || category.slice(-1));
    const count = isShifted ? '' : values.nb_engines;
    types.set(iata, {
      iata,
      icao: parseIcaoType(values.icao_code),
      manufacturer: normalizeManufacturer(values.manufacturer),
      // Surface transport has these words instead of a manufacturer, in either column; `pax` is the default and is removed.
      model: values.model.replace(/^Surface Equipment[ -]?| pax$/, ''),
      group: isShifted || values.iata_group === iata ? '' : values.iata_group,
      category: kind?.category ?? '',
      engine: { type: kind?.engineType ?? '', count: /^[1-9]$/.test(count) ? Number(count) : undefined },
    });
  }
  return types;
};
