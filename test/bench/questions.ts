/** What the servers are asked: the same question as a query of the contract and as the condition behind it. */
export type Question = {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly filter: 'departure' | 'carrier' | undefined;
  readonly code: string | undefined;
  readonly query: string;
};

/** The first of the 30 days that are laid out. */
export const FIRST_DAY = '2026-11-21';

export const questions: readonly Question[] = [
  {
    name: 'date-airport',
    from: '2026-12-01 00:00',
    to: '2026-12-01 23:59',
    filter: 'departure',
    code: 'ATL',
    query: 'DepartureDateTime=2026-12-01&DepartureAirport=ATL',
  },
  {
    name: 'date-carrier',
    from: '2026-12-01 00:00',
    to: '2026-12-01 23:59',
    filter: 'carrier',
    code: 'DL',
    query: 'DepartureDateTime=2026-12-01&CarrierCode=DL',
  },
  {
    name: 'week-carrier',
    from: '2026-12-01 00:00',
    to: '2026-12-07 23:59',
    filter: 'carrier',
    code: 'BA',
    query: 'DepartureDateTime=2026-12-01/2026-12-07&CarrierCode=BA',
  },
  {
    name: 'date',
    from: '2026-12-01 00:00',
    to: '2026-12-01 23:59',
    filter: undefined,
    code: undefined,
    query: 'DepartureDateTime=2026-12-01',
  },
];
