/** A marketing flight that its operating flight names. It exists unless the partner files it under the same key. */
export type Codeshare = {
  readonly carrierId: number;
  /** Codes of the carrier that exist. */
  readonly carrier: { readonly iata?: string; readonly icao?: string };
  readonly flightNumber: number;
  readonly suffix: string;
  /** Its schedule instance key, 64 hexadecimal digits, and the order of that key. */
  readonly key: string;
  readonly order: string;
  /** The carrier of the operating flight, as filed. */
  readonly operator: { readonly code: string; readonly name: string; readonly number: string };
};

/** Carrier IDs take the upper bits, flight numbers (0 to 9999) the lower 16; a carrier alone has a number that no flight has. */
const NUMBER_BITS = 16n;
const NO_NUMBER = 0xffffn;

const toTerm = (carrierId: number, flightNumber: number | undefined): bigint =>
  (BigInt(carrierId) << NUMBER_BITS) | (flightNumber === undefined ? NO_NUMBER : BigInt(flightNumber));

/** Returns the terms by which the codeshares of a row are searched: carrier, carrier with number, and key. */
export const toCodeshareTerms = (codeshares: readonly Codeshare[]): readonly bigint[] => [
  ...new Set(
    codeshares.flatMap(({ carrierId, flightNumber, order }) => [
      toTerm(carrierId, flightNumber),
      toTerm(carrierId, undefined),
      BigInt(order),
    ]),
  ),
];

/** Returns the terms of a search by carriers (IDs), and by numbers if there are any. */
export const listSearchTerms = (
  carriers: readonly number[],
  flightNumbers: readonly (number | undefined)[] = [undefined],
): readonly bigint[] => carriers.flatMap((carrier) => flightNumbers.map((number) => toTerm(carrier, number)));

/**
 * Returns the condition that no schedule contains a codeshare `c.codeshare` on the days from `$1` to before `$2`: a record of the partner has
 * the same key, whatever its times are. Without the days, the planner would plan the table of every day.
 */
export const notFiledByPartner = `not exists (select from flight_instance f
  where f.departs_at >= $1::date and f.departs_at < $2::date
    and f.key_order = (c.codeshare ->> 'order')::bigint and f.key = decode(c.codeshare ->> 'key', 'hex'))`;

/** Joins each instance `i` with its codeshares, as `c.codeshare`. */
export const joinCodeshares = 'cross join lateral jsonb_array_elements(i.codeshares) as c(codeshare)';

/** Parses a codeshare as stored. */
export const parseCodeshare = (json: string): Codeshare => {
  const codeshare: Codeshare = JSON.parse(json);
  return codeshare;
};
