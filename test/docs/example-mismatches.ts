import { isJsonObject } from '#lib/openapi-document.ts';

const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
};

/**
 * Returns what a guide shows but the real response does not have: missing members or other types. Values may differ. An empty list
 * matches any list, and a list of objects may be shortened; a list of plain values, such as weekdays, may not.
 */
export const findMismatches = (shown: unknown, real: unknown, path = '$'): readonly string[] => {
  if (typeName(shown) !== typeName(real)) return [`${path} is shown as ${typeName(shown)} and is ${typeName(real)}`];
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length > 0 && real.length === 0) return [`${path} is shown with items and has none`];
    if (shown.some((item) => !isJsonObject(item)) && shown.length !== real.length)
      return [`${path} is shown with ${shown.length} of ${real.length} values`];
    return shown.flatMap((item: unknown, index) => findMismatches(item, real[index] ?? real[0], `${path}[${index}]`));
  }
  if (!isJsonObject(shown) || !isJsonObject(real)) return [];
  return Object.entries(shown).flatMap(([name, value]) =>
    name in real ? findMismatches(value, real[name], `${path}.${name}`) : [`${path}.${name} is shown and is not there`],
  );
};
