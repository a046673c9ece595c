import { readTable, type Row } from './real-world.ts';

export type FlownRow = ReturnType<typeof toFlownRow>;
/** `hmm` as a clock time: `01:05`. */
export const formatClock = (text: string): string => {
  const digits = text === '2400' ? '0000' : text.padStart(4, '0');
  return `${digits.slice(0, 2)}:${digits.slice(2)}`;
};

const splitList = (text: string): readonly string[] => (text === '' ? [] : text.split('|'));

/** Formats a row of the file with diversions: `stops` and `reached` are those of the flight's own aircraft. */
const toFlownRow = (cell: Row) => {
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
    // Flights that returned and were then cancelled are not flagged.
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

export const readFlownRows = (path: string): readonly FlownRow[] => readTable(path).map(toFlownRow);
