/** What all of them say; undefined when they differ or there are none. */
export const agreed = <Item>(items: readonly Item[]): Item | undefined => {
  const [first, ...others] = new Set(items);
  return others.length === 0 ? first : undefined;
};
