import { listOf, type Operation } from '../lib/openapi-document.ts';
import { slugOf } from './html.ts';

/** Where the reference of a version shows an operation: below its first tag, all in small letters. */
export const operationAnchor = ({ operation }: Operation): string =>
  `#/${slugOf(String(listOf(operation['tags'])[0]))}/${String(operation['operationId']).toLowerCase()}`;
