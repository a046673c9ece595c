import type { LoadReport } from '../../../load-report.ts';
import { describeDesignator, describeType, type DescribedEquipment } from './describe-equipment.ts';
import { isFreighter } from './equipment-use.ts';
import { completeFamilies, nameEquipment } from './name-equipment.ts';
import { reportConflicts, reportGaps, type EquipmentSources } from './report-equipment.ts';

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
