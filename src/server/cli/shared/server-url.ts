/** Returns the URL of an HTTP server on this machine, with IPv6 addresses in brackets. */
export const toServerUrl = (hostname: string, port: number): string =>
  `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
