import type { z } from 'zod';
import type { zListFlightInstancesQuery } from '#generated/flight-info/v2/zod.gen.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = z.output<typeof zListFlightInstancesQuery>;
