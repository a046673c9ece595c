import { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import { addAccounts } from '#cli/accounts.ts';
import { addBuild } from '#cli/build/build.ts';
import { addDoctor } from '#cli/doctor.ts';
import { addEndpoints } from '#cli/endpoints.ts';
import { addExpand } from '#cli/expand.ts';
import { addExport } from '#cli/export.ts';
import { addHub } from '#cli/hub.ts';
import { addImport } from '#cli/import/import.ts';
import { addKeys } from '#cli/keys/keys.ts';
import { addPrivacy } from '#cli/privacy.ts';
import { addPrune } from '#cli/prune.ts';
import { addSecrets } from '#cli/secrets.ts';
import { addSources } from '#cli/sources.ts';
import { addStatus } from '#cli/status.ts';
import { addServe } from '#cli/serve/serve.ts';
import { exitCodes } from '#cli/shared/exit-codes.ts';
import { readConfig } from '#config.ts';
import { withoutEncryption, type CommandResult, type Environment } from './run-command.ts';

const add = [
  [addAccounts, addBuild, addDoctor, addEndpoints, addExpand, addExport, addHub],
  [addImport, addKeys, addPrivacy, addPrune, addSecrets, addServe, addSources, addStatus],
].flat();

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
  const program = new Command('flightdata').exitOverride();
  for (const addCommand of add) addCommand(program, () => readConfig(withoutEncryption(env)));
  const { exitCode } = process;
  const [readOut, readErr] = [captureWrites(process.stdout), captureWrites(process.stderr)];
  process.exitCode = exitCodes.success;
  const code = await program.parseAsync(args, { from: 'user' }).then(() => Number(process.exitCode), printError);
  process.exitCode = exitCode;
  return { code, out: readOut(), err: readErr() };
};
