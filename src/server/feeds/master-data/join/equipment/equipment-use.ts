import type { EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import { findTransportMode } from '#domain/schedule/transport-modes.ts';
import type { EquipmentUse } from '#domain/schedule/service-types.ts';

/** Transport aircraft built for freight, whose names do not say so. */
const freightersByBuild = new Set('33B A22 A4F A5F ABB ALM ANF C17 CL4 CWC IL7 LOH SHB SY8'.split(' '));

/** Small transport aircraft with one code for seats and freight. */
const utilityTransports = new Set('A26 A28 A30 A32 A38 A78 AN6 AN7 CS2 CS4 CS5 CS9 DHC SHS'.split(' '));

/** Whether a code is that of a freighter: by its name (`Freighter`, or an F after the series) or by the list. */
export const isFreighter = ({ iata, name }: { readonly iata: string; readonly name: string }): boolean =>
  /Freighter|\dF\b/.test(name) || freightersByBuild.has(iata);

/**
 * Returns what the equipment under an IATA code is fitted for, undefined when the code means that the type varies. The first rule
 * that matches decides: of vehicles, trucks carry freight and all others passengers; freighters; combis by `Combi` or `Mixed` in the name; utility aircraft
 * (light propeller aircraft of wake category L, helicopters, small transport aircraft) unless freighters have a code of their own;
 * all others carry passengers.
 */
export const findEquipmentUse = (type: {
  readonly iata: string;
  readonly name: string;
  readonly category: EquipmentFacts['category'];
  readonly isJet: boolean;
  /** Of every designator flown under the code. */
  readonly isLight: boolean;
  /** Whether freighters have codes for every designator of the type. */
  readonly hasFreighterCode: boolean;
}): EquipmentUse | undefined => {
  if (type.iata === 'EQV') return undefined;
  if (type.category === 'SurfaceVehicle')
    return findTransportMode(type.iata, '') === 'truck' ? 'SurfaceCargo' : 'SurfacePassenger';
  if (isFreighter(type)) return 'Freighter';
  if (/Combi|Mixed/.test(type.name)) return 'Combi';
  const isUtility = (type.isLight && !type.isJet) || type.category === 'Helicopter' || utilityTransports.has(type.iata);
  return isUtility && !type.hasFreighterCode ? 'Utility' : 'Passenger';
};
