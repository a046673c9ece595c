import { InvalidArgumentError } from 'commander';
import { parseDate, type LocalDate } from '#domain/time/dates.ts';

/** Parses an option of the form `YYYY-MM-DD`. */
export const parseDateArgument = (text: string): LocalDate => {
  const date = parseDate(text);
  if (date === undefined) throw new InvalidArgumentError(`'${text}' must be a date of the form YYYY-MM-DD`);
  return date;
};

/** Parses IATA or ICAO codes of carriers, separated by commas. */
export const parseCarriersArgument = (text: string): readonly string[] =>
  text.split(',').map((part) => {
    const code = part.trim().toUpperCase();
    if (!/^[A-Z0-9]{2,3}$/.test(code))
      throw new InvalidArgumentError(`'${part}' must be an IATA or ICAO code of a carrier`);
    return code;
  });

/** Returns a parser of an option that is a whole number from `min` to `max`. */
export const integerArgument =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`'${text}' must be a whole number from ${min} to ${max}`);
    return value;
  };

/** Parses a number of days. */
export const parseDaysArgument = integerArgument(1, 400);

/** Parses a TCP port; 0 lets the operating system choose a free one. */
export const parsePortArgument = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError(`'${text}' must be a port from 0 to 65535`);
  return port;
};

/** Returns a parser of the UUID of an account or endpoint. */
export const uuidArgument =
  (noun: string) =>
  (text: string): string => {
    const id = text.trim().toLowerCase();
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
      throw new InvalidArgumentError(`'${text}' must be the UUID of ${noun}`);
    return id;
  };
