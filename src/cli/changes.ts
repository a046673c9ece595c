import { existsSync, readFileSync } from 'node:fs';
import { catalog } from '../../generated/catalog.ts';

// Built, this file lies one folder deeper than in a checkout.
const folders = ['../../spec/', '../../../spec/'].map((path) => new URL(path, import.meta.url));

/** What subscribers must know of each product, by its name: the text of its CHANGES.md as it ships beside its documents. */
export const readChanges = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    catalog.flatMap(({ product }) => {
      const file = folders.map((folder) => new URL(`${product}/CHANGES.md`, folder)).find((one) => existsSync(one));
      return file ? [[product, readFileSync(file, 'utf8')]] : [];
    }),
  );
