import type { LoadReport } from '#feeds/load-report.ts';
import { listEquipmentCorrections } from '#feeds/master-data/overrides/equipment-overrides.ts';
import type { ListedAircraft } from '#feeds/master-data/sources/aircraft.ts';
import type { IcaoTypeDesignator } from '#feeds/master-data/sources/model-types.ts';
import { type DescribedEquipment, describeDesignator, describeType } from './describe-equipment.ts';
import { isFreighter } from './equipment-use.ts';
import { completeFamilies, nameEquipment } from './name-equipment.ts';

type EquipmentSources = {
  readonly aircraft: ReadonlyMap<string, ListedAircraft>;
  /** Empty without a list of model types; facts that only this list has are then absent. */
  readonly designators: ReadonlyMap<string, IcaoTypeDesignator>;
};

const formatCode = (text: string): string => (text === '' ? 'none' : text);

/** Reports where overrides or designators corrected the list of aircraft, and which designators are unknown. */
const reportConflicts = (
  types: readonly DescribedEquipment[],
  { aircraft, designators }: EquipmentSources,
  report: LoadReport,
): void => {
  const addCorrection = (
    field: string,
    value: string,
    details: { readonly reason: string; readonly message: string },
  ): void => void report.entries.push({ severity: 'corrected', field, value, ...details });
  for (const { iata, icao, facts } of types) {
    const listed = aircraft.get(iata);
    if (listed && listEquipmentCorrections().get(iata)?.icao !== undefined && listed.icao !== icao) {
      const message = `The ICAO code of ${iata} is ${formatCode(icao)}; the file has ${formatCode(listed.icao)}.`;
      addCorrection('icao_code', listed.icao, { reason: 'equipment-icao-code', message });
    }
    if (listed && listed.category !== '' && facts.category !== '' && listed.category !== facts.category) {
      const message = `The category of ${iata} is ${facts.category} by its ICAO code; the file has ${listed.category}.`;
      addCorrection('iata_category', listed.category, { reason: 'equipment-category', message });
    } else if (
      listed &&
      listed.engine.count !== undefined &&
      facts.engine.count !== undefined &&
      facts.engine.type !== ''
    ) {
      const [read, designator] = [listed.engine, facts.engine].map(({ count, type }) => `${count} ${type}`);
      if (read !== designator) {
        const message = `The engines of ${iata} are ${designator} by its ICAO code; the file has ${read}.`;
        addCorrection('nb_engines', read ?? '', { reason: 'equipment-engine', message });
      }
    }
    for (const code of designators.size > 0 ? facts.icaoTypes : []) {
      if (designators.has(code)) continue;
      const message = `The list of model types does not contain an ICAO code of ${iata}.`;
      report.entries.push({ severity: 'notice', field: 'icao', value: code, reason: 'unknown-designator', message });
    }
  }
};

/** Reports how many types with an IATA code lack each fact. */
const reportGaps = (types: readonly DescribedEquipment[], report: LoadReport): void => {
  const flying = types.filter(({ facts }) => facts.category !== 'SurfaceVehicle');
  const gaps = [
    ['icao', 'icao-code', types.filter(({ icao }) => icao === ''), 'no own ICAO code (families and surface vehicles)'],
    ['engine', 'engine', flying.filter(({ facts }) => facts.engine.type === ''), 'no single engine type'],
    [
      'wakeTurbulence',
      'wake-category',
      flying.filter(({ facts }) => facts.wakeTurbulence === ''),
      'no single wake category',
    ],
  ] as const;
  for (const [field, gap, lacking, description] of gaps) {
    if (lacking.length === 0) continue;
    const message = `${lacking.length} aircraft types with an IATA code have ${description}.`;
    const value = String(lacking.length);
    report.entries.push({ severity: 'notice', field, value, reason: `equipment-without-${gap}`, message });
  }
};

/**
 * Joins the list of aircraft with the list of model types and the overrides, which win. The types with an IATA code come first, by
 * code. Then comes every other designator in force, as a member of the family whose code schedules use for it.
 */
export const joinEquipment = (sources: EquipmentSources, report: LoadReport): readonly DescribedEquipment[] => {
  const { aircraft, designators } = sources;
  const named = nameEquipment(aircraft);
  const freighters = new Set(named.filter(isFreighter).flatMap(({ icaoTypes }) => icaoTypes));
  const types = completeFamilies(named).map((type) => describeType(type, { designators, freighters }));
  reportConflicts(types, sources, report);
  reportGaps(types, report);

  const ownDesignators = new Set(types.map(({ icao }) => icao));
  // Uses the codes before families are completed, so that the narrowest code counts, of several the first by alphabet.
  const familyByDesignator = new Map(
    named.toReversed().flatMap(({ iata, icaoTypes }) => icaoTypes.map((icao): [string, string] => [icao, iata])),
  );
  const others = [...designators.values()].filter(({ icao, isInForce }) => isInForce && !ownDesignators.has(icao));
  return [
    ...types,
    ...others.map((designator) => describeDesignator(designator, familyByDesignator.get(designator.icao) ?? '')),
  ];
};
