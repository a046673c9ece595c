import type { z } from 'zod';
import type { zExplainConnectionQuery, zListConnectionsQuery } from '#generated/connections/v1/zod.gen.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = z.output<typeof zListConnectionsQuery>;

/** The validated query for an explanation. */
export type ExplainQuery = z.output<typeof zExplainConnectionQuery>;
