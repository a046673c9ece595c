import type { EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { normalizeManufacturer } from '../overrides/equipment-overrides.ts';

type NamedModel = { readonly manufacturer: string; readonly model: string };

const normalizeModel = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Whether a text contains the characters of a code in their order, with others in between. */
const containsInOrder = (text: string, code: string): boolean => {
  let next = 0;
  for (const character of text) if (character === code[next]) next += 1;
  return next === code.length;
};

/**
 * Returns how well a model explains a designator, 0 is best. Designators are abbreviations of model names: DHC6 of DHC-6, C172 of
 * Cessna 172, GLEX of Global Express. Military and local names of the same aircraft (U-6, C-98) explain nothing.
 */
const computeDistance = (icao: string, { manufacturer, model }: NamedModel): number => {
  const normalizedMaker = normalizeModel(manufacturer);
  const normalizedType = normalizeModel(model);
  if (normalizedType.startsWith(icao.slice(0, 1)) && containsInOrder(normalizedType, icao)) return 0;
  if (
    normalizedMaker.startsWith(icao.slice(0, 1)) &&
    normalizedType.startsWith(icao.slice(1, 2)) &&
    containsInOrder(normalizedType, icao.slice(1))
  )
    return 0;
  if (containsInOrder(normalizedMaker.slice(0, 1) + normalizedType, icao)) return 1;
  return containsInOrder(normalizedMaker + normalizedType, icao) ? 2 : 3;
};

/**
 * Returns the model that names a designator of several models. Of those that explain it, it is of the manufacturer with most models,
 * of these the one that explains it best, then the first of the list.
 */
export const selectModel = (icao: string, models: readonly NamedModel[]): NamedModel => {
  const ofMaker = Map.groupBy(models, ({ manufacturer }) => manufacturer);
  const [best] = models
    .map(({ manufacturer, model }) => {
      const distance = computeDistance(icao, { manufacturer, model });
      const modelsOfMaker = ofMaker.get(manufacturer)?.length ?? 0;
      return { manufacturer, model, distance, roughDistance: Math.max(distance, 1), modelsOfMaker };
    })
    .toSorted(
      (one, other) =>
        one.roughDistance - other.roughDistance ||
        other.modelsOfMaker - one.modelsOfMaker ||
        one.distance - other.distance,
    );
  return { manufacturer: best?.manufacturer ?? '', model: best?.model ?? '' };
};

const columns = [
  'ICAO',
  'Manufacturer',
  'Model',
  'Engines',
  'EngineTypeCode',
  'SpeciesCode',
  'WakeTurbulenceCode',
  'IsActive',
] as const;

/** The facts of an ICAO type designator. */
export type IcaoTypeDesignator = NamedModel & {
  readonly icao: string;
  /** True when one of its models is active. */
  readonly isInForce: boolean;
  readonly category: EquipmentFacts['category'];
  readonly engine: EquipmentFacts['engine'];
  readonly wakeTurbulence: string;
};

const species: ReadonlyMap<string, Exclude<EquipmentFacts['category'], ''>> = new Map([
  ['L', 'LandPlane'],
  ['S', 'SeaPlane'],
  ['A', 'Amphibian'],
  ['H', 'Helicopter'],
  ['G', 'Gyrocopter'],
  ['T', 'TiltRotor'],
]);

const engineTypes: ReadonlyMap<string, EquipmentFacts['engine']['type']> = new Map([
  ['J', 'Jet'],
  ['T', 'Turboprop'],
  ['P', 'Piston'],
  ['E', 'Electric'],
  ['R', 'Rocket'],
]);

/** The list has one letter for turboprops and turboshafts. */
const parseEngineType = (code: string, category: EquipmentFacts['category']): EquipmentFacts['engine']['type'] => {
  const type = engineTypes.get(code) ?? '';
  return type === 'Turboprop' && (category === 'Helicopter' || category === 'TiltRotor') ? 'Turboshaft' : type;
};

async function* readRows(files: readonly FeedFile[], report: LoadReport) {
  for (const file of files) yield* readCsvRows(file, { columns, separator: ',', report });
}

type ModelRow = NamedModel &
  Readonly<Record<'engines' | 'engineType' | 'species' | 'wake', string>> & { isActive: boolean };

/**
 * Reads models (vrs_model_types.csv, or a file for each first letter) into one record a designator. Inactive models count only for designators without active ones.
 * A fact in which the models contradict each other is omitted and reported. Ground vehicles, towers and designators of no type
 * (ZZZZ, balloons, gliders) have no species and are skipped.
 */
export const readModelTypes = async (
  files: readonly FeedFile[],
  report: LoadReport,
): Promise<ReadonlyMap<string, IcaoTypeDesignator>> => {
  const models = new Map<string, ModelRow[]>();
  for await (const { values } of readRows(files, report)) {
    if (!/^[A-Z][A-Z0-9]{1,3}$/.test(values.ICAO) || !species.has(values.SpeciesCode)) continue;
    const rows = models.get(values.ICAO) ?? [];
    rows.push({
      manufacturer: normalizeManufacturer(values.Manufacturer),
      model: values.Model,
      engines: values.Engines,
      engineType: values.EngineTypeCode,
      species: values.SpeciesCode,
      wake: values.WakeTurbulenceCode,
      isActive: values.IsActive === '1',
    });
    models.set(values.ICAO, rows);
  }
  const designators = new Map<string, IcaoTypeDesignator>();
  for (const [icao, allRows] of models) {
    const active = allRows.filter(({ isActive }) => isActive);
    const rows = active.length > 0 ? active : allRows;
    const getCommonValue = (field: 'engines' | 'engineType' | 'species' | 'wake'): string => {
      const [value = '', ...others] = new Set(rows.map((row) => row[field]));
      if (others.length === 0) return value;
      const message = `The models of ${icao} contradict each other; the value was ignored.`;
      const contradiction = [value, ...others].join(' ');
      report.entries.push({
        severity: 'notice',
        field,
        value: contradiction,
        reason: 'designator-models-differ',
        message,
      });
      return '';
    };
    const category = species.get(getCommonValue('species')) ?? '';
    const engines = getCommonValue('engines');
    designators.set(icao, {
      icao,
      ...selectModel(icao, rows),
      isInForce: active.length > 0,
      category,
      engine: {
        type: parseEngineType(getCommonValue('engineType'), category),
        // C means two engines coupled to one propeller, without a count.
        count: /^[1-9]$/.test(engines) ? Number(engines) : undefined,
      },
      wakeTurbulence: getCommonValue('wake'),
    });
  }
  return designators;
};
