import { readTable, type Row } from './real-world.ts';

/** A landing at another airport than the destination; `clock` is the local time. */
type Stop = { readonly airport: string; readonly clock: string };

/** The flight of another aircraft with the passengers of a flight. */
type Recovery = {
  readonly from: string;
  readonly clock: string;
  readonly tail: string;
  readonly stops: readonly Stop[];
  readonly reached: boolean;
};

/** A row of the file with diversions, in readable form. */
export type FlownRow = {
  /** `AA2336 LAX-PBI 2015-01-01`. */
  readonly name: string;
  readonly designator: string;
  readonly date: string;
  readonly origin: string;
  readonly destination: string;
  readonly tail: string;
  readonly cancelled: boolean;
  /** By the flag of the row: flights that returned and were then cancelled are not flagged. */
  readonly diverted: boolean;
  /** Landings of the flight's own aircraft. */
  readonly stops: readonly Stop[];
  /** Whether the aircraft of the flight reached its destination. */
  readonly reached: boolean;
  readonly recovery: Recovery | undefined;
  readonly cell: Row;
};

/** `hmm` as a clock time: `01:05`. */
export const formatClock = (text: string): string => {
  const digits = text === '2400' ? '0000' : text.padStart(4, '0');
  return `${digits.slice(0, 2)}:${digits.slice(2)}`;
};

const splitList = (text: string): readonly string[] => (text === '' ? [] : text.split('|'));

const toFlownRow = (cell: Row): FlownRow => {
  const clocks = splitList(cell('DivWheelsOns'));
  const stops = splitList(cell('DivAirports')).map((airport, index) => ({
    airport,
    clock: formatClock(clocks[index] ?? ''),
  }));
  const tails = splitList(cell('DivTailNums'));
  const change = tails.findIndex((tail) => tail !== '' && tail !== cell('TailNum'));
  const [reached, isChanged] = [cell('DivReachedDest') === '1', change !== -1];
  const designator = `${cell('Carrier')}${cell('FlightNum')}`;
  return {
    name: `${designator} ${cell('Origin')}-${cell('Dest')} ${cell('FlightDate')}`,
    designator,
    date: cell('FlightDate'),
    origin: cell('Origin'),
    destination: cell('Dest'),
    tail: cell('TailNum'),
    cancelled: cell('Cancelled') === '1',
    diverted: cell('Diverted') === '1',
    stops: isChanged ? stops.slice(0, change + 1) : stops,
    reached: reached && !isChanged,
    recovery: isChanged
      ? {
          from: stops[change]?.airport ?? '',
          clock: formatClock(splitList(cell('DivWheelsOffs'))[change] ?? ''),
          tail: tails[change] ?? '',
          stops: stops.slice(change + 1),
          reached,
        }
      : undefined,
    cell,
  };
};

/** Reads the file with diversions as a plain table, row by row. */
export const readFlownRows = (path: string): readonly FlownRow[] => readTable(path).map(toFlownRow);
