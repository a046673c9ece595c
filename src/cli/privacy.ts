import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { normalizeRegistration } from '../domain/status/message.ts';
import { listRegistrationBlocks } from '../store/flights/registration-blocks.ts';
import { blockRegistration, unblockRegistration } from '../jobs/status/privacy/block-registration.ts';
import { createClock } from './shared/clock.ts';
import { withStore } from './shared/open-store.ts';

const parseRegistrationArgument = (text: string): string => {
  const registration = normalizeRegistration(text);
  if (!/^[A-Z0-9]{2,12}$/.test(registration))
    throw new InvalidArgumentError(`'${text}' is not a registration, which looks like N342UP or G-XWBA`);
  return registration;
};

const parseReasonArgument = (text: string): string => {
  const reason = text.trim();
  if (reason.length > 500 || /[\t\r\n]/.test(reason))
    throw new InvalidArgumentError('a reason is one line of 500 characters at most');
  return reason;
};

const block = async (config: Config, registration: string, reason: string): Promise<void> =>
  withStore(config, 'privacy block', async ({ db }) => {
    const blockedAt = createClock(config.today)();
    const { flights, events } = await blockRegistration(db, { registration, reason, blockedAt });
    process.stdout.write(
      `${registration} is shown no more: it was taken out of ${flights} statuses and ${events} events. ` +
        'What was sent before, to webhooks and to the hub among them, cannot be taken back.\n',
    );
  });

const unblock = async (config: Config, registration: string): Promise<number> =>
  withStore(config, 'privacy unblock', async ({ db }) => {
    const shown = await unblockRegistration(db, registration);
    process[shown ? 'stdout' : 'stderr'].write(
      shown
        ? `${registration} is shown again, in ${shown.flights} statuses; events it was taken out of stay without it.\n`
        : `${registration} was not blocked.\n`,
    );
    return shown ? 0 : 1;
  });

const list = async (config: Config): Promise<void> =>
  withStore(config, 'privacy list', async ({ db }) => {
    const blocks = await listRegistrationBlocks(db);
    process.stdout.write(blocks.length === 0 ? 'No registration is blocked.\n' : 'registration\tsince\treason\n');
    for (const { registration, reason, blockedAt } of blocks)
      process.stdout.write(`${registration}\t${blockedAt.toISOString()}\t${reason || '-'}\n`);
  });

/** Adds `flightdata privacy`. */
export const addPrivacy = (program: Command, config: () => Config): void => {
  const command = program.command('privacy').description('aircraft whose owners do not want them to be shown');
  command
    .command('block')
    .description('leave a registration out of every answer and every event from now on; hyphens do not matter')
    .argument('<registration>', 'which, e.g. N342UP', parseRegistrationArgument)
    .option('--reason <text>', 'why, for `privacy list`', parseReasonArgument, '')
    .action((registration: string, { reason }: { readonly reason: string }) => block(config(), registration, reason));
  command
    .command('unblock')
    .description('show a registration again')
    .argument('<registration>', 'which', parseRegistrationArgument)
    .action(async (registration: string) => {
      process.exitCode = await unblock(config(), registration);
    });
  command
    .command('list')
    .description('list the registrations that are blocked, since when and why')
    .action(() => list(config()));
};
