import { formatDate } from '../../../domain/time/dates.ts';
import type { StatusTarget } from '../../../store/status/status-targets.ts';

/** Date and key of a scheduled flight, as they stand in its address; undefined for other flights, which have none. */
export const flightAddress = (target: StatusTarget | undefined): string | undefined =>
  target?.flightType === 'S' ? `${formatDate(target.departsOn)}/${target.key.toString('hex')}` : undefined;
