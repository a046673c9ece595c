import { parseDate, type LocalDate } from '../domain/time/dates.ts';

/** The longest delay that can be asked for, milliseconds: below what clients and proxies commonly wait for. */
const MAX_DELAY_MS = 60_000;

/** What a caller wants of the mock, by the header `Prefer` (RFC 7240); undefined where nothing was said. */
export type Preferences = {
  /** A status that the operation declares. */
  readonly code: number | undefined;
  /** The name of an example of the operation. */
  readonly example: string | undefined;
  /** A body made up from the schema in place of an example. */
  readonly isDynamic: boolean;
  /** How long the answer is held back, milliseconds, at most 60 s. */
  readonly delayMs: number;
  /** The day on which this one request is answered. */
  readonly today: LocalDate | undefined;
  /** What is wrong with what was said, a message each. */
  readonly faults: readonly string[];
};

const saidIn = (header: string): ReadonlyMap<string, string> => {
  const said = new Map<string, string>();
  // One without a value has an empty one (RFC 7240, 2).
  for (const [, name = '', quoted, plain = ''] of header.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g)) {
    const key = name.toLowerCase();
    // Of a preference that comes twice the first one counts (RFC 7240, 2).
    if (!said.has(key)) said.set(key, quoted ?? plain);
  }
  return said;
};

const faultOf = (name: string, form: string, text: string): string =>
  `has a ${name} that must be ${form}, not '${text.slice(0, 64)}'`;

/** Reads `Prefer`: `code=404`, `example=name`, `dynamic=true`, `delay=1500` and `today=2024-06-01`; others are passed over, as the RFC says. */
export const readPreferences = (header: string | null): Preferences => {
  const said = saidIn(header ?? '');
  const faults: string[] = [];
  const read = <T>(name: string, form: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = said.get(name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) faults.push(faultOf(name, form, text));
    return value;
  };
  return {
    code: read('code', 'a status such as 404', (text) => (/^\d{3}$/.test(text) ? Number(text) : undefined)),
    example: said.get('example'),
    isDynamic:
      read('dynamic', 'true or false', (text) => (/^(true|false)$/i.test(text) ? text : undefined))?.toLowerCase() ===
      'true',
    delayMs:
      read('delay', 'a number of milliseconds', (text) =>
        /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELAY_MS) : undefined,
      ) ?? 0,
    today: read('today', 'a date of the form YYYY-MM-DD', parseDate),
    faults,
  };
};
