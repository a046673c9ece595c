import { listOperations, resolveReference, toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import type { BundledDocument } from './generate-catalog.ts';

type ClientOperation = { readonly name: string; readonly isPaged: boolean; readonly isKeyed: boolean };

/** A product of the client: its newest version. */
type ClientProduct = {
  readonly product: string;
  readonly version: string;
  readonly title: string;
  readonly operations: readonly ClientOperation[];
};

const toPascalCase = (text: string): string =>
  text.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const toCamelCase = (text: string): string => text.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Whether the 200 of an operation is a page: a list in `data`, and `paging`. */
const isPaged = (document: JsonObject, operation: JsonObject): boolean => {
  const ok = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])['200']));
  const media = toJsonObject(toJsonObject(ok['content'])['application/json']);
  const required = toList(toJsonObject(resolveReference(document, media['schema']))['required']);
  return required.includes('data') && required.includes('paging');
};

const readProduct = ({ location: { product, version }, document }: BundledDocument): ClientProduct => ({
  product,
  version,
  title: String(toJsonObject(document['info'])['title']),
  operations: listOperations(document).map(({ operation, parameters }) => ({
    name: String(operation['operationId']),
    isPaged: isPaged(document, operation),
    isKeyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
  })),
});

const formatNames = (operations: readonly ClientOperation[]): string =>
  `{ ${operations.map(({ name }) => `${name}: true`).join(', ')} }`.replace('{  }', '{}');

const renderProduct = ({ product, version, title, operations }: ClientProduct, index: number): string => {
  const type = toPascalCase(product);
  const lines = operations.map(({ name }) => {
    const prefix = `types${index}.${capitalize(name)}`;
    return `    ${name}: Operation<${prefix}Data, ${prefix}Responses>;`;
  });
  return `/** ${title} ${version}. */
export type ${type} = DescribedOperations<
  typeof sdk${index},
  {
${lines.join('\n')}
  }
>;

const ${toCamelCase(product)}: ProductDescription<${type}> = {
  sdk: sdk${index},
  product: '${product}',
  version: '${version}',
  lists: ${formatNames(operations.filter((operation) => operation.isPaged))},
  keyed: ${formatNames(operations.filter((operation) => operation.isKeyed))},
};
`;
};

/** Renders the products of the client, each in its newest version; `documents` are in the order of `findDocuments`. */
export const renderClientProducts = (documents: readonly BundledDocument[]): string => {
  const newest = [...new Map(documents.map((one) => [one.location.product, one])).values()].map(readProduct);
  const imports = newest.flatMap(({ product, version }, index) => [
    `import * as sdk${index} from './${product}/${version}/sdk.gen.ts';`,
    `import type * as types${index} from './${product}/${version}/types.gen.ts';`,
    `export type * as ${toPascalCase(product)}Types from './${product}/${version}/types.gen.ts';`,
  ]);
  const members = newest.map(({ product }) => `  readonly ${toCamelCase(product)}: ${toPascalCase(product)};`);
  const created = newest
    .map(({ product }) => toCamelCase(product))
    .map((name) => `  ${name}: createProduct(${name}, connection),`);
  return `// Generated from the documents under spec/ by \`make generate\`; do not edit.
import type { DescribedOperations, Operation } from '../src/client/operation.ts';
import { createProduct, type ProductDescription, type ServiceConnection } from '../src/client/product.ts';
${imports.join('\n')}

${newest.map(renderProduct).join('\n')}
/** The products of the service, each in its newest version. */
export type Products = {
${members.join('\n')}
};

/** Creates the products of a client. */
export const createProducts = (connection: ServiceConnection): Products => ({
${created.join('\n')}
});
`;
};
