/**
 * The meaning of a traffic restriction code (SSIM appendix G). `localSale`: whether the segment may be sold by itself; `shown` means displayed but
 * sold only as part of a longer trip; `by-traffic` means that passengers, cargo and mail have codes of their own. `connection`: whether it may be
 * part of a connection, and what the other flight must be: `online` has the same designator, `international` is between two countries.
 */
export type TrafficRestriction = {
  readonly meaning: string;
  readonly localSale: LocalSale;
  readonly connection: ConnectionUse;
  /** Whether a stop of more than 24 hours is permitted. */
  readonly stopover: boolean;
  /** Invalid when a D, E or G holds both into and out of every online connecting point of the carrier. */
  readonly qualified: boolean;
  /** The code that applies to cargo and mail instead. */
  readonly asCargo: string;
};

export type LocalSale = 'yes' | 'no' | 'shown' | 'by-traffic';

export type ConnectionUse =
  | 'any'
  | 'none'
  | 'online'
  | 'international'
  | 'international-online'
  | 'domestic'
  | 'by-traffic';

type Traits = { readonly stopover?: boolean; readonly qualified?: boolean; readonly asCargo?: string };
type Row = readonly [code: string, meaning: string, localSale: LocalSale, connection: ConnectionUse, traits?: Traits];

const rows: readonly Row[] = [
  ['A', 'no local traffic', 'no', 'none'],
  ['B', 'local traffic only', 'yes', 'none'],
  ['C', 'local and domestic connecting traffic', 'yes', 'domestic'],
  [
    'D',
    'qualified international online connecting or stopover',
    'shown',
    'international-online',
    { stopover: true, qualified: true },
  ],
  ['E', 'qualified online connecting or stopover', 'shown', 'online', { stopover: true, qualified: true }],
  ['F', 'local and online connecting traffic', 'yes', 'online'],
  ['G', 'qualified online connecting traffic', 'no', 'online', { qualified: true }],
  ['H', 'segment not to be displayed', 'no', 'none'],
  ['I', 'technical landing', 'no', 'none'],
  ['K', 'connecting traffic only', 'no', 'any'],
  ['M', 'international online stopover only', 'shown', 'none', { stopover: true, asCargo: 'A' }],
  ['N', 'international connecting traffic only', 'no', 'international'],
  ['O', 'international online connecting traffic only', 'no', 'international-online'],
  [
    'Q',
    'international online connecting or stopover',
    'shown',
    'international-online',
    { stopover: true, asCargo: 'O' },
  ],
  ['T', 'online stopover only', 'shown', 'none', { stopover: true, asCargo: 'A' }],
  ['V', 'connecting or stopover', 'shown', 'any', { stopover: true, asCargo: 'K' }],
  ['W', 'international connecting or stopover', 'shown', 'international', { stopover: true, asCargo: 'N' }],
  ['X', 'online connecting or stopover', 'shown', 'online', { stopover: true, asCargo: 'Y' }],
  ['Y', 'online connecting traffic only', 'no', 'online'],
  ['Z', 'several restrictions, which depend on the kind of traffic', 'by-traffic', 'by-traffic'],
];

const table: ReadonlyMap<string, TrafficRestriction> = new Map(
  rows.map(([code, meaning, localSale, connection, { stopover = false, qualified = false, asCargo = code } = {}]) => [
    code,
    { meaning, localSale, connection, stopover, qualified, asCargo },
  ]),
);

/** Lists all codes with their restrictions, in alphabetical order. */
export const listTrafficRestrictions = (): readonly (readonly [code: string, restriction: TrafficRestriction])[] => [
  ...table,
];

/** Returns the restriction of a code; undefined when the code is not in use. */
export const findTrafficRestriction = (code: string): TrafficRestriction | undefined => table.get(code);
