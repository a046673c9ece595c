import type { EquipmentFacts } from '../../../domain/master-data/master-data-facts.ts';
import type { LoadReport } from '../../load-report.ts';
import { readCsvRows, type FeedFile } from '../../text/csv-table.ts';
import { normalizeManufacturer } from '../overrides/equipment-overrides.ts';

/** A model by its maker's name and its own. */
type NamedModel = { readonly manufacturer: string; readonly model: string };

const normalizeModel = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Whether a text has the characters of a code in their order, others between them allowed. */
const containsInOrder = (text: string, code: string): boolean => {
  let next = 0;
  for (const character of text) if (character === code[next]) next += 1;
  return next === code.length;
};

/**
 * How well a model explains a designator, 0 best. Designators are cut from the names of models: DHC6 from DHC-6, C172 from
 * Cessna 172, GLEX from Global Express; military and local names of the same aircraft (U-6, C-98) explain nothing.
 */
const computeDistance = (icao: string, { manufacturer, model }: NamedModel): number => {
  const maker = normalizeModel(manufacturer);
  const type = normalizeModel(model);
  if (type.startsWith(icao.slice(0, 1)) && containsInOrder(type, icao)) return 0;
  if (maker.startsWith(icao.slice(0, 1)) && type.startsWith(icao.slice(1, 2)) && containsInOrder(type, icao.slice(1)))
    return 0;
  if (containsInOrder(maker.slice(0, 1) + type, icao)) return 1;
  return containsInOrder(maker + type, icao) ? 2 : 3;
};

/**
 * The model that a designator shared by several goes by: of those that explain it, one of the maker with most models; of
 * these the one that explains it best; then the first of the list.
 */
export const selectModel = (icao: string, models: readonly NamedModel[]): NamedModel => {
  const ofMaker = Map.groupBy(models, ({ manufacturer }) => manufacturer);
  const [best] = models
    .map(({ manufacturer, model }) => {
      const distance = computeDistance(icao, { manufacturer, model });
      const modelsOfMaker = ofMaker.get(manufacturer)?.length ?? 0;
      return { manufacturer, model, distance, roughly: Math.max(distance, 1), modelsOfMaker };
    })
    .toSorted(
      (one, other) =>
        one.roughly - other.roughly || other.modelsOfMaker - one.modelsOfMaker || one.distance - other.distance,
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

/** What is known of an ICAO type designator. */
export type IcaoTypeDesignator = NamedModel & {
  readonly icao: string;
  /** Whether the designator is in force, that is, has a model that is. */
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

/** One letter stands for turbines that turn a propeller and for those that turn a rotor. */
const parseEngineType = (code: string, category: EquipmentFacts['category']): EquipmentFacts['engine']['type'] => {
  const type = engineTypes.get(code) ?? '';
  return type === 'Turboprop' && (category === 'Helicopter' || category === 'TiltRotor') ? 'Turboshaft' : type;
};

type ModelRow = NamedModel &
  Readonly<Record<'engines' | 'engineType' | 'species' | 'wake', string>> & { isActive: boolean };

/**
 * Reads models (vrs_model_types.csv) into one record a designator. Models in force speak for it, those withdrawn only where no
 * other is left; where they contradict each other, the fact is left out and reported. Ground vehicles, towers and the
 * designators of no type (ZZZZ, balloons, gliders) are no aircraft types: they have no species.
 */
export const readModelTypes = async (
  file: FeedFile,
  report: LoadReport,
): Promise<ReadonlyMap<string, IcaoTypeDesignator>> => {
  const models = new Map<string, ModelRow[]>();
  for await (const { values } of readCsvRows(file, { columns, separator: ',', report })) {
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
  for (const [icao, all] of models) {
    const inForce = all.filter(({ isActive }) => isActive);
    const rows = inForce.length > 0 ? inForce : all;
    const agreed = (field: 'engines' | 'engineType' | 'species' | 'wake'): string => {
      const [value = '', ...others] = new Set(rows.map((row) => row[field]));
      if (others.length === 0) return value;
      const message = `The models of ${icao} contradict each other; the fact is left out.`;
      const read = [value, ...others].join(' ');
      report.entries.push({ severity: 'notice', field, value: read, reason: 'designator-models-differ', message });
      return '';
    };
    const category = species.get(agreed('species')) ?? '';
    const engines = agreed('engines');
    designators.set(icao, {
      icao,
      ...selectModel(icao, rows),
      isInForce: inForce.length > 0,
      category,
      engine: {
        type: parseEngineType(agreed('engineType'), category),
        // C is for two engines coupled to one propeller, which the list does not count.
        count: /^[1-9]$/.test(engines) ? Number(engines) : undefined,
      },
      wakeTurbulence: agreed('wake'),
    });
  }
  return designators;
};
