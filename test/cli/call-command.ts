import { CommanderError } from 'commander';
import { vi } from 'vitest';
import { createProgram } from '#cli/program.ts';
import { exitCodes } from '#cli/shared/exit-codes.ts';
import { readConfig } from '#config.ts';
import { watchSettings } from './watch-settings.ts';
import { withoutEncryption, type CommandResult, type Environment } from './run-command.ts';

const captureWrites = (stream: NodeJS.WriteStream): (() => string) => {
  const spy = vi.spyOn(stream, 'write').mockReturnValue(true);
  return () => {
    const text = spy.mock.calls.map(([chunk]) => String(chunk)).join('');
    spy.mockRestore();
    return text;
  };
};

const printError = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
  process.stderr.write(`flightdata: ${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.failed;
};

/**
 * Runs a command of `flightdata` in this process, as main.ts does but without the 0.5 s of a process. For commands that end by
 * themselves and use DATABASE_URL; calls must not overlap, because each captures the output of this process.
 */
export const callCommand = async (args: readonly string[], env: Environment): Promise<CommandResult> => {
  const program = await createProgram(args, {
    config: () => watchSettings(readConfig(withoutEncryption(env)), args[0] ?? ''),
    onExit: (error) => {
      throw error;
    },
  });
  const { exitCode } = process;
  const [readOut, readErr] = [captureWrites(process.stdout), captureWrites(process.stderr)];
  process.exitCode = exitCodes.success;
  const code = await program.parseAsync(args, { from: 'user' }).then(() => Number(process.exitCode), printError);
  process.exitCode = exitCode;
  return { code, out: readOut(), err: readErr() };
};
