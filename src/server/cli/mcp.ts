import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { createClock } from './shared/clock.ts';
import { readDocuments, readPortal } from './shared/published-files.ts';
import { waitForStopSignal } from './shared/stop-signal.ts';

type Options = { readonly url: string; readonly write?: true };

const parseUrl = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError(`must be an http or https address, not '${text}'.`);
  return text;
};

const serveMcp = async ({ subscriptionKey, today }: Config, { url, write }: Options): Promise<void> => {
  if (subscriptionKey === undefined) throw new Error('SUBSCRIPTION_KEY is not set: it is the key that requests send');
  // The SDK takes 0.1 s to load, so that only this command loads it.
  const { startStdioServer } = await import('../mcp/stdio.ts');
  const close = startStdioServer({
    url,
    key: subscriptionKey,
    files: [...readDocuments(), ...readPortal(url)],
    canWrite: write === true,
    now: createClock(today)(),
    // Standard output belongs to the protocol.
    onError: ({ message }) => void process.stderr.write(`${message}\n`),
  });
  const ended = Promise.withResolvers<void>();
  process.stdin.once('close', ended.resolve);
  // After a message over its limit (10 MiB) the SDK stops reading and nothing else keeps the process alive.
  process.once('beforeExit', () => ended.reject(new Error('the connection ended because a message could not be read')));
  void waitForStopSignal().then(ended.resolve);
  await ended.promise;
  await close();
};

/** Adds `flightdata mcp`. */
export const addMcp = (program: Command, config: () => Config): void => {
  program
    .command('mcp')
    .description('serve tools for language models (Model Context Protocol) on standard input and output')
    .requiredOption('--url <url>', 'base URL of the service to which tool calls are sent', parseUrl)
    .option('--write', 'also offer tools that change accounts and alerts')
    .action((options: Options) => serveMcp(config(), options));
};
