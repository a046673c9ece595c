import type { z } from 'zod';
import type { zListSchedulesQuery } from '#generated/schedules/v1/zod.gen.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = z.output<typeof zListSchedulesQuery>;
