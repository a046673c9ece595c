import { findServiceType } from './service-types.ts';

/** What a leg of a flight is operated with. A truck carries no passengers. */
export type TransportMode = 'air' | 'rail' | 'bus' | 'boat' | 'truck';

/** The surface equipment of SSIM appendix A. */
const surfaceEquipment: readonly (readonly [TransportMode, string])[] = [
  ['rail', 'TRN TRS ICE TAT TCM TGV THS THT TIC TSL'],
  ['bus', 'BUS LMO'],
  ['boat', 'LCH HOV'],
  ['truck', 'RFS'],
];

const modes: ReadonlyMap<string, TransportMode> = new Map(
  surfaceEquipment.flatMap(([mode, codes]) => codes.split(' ').map((code) => [code, mode] as const)),
);

/**
 * Returns the mode of a leg by its equipment, whatever its service type: some carriers file trains as normal flights. Undefined for a surface service
 * with any other equipment, which does not say what it is.
 */
export const findTransportMode = (equipment: string, serviceType: string): TransportMode | undefined =>
  modes.get(equipment) ?? (findServiceType(serviceType)?.surface === true ? undefined : 'air');
