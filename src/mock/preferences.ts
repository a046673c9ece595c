import { parseDate, type LocalDate } from '../domain/time/dates.ts';

/** Limit of the delay, milliseconds: below common timeouts of clients and proxies. */
const MAX_DELAY_MS = 60_000;

/** Preferences of a client in the header `Prefer` (RFC 7240); undefined where absent. */
export type Preferences = {
  /** A status that the operation declares. */
  readonly code: number | undefined;
  /** The name of an example of the operation. */
  readonly example: string | undefined;
  /** Generate the body from the schema instead of an example. */
  readonly isDynamic: boolean;
  /** Delay of the response, milliseconds, up to 60 s. */
  readonly delayMs: number;
  /** The date of the clock for this request. */
  readonly today: LocalDate | undefined;
  /** A message for each invalid preference. */
  readonly errors: readonly string[];
};

const parsePairs = (header: string): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>();
  // A preference without a value has an empty one (RFC 7240, 2).
  for (const [, name = '', quoted, plain = ''] of header.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g)) {
    const key = name.toLowerCase();
    // If a preference is repeated, the first one counts (RFC 7240, 2).
    if (!pairs.has(key)) pairs.set(key, quoted ?? plain);
  }
  return pairs;
};

const formatError = (name: string, form: string, text: string): string =>
  `has a ${name} that must be ${form}, not '${text.slice(0, 64)}'`;

/** Parses `Prefer`: `code=404`, `example=name`, `dynamic=true`, `delay=1500` and `today=2024-06-01`; others are ignored, as the RFC requires. */
export const parsePreferences = (header: string | null): Preferences => {
  const pairs = parsePairs(header ?? '');
  const errors: string[] = [];
  const read = <T>(name: string, form: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = pairs.get(name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) errors.push(formatError(name, form, text));
    return value;
  };
  return {
    code: read('code', 'a status such as 404', (text) => (/^\d{3}$/.test(text) ? Number(text) : undefined)),
    example: pairs.get('example'),
    isDynamic:
      read('dynamic', 'true or false', (text) => (/^(true|false)$/i.test(text) ? text : undefined))?.toLowerCase() ===
      'true',
    delayMs:
      read('delay', 'a number of milliseconds', (text) =>
        /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELAY_MS) : undefined,
      ) ?? 0,
    today: read('today', 'a date of the form YYYY-MM-DD', parseDate),
    errors,
  };
};
