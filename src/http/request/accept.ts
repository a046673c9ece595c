const quality = (parameters: readonly string[]): number => {
  const text = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith('q='));
  const value = text === undefined ? 1 : Number(text.slice(2));
  return Number.isNaN(value) ? 1 : value;
};

type Liking = { readonly type: string; readonly quality: number; readonly near: number; readonly place: number };

/** How an `Accept` header likes a type: by its closest media range (RFC 9110, 12.5.1), the best of several that are alike. */
const likingOf = (type: string, ranges: readonly (readonly [range: string, quality: number])[]): Liking => {
  const nearest = ['*/*', `${type.split('/')[0]}/*`, type];
  let found: Liking = { type, quality: 0, near: -1, place: 0 };
  for (const [place, [range, quality]] of ranges.entries()) {
    const near = nearest.indexOf(range);
    if (near < 0 || near < found.near || (near === found.near && quality <= found.quality)) continue;
    found = { type, quality, near, place };
  }
  return found;
};

/**
 * The type that an `Accept` header likes best; undefined when it leaves out all of them. Of two that it likes alike, it is the one that it names more
 * exactly, then the one that it names first, then the one that is offered first.
 */
export const selectMediaType = (accept: string | null, offered: readonly string[]): string | undefined => {
  // What most callers send needs no look at it.
  if (accept === null || accept === '*/*' || accept.trim() === '') return offered[0];
  const ranges = accept.split(',').map((item) => {
    const [range = '', ...parameters] = item.split(';');
    return [range.trim().toLowerCase(), quality(parameters)] as const;
  });
  const [best] = offered
    .map((type) => likingOf(type, ranges))
    .filter((one) => one.quality > 0)
    .toSorted((a, b) => b.quality - a.quality || b.near - a.near || a.place - b.place);
  return best?.type;
};
