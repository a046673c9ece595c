/** Codes after a leading `//` are served in every class. */
const readByClass = (text: string): { readonly everywhere: string; readonly byClass: ReadonlyMap<string, string> } => {
  const everywhere = text.startsWith('//') ? (text.slice(2).split('/')[0] ?? '') : '';
  const items = (text.startsWith('//') ? text.slice(2 + everywhere.length) : text)
    .split('/')
    .map((item) => item.trim());
  return {
    everywhere: everywhere.trim(),
    byClass: new Map(items.filter((item) => item !== '').map((item) => [item.slice(0, 1), item.slice(1)])),
  };
};

/**
 * Meals told by class (SSIM data elements 109 and 111, e.g. `FLD/CL/YS`, or `//S` for all) as the meal service note of record 3 tells them:
 * two characters for each booking class, in their order.
 */
export const mealPairs = (text: string, bookingClasses: string): string => {
  const { everywhere, byClass } = readByClass(text);
  return [...bookingClasses]
    .map((code) => (byClass.get(code) ?? everywhere).slice(0, 2).padEnd(2))
    .join('')
    .trimEnd();
};

/** The meals of the booking class at an index, from a meal service note; '' when none is filed. */
export const mealAt = (note: string, index: number): string => note.slice(index * 2, index * 2 + 2).trim();
