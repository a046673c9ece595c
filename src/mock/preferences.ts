import { parseDate, type LocalDate } from '#domain/time/dates.ts';

/** Limit of the delay, milliseconds: below common timeouts of clients and proxies. */
const MAX_DELAY_MS = 60_000;

/** Preferences of a client in the header `Prefer` (RFC 7240); undefined where absent. */
export type Preferences = {
  readonly code: number | undefined;
  readonly example: string | undefined;
  /** Generate the body from the schema instead of an example. */
  readonly isDynamic: boolean;
  readonly delayMs: number;
  /** The date of the clock for this request. */
  readonly today: LocalDate | undefined;
  /** A message for each invalid preference. */
  readonly errors: readonly string[];
};

/** Parses names and values: of a repeated preference the first one counts, and one without a value has an empty one (RFC 7240, 2). */
const parsePairs = (header: string): ReadonlyMap<string, string> => {
  const pairs = header.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g);
  const all = [...pairs].map(([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain] as const);
  return new Map(all.toReversed());
};

/** Parses `Prefer`: `code=404`, `example=name`, `dynamic=true`, `delay=1500` and `today=2024-06-01`; others are ignored, as the RFC requires. */
export const parsePreferences = (header: string | null): Preferences => {
  const pairs = parsePairs(header ?? '');
  const errors: string[] = [];
  const read = <T>(name: string, form: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = pairs.get(name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined)
      errors.push(`has a ${name} that must be ${form}, not '${text.slice(0, 64)}'`);
    return value;
  };
  const readNumber = (name: string, form: string, pattern: RegExp): number | undefined =>
    read(name, form, (text) => (pattern.test(text) ? Number(text) : undefined));
  const isTrue = (text: string): boolean | undefined =>
    /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
  return {
    code: readNumber('code', 'a status such as 404', /^\d{3}$/),
    example: pairs.get('example'),
    isDynamic: read('dynamic', 'true or false', isTrue) ?? false,
    delayMs: Math.min(readNumber('delay', 'a number of milliseconds', /^\d+$/) ?? 0, MAX_DELAY_MS),
    today: read('today', 'a date of the form YYYY-MM-DD', parseDate),
    errors,
  };
};
