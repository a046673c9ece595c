/** A model by its maker's name and its own. */
export type NamedModel = { readonly manufacturer: string; readonly model: string };

const bare = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Whether a text has the characters of a code in their order, others between them allowed. */
const spells = (text: string, code: string): boolean => {
  let next = 0;
  for (const character of text) if (character === code[next]) next += 1;
  return next === code.length;
};

/**
 * How well a model explains a designator, 0 best. Designators are cut from the names of models: DHC6 from DHC-6, C172 from
 * Cessna 172, GLEX from Global Express; military and local names of the same aircraft (U-6, C-98) explain nothing.
 */
const distanceFrom = (icao: string, { manufacturer, model }: NamedModel): number => {
  const maker = bare(manufacturer);
  const type = bare(model);
  if (type.startsWith(icao.slice(0, 1)) && spells(type, icao)) return 0;
  if (maker.startsWith(icao.slice(0, 1)) && type.startsWith(icao.slice(1, 2)) && spells(type, icao.slice(1))) return 0;
  if (spells(maker.slice(0, 1) + type, icao)) return 1;
  return spells(maker + type, icao) ? 2 : 3;
};

/**
 * The model that a designator shared by several goes by: of those that explain it, one of the maker with most models; of
 * these the one that explains it best; then the first of the list.
 */
export const modelOfDesignator = (icao: string, models: readonly NamedModel[]): NamedModel => {
  const ofMaker = Map.groupBy(models, ({ manufacturer }) => manufacturer);
  const [best] = models
    .map(({ manufacturer, model }) => {
      const distance = distanceFrom(icao, { manufacturer, model });
      const modelsOfMaker = ofMaker.get(manufacturer)?.length ?? 0;
      return { manufacturer, model, distance, roughly: Math.max(distance, 1), modelsOfMaker };
    })
    .toSorted(
      (one, other) =>
        one.roughly - other.roughly || other.modelsOfMaker - one.modelsOfMaker || one.distance - other.distance,
    );
  return { manufacturer: best?.manufacturer ?? '', model: best?.model ?? '' };
};
