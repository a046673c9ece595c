#!/usr/bin/env node
import { escapeControls } from '#lib/escape-controls.ts';
import { createProgram } from './program.ts';
import { exitCodes } from './shared/exit-codes.ts';

// A reader such as `head` can end before the output: no error can be reported to it.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
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
