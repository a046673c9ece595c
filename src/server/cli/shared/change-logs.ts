import { existsSync, readFileSync } from 'node:fs';
import { catalog } from '#generated/catalog.ts';

// A built package has this file one folder deeper than a checkout.
const folders = ['../../../../spec/', '../../../../../spec/'].map((path) => new URL(path, import.meta.url));

/** Reads the change log of each product, spec/<product>/CHANGES.md, by product. */
export const readChangeLogs = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    catalog.flatMap(({ product }) => {
      const file = folders.map((folder) => new URL(`${product}/CHANGES.md`, folder)).find((one) => existsSync(one));
      return file ? [[product, readFileSync(file, 'utf8')]] : [];
    }),
  );
