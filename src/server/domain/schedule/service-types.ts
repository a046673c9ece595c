/** The commercial purpose of a flight; a mixed flight has both. */
export type ServiceClass = 'Passenger' | 'Cargo';

/** A service type of SSIM appendix C. `classes` is empty for flights without revenue. */
export type ServiceType = {
  readonly meaning: string;
  readonly classes: readonly ServiceClass[];
  readonly surface: boolean;
};

const passenger = (meaning: string, surface = false): ServiceType => ({ meaning, classes: ['Passenger'], surface });
const cargo = (meaning: string, surface = false): ServiceType => ({ meaning, classes: ['Cargo'], surface });
const mixed = (meaning: string): ServiceType => ({ meaning, classes: ['Passenger', 'Cargo'], surface: false });
const neither = (meaning: string): ServiceType => ({ meaning, classes: [], surface: false });

/**
 * All letters in use. Q, R and L carry passengers and freight in one cabin or under one contract and therefore have both classes. Y and Z are no IATA
 * codes; feeds use them for company flights.
 */
const serviceTypes = {
  J: passenger('scheduled passenger, normal service'),
  S: passenger('scheduled passenger, shuttle'),
  U: passenger('scheduled passenger by surface vehicle', true),
  F: cargo('scheduled cargo or mail'),
  V: cargo('scheduled cargo or mail by surface vehicle', true),
  M: cargo('scheduled mail only'),
  Q: mixed('scheduled passengers with cargo in the cabin'),
  G: passenger('additional passenger, normal service'),
  B: passenger('additional passenger, shuttle'),
  A: cargo('additional cargo or mail'),
  R: mixed('additional passengers with cargo in the cabin'),
  C: passenger('charter, passengers only'),
  O: passenger('charter with special handling'),
  H: cargo('charter, cargo or mail'),
  L: mixed('charter, passengers and cargo or mail'),
  P: neither('positioning, ferry or delivery'),
  T: neither('technical test'),
  K: neither('training'),
  D: neither('general aviation'),
  E: neither('special, government'),
  W: neither('military'),
  X: neither('technical stop'),
  I: neither('state, diplomatic or ambulance'),
  N: neither('business aviation, air taxi'),
  Y: neither('company use'),
  Z: neither('company use'),
} as const satisfies Record<string, ServiceType>;

const table: ReadonlyMap<string, ServiceType> = new Map(Object.entries(serviceTypes));

/** Returns the service type of a letter; undefined when it is not in use. */
export const findServiceType = (letter: string): ServiceType | undefined => table.get(letter);

/** Lists the letters of a service class in the order of the appendix. */
export const listServiceTypes = (serviceClass: ServiceClass): readonly string[] =>
  [...table].filter(([, { classes }]) => classes.includes(serviceClass)).map(([letter]) => letter);

/**
 * Lists the letters of a query: of class names (`Passenger`, `Cargo`), of `undefined` (a blank, for flights without a service type), and of letters
 * themselves.
 */
export const listServiceLetters = (names: readonly string[]): readonly string[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name === 'Passenger' || name === 'Cargo') return listServiceTypes(name);
      return name === 'undefined' ? [' '] : [name];
    }),
  ),
];

/** The uses of aircraft and vehicles under one IATA code. */
export const equipmentUses = [
  /** Seats; freight below the floor. */
  'Passenger',
  /** Seats and freight on the main deck. */
  'Combi',
  /** No seats. */
  'Freighter',
  /** Seats, freight or both: light aircraft, helicopters and small transports with one code for all uses. */
  'Utility',
  'SurfacePassenger',
  'SurfaceCargo',
] as const;
export type EquipmentUse = (typeof equipmentUses)[number];

/** Non-commercial flights, which any aircraft may operate. */
const anyAircraft = 'DEIKNPTWX';
const seatLetters = 'BCGJLOS';
const freightLetters = 'AFHM';
/** Passengers with cargo in the cabin. */
const mixedLetters = 'QR';

const letters: Readonly<Record<EquipmentUse, string>> = {
  Passenger: seatLetters + anyAircraft,
  Combi: seatLetters + mixedLetters + anyAircraft,
  Freighter: freightLetters + anyAircraft,
  Utility: seatLetters + freightLetters + mixedLetters + anyAircraft,
  SurfacePassenger: 'U',
  SurfaceCargo: 'V',
};

/**
 * Lists the service types of SSIM appendix C that equipment of a use is suitable for, in alphabetical order; never the letters outside the appendix
 * (Y, Z). A quick-change aircraft has one code with seats and another without.
 */
export const listSuitableServiceTypes = (use: EquipmentUse): readonly string[] => [...letters[use]].toSorted();
