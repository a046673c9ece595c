import { operatingOf } from '../../../domain/schedule/operating-of.ts';
import type { StatusFrame } from '../../../store/status/flight-statuses.ts';
import { frameOf, rowInFrame, type ListRow } from '../flights/schedule-reference.ts';
import type { TellableFlight } from '../flights/flight-snapshots.ts';

/** Only times are compared, so the places do not matter. */
const scheduled = { departure: 0, arrival: 0, flightType: 'S', isRecovery: false } as const;

const isAt = (row: ListRow, { scheduledOut, scheduledIn }: StatusFrame): boolean => {
  const times = frameOf(scheduled, row);
  return times.scheduledOut === scheduledOut && times.scheduledIn === scheduledIn;
};

/**
 * A scheduled flight at the times that its status is compared with. Those are others than the schedule has between a load that retimes
 * it and the moment when its status is counted anew: until then it is told at its old times, as its variations are, and then both change
 * at once. Designators that are filed with times of their own keep these.
 */
export const atTimesOf = (tellable: TellableFlight, frame: StatusFrame): TellableFlight => {
  const { instances } = tellable.flight;
  const operating = operatingOf(instances);
  if (!operating || operating.row.flightType !== 'Scheduled' || isAt(operating.row, frame)) return tellable;
  const now = frameOf(scheduled, operating.row);
  const moved = instances.map((one) => (isAt(one.row, now) ? { ...one, row: rowInFrame(one.row, frame) } : one));
  return { ...tellable, flight: { ...tellable.flight, instances: moved } };
};
