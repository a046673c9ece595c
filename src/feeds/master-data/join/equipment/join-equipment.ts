import type { LoadReport } from '../../../load-report.ts';
import { listEquipmentCorrections } from '../../overrides/equipment-overrides.ts';
import type { ListedAircraft } from '../../sources/aircraft.ts';
import type { Designator } from '../../sources/model-types.ts';
import { type DescribedEquipment, describeDesignator, describeType } from './describe-equipment.ts';
import { isFreighter } from './equipment-use.ts';
import { completeFamilies, nameEquipment } from './name-equipment.ts';

type EquipmentSources = {
  readonly aircraft: ReadonlyMap<string, ListedAircraft>;
  /** Empty when there is no list of model types: what only it tells is left out. */
  readonly designators: ReadonlyMap<string, Designator>;
};

const shown = (text: string): string => (text === '' ? 'none' : text);

/** Tells where the list of aircraft was corrected, by the own list or by the designators, and which designators are unknown. */
const reportConflicts = (
  types: readonly DescribedEquipment[],
  { aircraft, designators }: EquipmentSources,
  report: LoadReport,
): void => {
  const corrected = (field: string, value: string, told: { readonly reason: string; readonly message: string }): void =>
    void report.entries.push({ severity: 'corrected', field, value, ...told });
  for (const { iata, icao, facts } of types) {
    const listed = aircraft.get(iata);
    if (listed && listEquipmentCorrections().get(iata)?.icao !== undefined && listed.icao !== icao) {
      const message = `The ICAO code of ${iata} is ${shown(icao)}; the file has ${shown(listed.icao)}.`;
      corrected('icao_code', listed.icao, { reason: 'equipment-icao-code', message });
    }
    if (listed && listed.category !== '' && facts.category !== '' && listed.category !== facts.category) {
      const message = `The category of ${iata} is ${facts.category} by its ICAO code; the file has ${listed.category}.`;
      corrected('iata_category', listed.category, { reason: 'equipment-category', message });
    } else if (
      listed &&
      listed.engine.count !== undefined &&
      facts.engine.count !== undefined &&
      facts.engine.type !== ''
    ) {
      const [read, known] = [listed.engine, facts.engine].map(({ count, type }) => `${count} ${type}`);
      if (read !== known) {
        const message = `The engines of ${iata} are ${known} by its ICAO code; the file has ${read}.`;
        corrected('nb_engines', read ?? '', { reason: 'equipment-engine', message });
      }
    }
    for (const code of designators.size > 0 ? facts.icaoTypes : []) {
      if (designators.has(code)) continue;
      const message = `The list of model types does not know an ICAO code of ${iata}.`;
      report.entries.push({ severity: 'notice', field: 'icao', value: code, reason: 'unknown-designator', message });
    }
  }
};

/** One entry a gap: how many types of the schedules' codes lack a fact. */
const reportGaps = (types: readonly DescribedEquipment[], report: LoadReport): void => {
  const flying = types.filter(({ facts }) => facts.category !== 'SurfaceVehicle');
  const gaps = [
    [
      'icao',
      'icao-code',
      types.filter(({ icao }) => icao === ''),
      'no ICAO code of their own: families, and transport on the ground',
    ],
    ['engine', 'engine', flying.filter(({ facts }) => facts.engine.type === ''), 'no one type of engine'],
    [
      'wakeTurbulence',
      'wake-category',
      flying.filter(({ facts }) => facts.wakeTurbulence === ''),
      'no one wake category',
    ],
  ] as const;
  for (const [field, what, lacking, why] of gaps) {
    if (lacking.length === 0) continue;
    const message = `So many aircraft types with an IATA code have ${why}.`;
    const value = String(lacking.length);
    report.entries.push({ severity: 'notice', field, value, reason: `equipment-without-${what}`, message });
  }
};

/**
 * Joins the list of aircraft with that of model types and this service's own lists, which win. First come the types with an
 * IATA code, by code; then every designator in force that is no such type's own, a member of the family whose code its flights
 * are filed under.
 */
export const joinEquipment = (sources: EquipmentSources, report: LoadReport): readonly DescribedEquipment[] => {
  const { aircraft, designators } = sources;
  const named = nameEquipment(aircraft);
  const freighters = new Set(named.filter(isFreighter).flatMap(({ icaoTypes }) => icaoTypes));
  const types = completeFamilies(named).map((type) => describeType(type, { designators, freighters }));
  reportConflicts(types, sources, report);
  reportGaps(types, report);

  const own = new Set(types.map(({ icao }) => icao));
  // Before families are completed: the narrowest code speaks, the first of them by the alphabet.
  const filedUnder = new Map(
    named.toReversed().flatMap(({ iata, icaoTypes }) => icaoTypes.map((icao): [string, string] => [icao, iata])),
  );
  const others = [...designators.values()].filter(({ icao, isInForce }) => isInForce && !own.has(icao));
  return [...types, ...others.map((known) => describeDesignator(known, filedUnder.get(known.icao) ?? ''))];
};
