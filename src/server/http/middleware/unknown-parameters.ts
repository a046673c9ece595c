import { formatNameList, type ParameterNames } from '../request/unknown-parameters.ts';
import type { Step } from './in-order.ts';

/**
 * Handles names in the query that are no parameters of the operation. Names that are meant as one, and every name with a strict key, are
 * errors, which validation reports together with those of values. Others are removed from the query, so that neither cached pages nor links
 * depend on them, and `representation` names them in a successful response.
 *
 * @example pipeline.before(() => true, unknownParameters(new ParameterNames(catalog)))
 */
export const unknownParameters =
  (parameterNames: ParameterNames): Step =>
  (c) => {
    const operation = c.get('operation');
    const unknown = parameterNames.findUnknown(operation, c.get('query'));
    if (!unknown) return;
    const errors = parameterNames.findErrors(operation, unknown.names, c.get('key')?.isStrict === true);
    if (Object.keys(errors).length > 0) return c.set('parameterErrors', errors);
    c.set('query', unknown.knownQuery);
    if (unknown.names.length > 0) c.set('ignoredParameters', formatNameList(unknown.names.map(c.get('maskKeys'))));
  };
