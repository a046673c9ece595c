import {
  blankMctRecord,
  blankMctSide,
  type MctFile,
  type MctRecord,
  type MctSide,
  mctStatuses,
} from '../../../domain/connections/mct/mct-record.ts';
import { addDays, type LocalDate } from '../../../domain/time/dates.ts';

type Draft = Omit<MctRecord, 'line'>;

const at = (station: string): Pick<Draft, 'arrivalStation' | 'departureStation'> => ({
  arrivalStation: station,
  departureStation: station,
});

/** Minutes for DD, DI, ID and II, invented. */
const standards: Readonly<Record<string, readonly [number, number, number, number]>> = {
  LHR: [60, 75, 75, 75],
  LGW: [40, 55, 60, 60],
  CDG: [45, 60, 75, 60],
  ORY: [45, 60, 60, 60],
  AMS: [25, 50, 50, 50],
  FRA: [45, 45, 45, 45],
  MAD: [45, 60, 60, 60],
  CPH: [30, 45, 45, 45],
  ARN: [30, 45, 60, 50],
  DOH: [45, 45, 45, 45],
  SIN: [60, 60, 60, 60],
  HND: [35, 70, 85, 60],
  NRT: [20, 75, 75, 60],
  SYD: [30, 75, 90, 60],
  MEL: [30, 60, 75, 60],
  AKL: [30, 75, 80, 60],
  JFK: [60, 75, 105, 120],
  EWR: [60, 75, 90, 90],
  LGA: [45, 60, 90, 90],
  ORD: [50, 75, 90, 90],
  LAX: [60, 75, 120, 120],
  SFO: [50, 60, 105, 105],
  MIA: [55, 75, 90, 90],
};

/** Minutes from one airport of a city to the other, either way. */
const changes: readonly (readonly [one: string, other: string, minutes: number])[] = [
  ['LHR', 'LGW', 180],
  ['CDG', 'ORY', 180],
  ['JFK', 'LGA', 150],
  ['JFK', 'EWR', 210],
  ['LGA', 'EWR', 180],
  ['HND', 'NRT', 195],
];

/** A carrier's own connections: it files them, and they lift what a wider suppression forbids. */
const online = (
  carrier: string,
  asked: { readonly arrival?: Partial<MctSide>; readonly departure?: Partial<MctSide> },
) =>
  ({
    arrival: { ...blankMctSide, carrier, ...asked.arrival },
    departure: { ...blankMctSide, carrier, ...asked.departure },
    suppression: 'N',
    submittedBy: carrier,
  }) as const;

const exceptions: readonly Partial<Draft>[] = [
  // Within one terminal.
  { ...at('LHR'), ...online('L0', { arrival: { terminal: '5' }, departure: { terminal: '5' } }), minutes: 60 },
  { ...at('ORD'), ...online('K1', {}), status: 'DD', minutes: 35 },
  // There are more bags in a wide body, and they pass customs.
  { ...at('ORD'), ...online('K1', { arrival: { body: 'W' } }), status: 'ID', minutes: 105 },
  // Nobody shows a passport between two countries of the Schengen area.
  { ...at('CPH'), ...online('N1', { arrival: { region: 'SCH' }, departure: { region: 'SCH' } }), minutes: 30 },
  { ...at('DOH'), ...online('D1', {}), minutes: 40 },
  { ...at('SIN'), ...online('M1', {}), minutes: 50 },
  // The long way across the Pacific has its own numbers.
  { ...at('SYD'), ...online('X2', { arrival: { flights: { from: 1, to: 20 } } }), status: 'ID', minutes: 75 },
  // Flights that one partner sells and the other operates.
  {
    ...at('LHR'),
    arrival: { ...blankMctSide, carrier: 'K1', isCodeshare: true, operator: 'L0' },
    departure: { ...blankMctSide, carrier: 'K1', isCodeshare: true, operator: 'L0' },
    suppression: 'N',
    submittedBy: 'K1',
    minutes: 70,
  },
];

/** Wren Air sells single flights, and takes its passengers from one to the next at Madrid alone. */
const suppressions: readonly Partial<Draft>[] = [
  ...mctStatuses.map((status) => ({ status, ...online('W0', {}), suppression: 'Y' as const })),
  { ...at('MAD'), ...online('W0', {}), minutes: 45 },
];

const draftsFor = (today: LocalDate): readonly Partial<Draft>[] => [
  ...Object.entries(standards).flatMap(([station, times]) =>
    mctStatuses.map((status, index) => ({ ...at(station), status, minutes: times[index] })),
  ),
  ...changes.flatMap(([one, other, minutes]) =>
    mctStatuses.flatMap((status) => [
      { arrivalStation: one, departureStation: other, status, minutes },
      { arrivalStation: other, departureStation: one, status, minutes },
    ]),
  ),
  ...exceptions,
  // A terminal is rebuilt for two weeks.
  { ...at('AKL'), from: addDays(today, 14), to: addDays(today, 27), minutes: 90 },
  ...suppressions,
];

/** The minimum connecting times of the demo world: station standards, exceptions of its airlines, a suppression and a list of partners. */
export const buildMinimumConnectingTimes = (today: LocalDate): MctFile => {
  const drafts = draftsFor(today);
  // The first record of a file stands below its header.
  const records = drafts.map((draft, index) => ({
    status: 'II' as const,
    ...blankMctRecord,
    ...draft,
    line: index + 2,
  }));
  return { records, partners: [{ line: drafts.length + 2, carrier: 'Z1', partners: ['L0', 'W0'] }] };
};
