import { toList, type OpenApiOperation } from '../lib/openapi-document.ts';
import { slugOf } from './html.ts';

/** Where the reference of a version shows an operation: below its first tag, all in small letters. */
export const operationAnchor = ({ operation }: OpenApiOperation): string =>
  `#/${slugOf(String(toList(operation['tags'])[0]))}/${String(operation['operationId']).toLowerCase()}`;
