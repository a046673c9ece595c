/** Returns the members that are not undefined, so that spreading them over another object overwrites nothing. */
export const withoutUndefined = <T extends object>(members: T): Partial<T> => {
  const defined: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) defined[name] = members[name];
  return defined;
};
