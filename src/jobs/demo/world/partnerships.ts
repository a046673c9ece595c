/** One airline selling seats on the flights of another, under numbers of its own: the operating number and `addNumber`. */
export type Partnership = {
  readonly operating: string;
  readonly marketing: string;
  readonly addNumber: number;
  /** Flights that begin or end at one of these, and at one of `and` at their other end where that is given. */
  readonly at: readonly string[];
  readonly and?: readonly string[];
  /** L names the operator as the owner of the aircraft, Z leaves that to the data element that tells its name; both have one. */
  readonly disclosure: 'L' | 'Z';
};

const northAmerica = ['JFK', 'EWR', 'BOS', 'ORD', 'MIA', 'LAX', 'SFO', 'SEA', 'DEN', 'PHX', 'MEX'];

/** Who shares codes with whom. */
export const partnerships: readonly Partnership[] = [
  {
    operating: 'L0',
    marketing: 'K1',
    addNumber: 5000,
    at: ['LHR'],
    and: [...northAmerica, 'CDG', 'MAD', 'CPH', 'FCO', 'ATH'],
    disclosure: 'L',
  },
  {
    operating: 'K1',
    marketing: 'L0',
    addNumber: 4000,
    at: ['JFK', 'ORD'],
    and: ['LHR', 'SFO', 'SEA', 'SJU', 'ANC'],
    disclosure: 'L',
  },
  { operating: 'N1', marketing: 'L0', addNumber: 5000, at: ['CPH'], disclosure: 'Z' },
  { operating: 'N1', marketing: 'M1', addNumber: 7000, at: ['CPH'], and: ['OSL', 'HEL'], disclosure: 'L' },
  {
    operating: 'D1',
    marketing: 'L0',
    addNumber: 7000,
    at: ['DOH'],
    and: ['LHR', 'KTM', 'DEL', 'BKK', 'SYD', 'MEL', 'AKL', 'NBO', 'JNB'],
    disclosure: 'L',
  },
  {
    operating: 'L0',
    marketing: 'D1',
    addNumber: 6000,
    at: ['LHR'],
    and: ['DOH', 'DUB', 'CPH', 'OSL', 'JFK'],
    disclosure: 'L',
  },
  { operating: 'K0', marketing: 'K1', addNumber: 1000, at: ['LGA'], disclosure: 'Z' },
  {
    operating: 'M1',
    marketing: 'H0',
    addNumber: 5000,
    at: ['SIN'],
    and: ['HND', 'NRT', 'BKK', 'SYD', 'DEL'],
    disclosure: 'L',
  },
  {
    operating: 'H0',
    marketing: 'M1',
    addNumber: 3000,
    at: ['HND', 'NRT'],
    and: ['SIN', 'ICN', 'HNL', 'LAX', 'GUM'],
    disclosure: 'L',
  },
  {
    operating: 'H0',
    marketing: 'K1',
    addNumber: 8000,
    at: ['HND', 'NRT'],
    and: ['ORD', 'JFK', 'LAX', 'SFO', 'SEA', 'BKK', 'HKG'],
    disclosure: 'L',
  },
  {
    operating: 'X2',
    marketing: 'D1',
    addNumber: 4000,
    at: ['SYD', 'MEL'],
    and: ['ADL', 'MEL', 'AKL'],
    disclosure: 'L',
  },
  {
    operating: 'X2',
    marketing: 'M1',
    addNumber: 6000,
    at: ['SYD', 'MEL'],
    and: ['MEL', 'ADL', 'DRW'],
    disclosure: 'Z',
  },
  {
    operating: 'M1',
    marketing: 'X2',
    addNumber: 7000,
    at: ['SIN'],
    and: ['SYD', 'MEL', 'LHR', 'BKK', 'HKG', 'ADL'],
    disclosure: 'L',
  },
  { operating: 'L0', marketing: 'X2', addNumber: 8000, at: ['SYD'], disclosure: 'L' },
  { operating: 'YF', marketing: 'K1', addNumber: 6000, at: ['MIA', 'JFK'], disclosure: 'L' },
  {
    operating: 'K1',
    marketing: 'YF',
    addNumber: 7000,
    at: ['JFK', 'ORD'],
    and: ['LIM', 'GRU', 'MIA', 'MEX'],
    disclosure: 'L',
  },
];
