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
    throw new InvalidArgumentError(`'${text}' is not a registration, such as N342UP or G-XWBA`);
  return registration;
};

const parseReasonArgument = (text: string): string => {
  const reason = text.trim();
  if (reason.length > 500 || /[\t\r\n]/.test(reason))
    throw new InvalidArgumentError('a reason must be one line of up to 500 characters');
  return reason;
};

const block = async (config: Config, registration: string, reason: string): Promise<void> =>
  withStore(config, 'privacy block', async ({ db, whenVisible }) => {
    const blockedAt = createClock(config.today)();
    const { flights, events } = await whenVisible(blockRegistration(db, { registration, reason, blockedAt }));
    process.stdout.write(
      `${registration} blocked: removed from ${flights} statuses and ${events} events. ` +
        'Data that was already sent, such as by webhooks or the hub, cannot be recalled.\n',
    );
  });

const unblock = async (config: Config, registration: string): Promise<number> =>
  withStore(config, 'privacy unblock', async ({ db, whenVisible }) => {
    const shown = await whenVisible(unblockRegistration(db, registration));
    process[shown ? 'stdout' : 'stderr'].write(
      shown
        ? `${registration} unblocked: restored in ${shown.flights} statuses. Events do not get it back.\n`
        : `${registration} is not blocked. List blocked registrations with: flightdata privacy list\n`,
    );
    return shown ? 0 : 1;
  });

const list = async (config: Config): Promise<void> =>
  withStore(config, 'privacy list', async ({ db }) => {
    const blocks = await listRegistrationBlocks(db);
    process.stdout.write(blocks.length === 0 ? 'No registrations are blocked.\n' : 'registration\tsince\treason\n');
    for (const { registration, reason, blockedAt } of blocks)
      process.stdout.write(`${registration}\t${blockedAt.toISOString()}\t${reason || '-'}\n`);
  });

/** Adds `flightdata privacy`. */
export const addPrivacy = (program: Command, config: () => Config): void => {
  const command = program
    .command('privacy')
    .description('hide the registrations of aircraft at the request of their owners');
  command
    .command('block')
    .description('remove a registration from all responses and events; hyphens are ignored')
    .argument('<registration>', 'registration, such as N342UP', parseRegistrationArgument)
    .option('--reason <text>', 'reason, shown by `privacy list`', parseReasonArgument, '')
    .action((registration: string, { reason }: { readonly reason: string }) => block(config(), registration, reason));
  command
    .command('unblock')
    .description('show a blocked registration again')
    .argument('<registration>', 'registration', parseRegistrationArgument)
    .action(async (registration: string) => {
      process.exitCode = await unblock(config(), registration);
    });
  command
    .command('list')
    .description('list blocked registrations with date and reason')
    .action(() => list(config()));
};
