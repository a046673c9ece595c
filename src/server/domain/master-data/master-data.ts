/** A location that flights serve. Missing codes are ''; position and zone are undefined when unknown. */
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

/** A carrier. `rank` orders the owners of one IATA code; 1 is preferred. */
export type Carrier = {
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  readonly rank: number;
  /** Whether only status messages name it, so that it is no reference data. */
  readonly isUnconfirmed?: true;
};

/** An aircraft type by its IATA code, or only by its ICAO designator. Unknown facts are undefined or ''. */
export type Equipment = {
  readonly iata: string;
  /** '' for a code of several designators, none of which represents the others. */
  readonly icao: string;
  readonly name: string;
  /** Usual cargo capacity of a passenger flight, or payload of a freighter, metric tonnes. */
  readonly cargoTonnes: number | undefined;
};
