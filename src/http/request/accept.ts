const parseQuality = (parameters: readonly string[]): number => {
  const text = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith('q='));
  const value = text === undefined ? 1 : Number(text.slice(2));
  return Number.isNaN(value) ? 1 : value;
};

/** How an `Accept` header rates a media type. `specificity`: 2 for the type itself, 1 for `type/*`, 0 for any type, -1 for no match. */
type Rating = {
  readonly type: string;
  readonly quality: number;
  readonly specificity: number;
  readonly position: number;
};

/** Rates a type by its most specific media range (RFC 9110, 12.5.1); among equal ranges the highest quality counts. */
const rateType = (type: string, ranges: readonly (readonly [range: string, quality: number])[]): Rating => {
  const matching = ['*/*', `${type.split('/')[0]}/*`, type];
  let best: Rating = { type, quality: 0, specificity: -1, position: 0 };
  for (const [position, [range, quality]] of ranges.entries()) {
    const specificity = matching.indexOf(range);
    if (specificity < 0 || specificity < best.specificity) continue;
    if (specificity === best.specificity && quality <= best.quality) continue;
    best = { type, quality, specificity, position };
  }
  return best;
};

/**
 * Returns the offered type that an `Accept` header prefers; undefined when it accepts none. Among types of equal quality, the more
 * specific range wins, then the range that comes first in the header, then the type that is offered first.
 */
export const selectMediaType = (accept: string | null, offered: readonly string[]): string | undefined => {
  // Most clients send these, which need no parsing.
  if (accept === null || accept === '*/*' || accept.trim() === '') return offered[0];
  const ranges = accept.split(',').map((item) => {
    const [range = '', ...parameters] = item.split(';');
    return [range.trim().toLowerCase(), parseQuality(parameters)] as const;
  });
  const [best] = offered
    .map((type) => rateType(type, ranges))
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || b.specificity - a.specificity || a.position - b.position);
  return best?.type;
};
