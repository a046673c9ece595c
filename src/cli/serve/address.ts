import { InvalidArgumentError } from 'commander';

/** Reads a port; 0 takes a free one. */
export const portArgument = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError(`'${text}' is not a port`);
  return port;
};

/** The address of a server on this machine. */
export const addressOf = (hostname: string, port: number): string =>
  `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
