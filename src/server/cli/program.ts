import { Command, type CommanderError } from 'commander';
import { readConfig, serviceVariables, type Config } from '#config.ts';
import { isReadBy, renderVariablesHelp } from '#lib/environment-variable.ts';
import { serviceVersion } from '#service-version.ts';
import { warnAboutClockOverride } from './shared/clock.ts';
import { exitCodes } from './shared/exit-codes.ts';

const TRACING_HELP =
  '  OTEL_...           OpenTelemetry settings for traces, such as OTEL_EXPORTER_OTLP_ENDPOINT (docs/reference/configuration.md)';

/** Returns help about the variables that a command reads; of all commands without a name. */
const environmentHelp = (commandName?: string): string => {
  const variables = serviceVariables.filter((one) => commandName === undefined || isReadBy(one, commandName));
  return `\nEnvironment:\n${renderVariablesHelp(variables)}\n${TRACING_HELP}`;
};

type AddCommand = (program: Command, config: () => Config) => void;

/**
 * All commands by name, in the order of the help. Each is loaded when it is called: most load in 0.1 s of processor time, all together in
 * 0.7 s.
 */
const commands: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ['serve', async () => (await import('./serve/serve.ts')).addServe],
  ['mcp', async () => (await import('./mcp.ts')).addMcp],
  ['import', async () => (await import('./import/import.ts')).addImport],
  ['schedule', async () => (await import('./schedule.ts')).addSchedule],
  ['status', async () => (await import('./status.ts')).addStatus],
  ['expand', async () => (await import('./expand.ts')).addExpand],
  ['build', async () => (await import('./build/build.ts')).addBuild],
  ['keys', async () => (await import('./keys/keys.ts')).addKeys],
  ['accounts', async () => (await import('./accounts.ts')).addAccounts],
  ['endpoints', async () => (await import('./endpoints.ts')).addEndpoints],
  ['hub', async () => (await import('./hub.ts')).addHub],
  ['doctor', async () => (await import('./doctor.ts')).addDoctor],
  ['prune', async () => (await import('./prune.ts')).addPrune],
  ['export', async () => (await import('./export.ts')).addExport],
  ['privacy', async () => (await import('./privacy.ts')).addPrivacy],
  ['sources', async () => (await import('./sources.ts')).addSources],
  ['secrets', async () => (await import('./secrets.ts')).addSecrets],
]);

export const commandNames: readonly string[] = [...commands.keys()];

type ProgramOptions = {
  /** Reads the configuration, when a command runs. */
  readonly config: () => Config;
  /** Ends the process, or throws, after a help text or a usage error. */
  readonly onExit: (error: CommanderError) => never;
};

const processOptions: ProgramOptions = {
  config: () => {
    const read = readConfig();
    if (read.today !== undefined) warnAboutClockOverride(read.today);
    return read;
  },
  onExit: (error) => process.exit(error.exitCode === 0 ? 0 : exitCodes.usage),
};

/** Returns the program with its help texts: with the command that the arguments name, or with all of them. */
export const createProgram = async (
  [name = '']: readonly string[] = [],
  { config, onExit } = processOptions,
): Promise<Command> => {
  const program = new Command('flightdata')
    .description('An open, self-hosted aviation flight data service.')
    .version(serviceVersion)
    .showHelpAfterError('(add --help for the usage)')
    .addHelpText('after', environmentHelp())
    .exitOverride(onExit);
  const requested = commands.get(name);
  for (const load of requested ? [requested] : commands.values()) (await load())(program, config);
  for (const command of program.commands) command.addHelpText('after', environmentHelp(command.name()));
  return program;
};
