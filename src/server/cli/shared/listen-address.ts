import { once } from 'node:events';
import { createServer } from 'node:net';
import { getErrorCode } from '#lib/error-code.ts';

/** An address on which a command will listen, and how the operator sets it. */
export type ListenAddressSettings = {
  readonly port: number;
  readonly hostname: string;
  /** The names of both settings, e.g. `PORT` or `--port`. */
  readonly portName: string;
  readonly hostName: string;
};

/** Returns the settings of `--port` and `--host`, or else of PORT and HOST. */
export const toListenAddress = (
  options: { readonly port?: number; readonly host?: string },
  config: { readonly port: number; readonly host: string },
): ListenAddressSettings => ({
  port: options.port ?? config.port,
  portName: options.port === undefined ? 'PORT' : '--port',
  hostname: options.host ?? config.host,
  hostName: options.host === undefined ? 'HOST' : '--host',
});

const formatReason = (
  code: string,
  { port, hostname, portName, hostName }: ListenAddressSettings,
): string | undefined => {
  if (code === 'EADDRINUSE')
    return `${portName}=${port}: another process listens on ${hostname}:${port}; stop it, or choose another port (0 selects a free one)`;
  if (code === 'EACCES')
    return `${portName}=${port}: this user has no permission to listen on that port; choose a port from 1024 to 65535`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${hostName}=${hostname}: this machine has no such address; choose 127.0.0.1, or 0.0.0.0 for all addresses`;
  return undefined;
};

/** Returns an error that names setting, value and remedy; any other error than of listening unchanged. */
export const explainListenError = (error: unknown, settings: ListenAddressSettings): unknown => {
  const code = getErrorCode(error);
  const reason = formatReason(code, settings);
  return reason === undefined ? error : new Error(`${reason} (${code})`);
};

/** Checks that a command can listen on an address, before it takes long to prepare; throws an error that names setting, value and remedy. */
export const assertCanListen = async (settings: ListenAddressSettings): Promise<void> => {
  const server = createServer();
  try {
    const listening = once(server, 'listening');
    server.listen(settings.port, settings.hostname);
    await listening;
    await new Promise((resolve) => server.close(resolve));
  } catch (error) {
    throw explainListenError(error, settings);
  }
};
