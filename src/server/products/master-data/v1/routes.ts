import type { z } from 'zod';
import type {
  zListCarriersQuery,
  zListEquipmentQuery,
  zListLocationsQuery,
} from '#generated/master-data/v1/zod.gen.ts';

/** The validated query for locations, as the contract types it. */
export type LocationsQuery = z.output<typeof zListLocationsQuery>;

/** The validated query for carriers. */
export type CarriersQuery = z.output<typeof zListCarriersQuery>;

/** The validated query for equipment. */
export type EquipmentQuery = z.output<typeof zListEquipmentQuery>;
