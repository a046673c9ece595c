/** The place of a connection in every listing of its set, by numbers of the set. */
export type ConnectionPlace = {
  readonly leg1: number;
  readonly minutes: number;
  readonly leg2: number;
  /** The line of the record that sets the minimum connecting time; 0 where it is a default. */
  readonly rule: number;
};

/** A connection that was found. */
export type FoundConnection = {
  readonly place: ConnectionPlace;
  /** Days from the local date on which leg 1 departs to that on which leg 2 departs. */
  readonly dayOffset: number;
};
