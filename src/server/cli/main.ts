#!/usr/bin/env node
import { escapeControls } from '#lib/escape-controls.ts';
import { createProgram } from './program.ts';
import { exitCodes } from './shared/exit-codes.ts';

// A reader such as `head` can end before the output: no error can be reported to it. A server does not end when its disk is full.
const isServer = process.argv[2] === 'serve';
for (const stream of [process.stdout, process.stderr])
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && isServer) return;
    if (code !== 'EPIPE' && stream === process.stdout)
      process.stderr.write(`flightdata: standard output cannot be written: ${message}\n`);
    process.exit(exitCodes.failed);
  });

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  const messages = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  const text = messages.join(': ') || String(error);
  process.stderr.write(`flightdata: ${text.split('\n').map(escapeControls).join('\n')}\n`);
  process.exitCode = exitCodes.failed;
}
