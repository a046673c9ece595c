import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import { formatNameList, type ParameterNames } from '../request/unknown-parameters.ts';

/**
 * Handles names in the query that are no parameters of the operation. Names that are meant as one, and every name with a strict key, are
 * errors, which validation reports together with those of values. Others are removed from the query, so that neither cached pages nor links
 * depend on them, and a successful response names them.
 *
 * @example app.use('/versions/*', unknownParameters(new ParameterNames(catalog)))
 */
export const unknownParameters = (parameterNames: ParameterNames) =>
  createMiddleware<Env>((c, next) => {
    const operation = c.get('operation');
    const unknown = parameterNames.findUnknown(operation, c.get('query'));
    if (!unknown) return next();
    const errors = parameterNames.findErrors(operation, unknown.names, c.get('key')?.isStrict === true);
    if (Object.keys(errors).length > 0) {
      c.set('parameterErrors', errors);
      return next();
    }
    c.set('query', unknown.knownQuery);
    return next().then(() => {
      if (c.res.ok && unknown.names.length > 0)
        c.get('headers')['ignored-parameters'] = formatNameList(unknown.names.map(c.get('maskKeys')));
    });
  });
