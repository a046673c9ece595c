import { catalog } from '#generated/catalog.ts';

/** The names of all products. */
export const everyProduct: readonly string[] = catalog.map(({ product }) => product);
