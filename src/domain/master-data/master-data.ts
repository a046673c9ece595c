/** A place flights go to and from. Codes are '' where the location has none; position and zone are undefined when unknown. */
export type Location = {
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly faa: string;
  readonly name: string;
  /** IATA code of the city or metropolitan area it serves, '' when unknown. */
  readonly cityCode: string;
  /** ISO 3166-1 alpha-2, '' when unknown. */
  readonly countryCode: string;
  /** Degrees, north and east positive. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** IANA zone name. */
  readonly zone: string | undefined;
};

/** A carrier. `rank` orders the owners of one IATA code: 1 answers first. */
export type Carrier = {
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  readonly rank: number;
};

/**
 * An aircraft type by its IATA code, or by its ICAO designator alone where no IATA code stands for it. Facts are undefined or ''
 * where no source tells.
 */
export type Equipment = {
  readonly iata: string;
  /** '' for a code that stands for several designators, none of which speaks for the others. */
  readonly icao: string;
  readonly name: string;
  /** Usual cargo capacity of a passenger flight, or payload of a freighter, metric tonnes. */
  readonly cargoTonnes: number | undefined;
};
