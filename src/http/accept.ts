/** How closely a media range names JSON; -1 when it does not. */
const closeness = (range: string): number => ['*/*', 'application/*', 'application/json'].indexOf(range);

const quality = (parameters: readonly string[]): number => {
  const text = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith('q='));
  const value = text === undefined ? 1 : Number(text.slice(2));
  return Number.isNaN(value) ? 1 : value;
};

/** Whether an `Accept` header leaves room for `application/json`: its closest media range decides (RFC 9110, 12.5.1). */
export const acceptsJson = (accept: string | null): boolean => {
  if (accept === null || accept === '*/*' || accept === 'application/json' || accept.trim() === '') return true;
  let closest = -1;
  let isAccepted = false;
  for (const item of accept.split(',')) {
    const [range = '', ...parameters] = item.split(';');
    const near = closeness(range.trim().toLowerCase());
    if (near < 0 || near < closest) continue;
    const isWanted = quality(parameters) > 0;
    isAccepted = near === closest ? isAccepted || isWanted : isWanted;
    closest = near;
  }
  return isAccepted;
};
