import { z } from 'zod';
import { parseDate } from '#domain/time/dates.ts';
import {
  describeVariables,
  document,
  integer,
  parsed,
  readVariables,
  type Environment,
} from '#lib/environment-variable.ts';

const variables = z.object({
  PORT: document(integer(0, 65_535).default(4010), { description: 'port to listen on; 0 selects a free one' }),
  HOST: document(z.string().default('127.0.0.1'), { description: 'address to listen on' }),
  FLIGHTDATA_TODAY: document(parsed(parseDate, 'a date of the form YYYY-MM-DD').describe('date').optional(), {
    description: 'UTC date on which the clock starts',
    defaultText: 'today',
  }),
});

/** Descriptions of the variables of the mock, for its help. */
export const mockVariables = describeVariables(variables);

/** Values of the options `--port`, `--host` and `--today`. */
export type MockArguments = { readonly port?: string; readonly host?: string; readonly today?: string };

/** Reads the settings of the mock: options count more than variables. Throws a RangeError that names the variable and the invalid value. */
export const readMockSettings = ({ port, host, today }: MockArguments, env: Environment = process.env) => {
  const read = readVariables(variables, {
    PORT: port ?? env['PORT'],
    HOST: host ?? env['HOST'],
    FLIGHTDATA_TODAY: today ?? env['FLIGHTDATA_TODAY'],
  });
  return { port: read.PORT, host: read.HOST, today: read.FLIGHTDATA_TODAY };
};
