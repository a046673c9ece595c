/** Where a member of a roster stands. */
export type Place<T> = {
  readonly member: T;
  /** Its neighbours, as long as it stands there. */
  before: Place<T> | undefined;
  after: Place<T> | undefined;
  isTaken: boolean;
};

/** Who is there now, in the order of coming. */
export type Roster<T> = {
  readonly size: () => number;
  readonly add: (member: T) => Place<T>;
  /** Does nothing where the place has been left already. */
  readonly leave: (place: Place<T>) => void;
  readonly oldest: () => T | undefined;
  /** All who are there at this moment; who comes or goes while it is read changes nothing of it. */
  readonly all: () => readonly T[];
};

/**
 * A roster for those who come and go by the thousand a second, such as requests. A `Set` will not do for them: each time its table is outgrown
 * V8 (13.6) leaves the old one as it was, with a pointer to the next. As soon as one of these is old, everything that is put into the set from then on
 * outlives every quick collection. In a trial those took 20 ms instead of half of one, and the process 2.7 times the memory. Here who has gone points at nobody.
 */
export const newRoster = <T>(): Roster<T> => {
  let first: Place<T> | undefined;
  let last: Place<T> | undefined;
  let size = 0;
  return {
    size: () => size,
    add: (member) => {
      const place: Place<T> = { member, before: last, after: undefined, isTaken: true };
      if (last) last.after = place;
      else first = place;
      last = place;
      size += 1;
      return place;
    },
    leave: (place) => {
      if (!place.isTaken) return;
      const { before, after } = place;
      if (before) before.after = after;
      else first = after;
      if (after) after.before = before;
      else last = before;
      place.before = undefined;
      place.after = undefined;
      place.isTaken = false;
      size -= 1;
    },
    oldest: () => first?.member,
    all: () => {
      const members: T[] = [];
      for (let place = first; place; place = place.after) members.push(place.member);
      return members;
    },
  };
};
