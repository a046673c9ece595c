import { TelegramError } from '../text/telegram-error.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';

/** The line that names a flight, such as `XX0101/01.GABCD.LHR`. */
export type FlightLine = {
  readonly line: TelegramLine;
  /** Two characters or three letters. */
  readonly carrier: string;
  readonly flightNumber: number;
  /** '' when there is none. */
  readonly suffix: string;
  /** Day of the month, `01`, `01MAR` or `01MAR27`, as text and parsed. */
  readonly date: {
    readonly text: string;
    readonly day: number;
    readonly month: number | undefined;
    readonly year: number | undefined;
  };
  /** Upper case without hyphens; undefined when absent. */
  readonly registration: string | undefined;
  /** The airport of movement. */
  readonly airport: string;
};

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** A code of 3 or 4 characters that begins with a letter, to distinguish it from a time. */
const airportCode = /^[A-Z][A-Z0-9]{2,3}$/;

const parseFlightDate = (line: TelegramLine, text: string): FlightLine['date'] => {
  const [, day, monthName, yearText] = /^(0[1-9]|[12]\d|3[01])(?:([A-Z]{3})(\d{2})?)?$/.exec(text) ?? [];
  const month = monthName === undefined ? undefined : months.indexOf(monthName) + 1;
  const year = yearText === undefined ? undefined : 2000 + Number(yearText);
  if (day !== undefined && month !== 0) return { text, day: Number(day), month, year };
  const location = { line: line.number, field: 'flight date', value: text };
  throw new TelegramError(
    `'${text}' must be a day of a month, such as 01, 01MAR or 01MAR27.`,
    location,
    'bad-flight-date',
  );
};

const parseDesignator = (line: TelegramLine, text: string): Pick<FlightLine, 'carrier' | 'flightNumber' | 'suffix'> => {
  const match = /^([A-Z]{3}|[A-Z][A-Z0-9]|\d[A-Z])(\d{1,4})([A-Z]?)$/.exec(text);
  const [, carrier = '', number, suffix = ''] = match ?? [];
  const flightNumber = Number(number ?? 0);
  if (match && flightNumber > 0) return { carrier, flightNumber, suffix };
  const location = { line: line.number, field: 'flight', value: text };
  const message = `'${text}' must be a flight: carrier, number 1-9999 and optional suffix.`;
  throw new TelegramError(message, location, 'bad-flight');
};

const parseRegistration = (line: TelegramLine, text: string): string | undefined => {
  if (text === '') return undefined;
  const registration = text.replaceAll('-', '');
  // Senders write X for an aircraft that is not known yet.
  if (/^X+$/.test(registration)) return undefined;
  if (/^[A-Z0-9]{2,10}$/.test(registration)) return registration;
  const location = { line: line.number, field: 'registration', value: text };
  throw new TelegramError(
    `'${text}' must be a registration of 2 to 10 letters and digits.`,
    location,
    'bad-registration',
  );
};

/** Parses the line below the identifier. Throws a TelegramError that names the invalid field. */
export const parseFlightLine = (line: TelegramLine): FlightLine => {
  const match = /^([^/.]*)\/([^/.]*)\.([^/.]*)\.([^/.]*)$/.exec(line.text);
  if (!match) {
    const location = { line: line.number, field: 'flight line', value: line.text };
    const message = 'The line after the identifier must have the form flight/day.registration.airport.';
    throw new TelegramError(message, location, 'bad-flight-line');
  }
  const [designator = '', day = '', registration = '', airport = ''] = match.slice(1).map((part) => part.trim());
  const flightLine = {
    line,
    ...parseDesignator(line, designator),
    date: parseFlightDate(line, day),
    registration: parseRegistration(line, registration),
    airport,
  };
  if (airportCode.test(airport)) return flightLine;
  const location = { line: line.number, field: 'airport', value: airport };
  throw new TelegramError(`'${airport}' is not an airport code.`, location, 'bad-airport');
};
