import type { z } from 'zod';
import type { zListFlightInstancesQuery } from '#generated/flight-info/v1/zod.gen.ts';

/** The validated query of the search, as the contract of v1 types it. */
export type ListQuery = z.output<typeof zListFlightInstancesQuery>;
