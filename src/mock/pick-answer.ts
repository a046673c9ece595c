import type { RouteConfig } from '@hono/zod-openapi';
import { invalidParameters } from '../http/response/problem.ts';
import { asProblem } from './as-problem.ts';
import { chooseExample, type Asked } from './choose-example.ts';
import { isSuccess, type Example } from './examples.ts';
import type { Preferences } from './preferences.ts';

/** What an operation can answer with. */
export type Repertoire = {
  readonly route: RouteConfig;
  /** Every status that is declared. */
  readonly statuses: readonly number[];
  readonly examples: readonly Example[];
};

/** A status, and its example; a 304 and a 204 have none. */
export type Picked = { readonly status: number; readonly example: Example | undefined };

const listed = (names: readonly (string | number)[]): string => [...new Set(names)].join(', ');

/** Of all that a 404 can mean, whoever asks for one looks for this first. */
const isNotFound = ({ value }: Example): boolean => asProblem(value, {})?.kind === 'not-found';

const refuse = (message: string): never => {
  throw invalidParameters({ Prefer: [message] });
};

/**
 * What a request is answered with: what its preferences name or else the example that fits it best, in a form the caller accepts.
 * Throws the Problem that what they name is not there, with a list of what is.
 */
export const pickAnswer = (
  { route, statuses, examples }: Repertoire,
  { code, example: name, faults }: Preferences,
  asked: Asked & { readonly mediaType: string },
): Picked => {
  if (faults.length > 0) throw invalidParameters({ Prefer: faults });
  if (code !== undefined && !statuses.includes(code))
    refuse(`has no code ${code} for this operation; there are ${listed(statuses)}`);
  const acceptable = examples.filter((one) => !isSuccess(one) || one.mediaType === asked.mediaType);
  const ofCode = code === undefined ? acceptable : acceptable.filter(({ status }) => status === code);
  if (name !== undefined) {
    const named = ofCode.find((one) => one.name === name);
    const there = listed(ofCode.map((one) => one.name)) || 'none';
    return named
      ? { status: named.status, example: named }
      : refuse(`has no example '${name.slice(0, 64)}' for this ${code ?? 'operation'}; there are ${there}`);
  }
  const successes = ofCode.filter(isSuccess);
  if (successes.length > 0) {
    const example = chooseExample(route, successes, asked);
    return { status: example?.status ?? 200, example };
  }
  return { status: code ?? Math.min(...statuses), example: ofCode.find(isNotFound) ?? ofCode[0] };
};
