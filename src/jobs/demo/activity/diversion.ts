import type { FlightFacts } from '../../../domain/status/message.ts';
import type { Landing } from './course.ts';
import { later } from './demo-flight.ts';
import type { Report } from './reports.ts';

/** The only landing elsewhere that a flight of the demo world makes. */
const ID = '1';

/** What is reported of a landing elsewhere; `expected` is when the flight will then be where it was to go, if it goes on. */
export const diversionReports = (landing: Landing, expected: FlightFacts): readonly Report[] => {
  const { airport, type, decidedAt, on, in: atGate, goesOn } = landing;
  const continues = goesOn !== undefined;
  const decided: Report = {
    at: decidedAt,
    facts: { estimatedOn: null, estimatedIn: null },
    landings: [{ id: ID, airport, type, estimatedOn: on, estimatedIn: atGate, continues }],
  };
  const down: readonly Report[] = [
    decided,
    { at: on, facts: {}, landings: [{ id: ID, actualOn: on, estimatedIn: atGate }] },
    { at: atGate, facts: {}, landings: [{ id: ID, actualIn: atGate }] },
  ];
  if (!goesOn) return down;
  const { out, off } = goesOn;
  return [
    ...down,
    { at: later(atGate, 8), facts: expected, landings: [{ id: ID, estimatedOut: out, estimatedOff: off }] },
    { at: out, facts: {}, landings: [{ id: ID, actualOut: out }] },
    { at: off, facts: expected, landings: [{ id: ID, actualOff: off }] },
  ];
};
