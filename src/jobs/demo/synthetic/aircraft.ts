import { readCsvTable } from '../../../lib/csv-table.ts';
import { pick } from '../../../lib/seeded-random.ts';
import { getPerformance } from '../world/equipment.ts';

/** The aircraft of a route: type and configuration as filed, and minutes from gate to gate. */
export type RouteAircraft = {
  readonly equipment: string;
  readonly configuration: string;
  readonly elapsedMinutes: number;
};

const types = readCsvTable(new URL('aircraft.csv', import.meta.url), ['max_km', 'equipment', 'configuration']).map(
  ({ max_km: maxKm, ...type }) => ({ ...type, maxKm: maxKm === '' ? Infinity : Number(maxKm) }),
);

/** Routes are longer than the great circle by this factor. */
const DETOUR = 1.06;

/** Returns an aircraft for a route of a length in kilometres; `share`, from 0 up to 1, selects the type. */
export const chooseAircraft = (km: number, share: number): RouteAircraft => {
  const range = types.find(({ maxKm }) => km <= maxKm)?.maxKm;
  const [first, ...others] = types.filter(({ maxKm }) => maxKm === range);
  if (!first) throw new RangeError(`no aircraft type flies ${km} km`);
  const { equipment, configuration } = pick(share, [first, ...others]);
  const { speedKmh, overheadMinutes } = getPerformance(equipment);
  return {
    equipment,
    configuration,
    elapsedMinutes: Math.ceil(((km * DETOUR * 60) / speedKmh + overheadMinutes) / 5) * 5,
  };
};
