import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { Itinerary } from '../domain/schedule/schedule.ts';
import { formatDate, formatTime, type LocalDate } from '../domain/time/dates.ts';
import { listWeekdays, operatesOn, shiftPeriod } from '../domain/time/period.ts';
import { escapeControls } from '../lib/escape-controls.ts';
import {
  type ItineraryOrigin,
  listItineraryOrigins,
  listQuarantinedMessages,
} from '../store/schedules/schedule-messages.ts';
import { createClock } from './shared/clock.ts';
import { integerArgument, parseDateArgument } from './shared/arguments.ts';
import { exitCodes } from './shared/exit-codes.ts';
import { withStore } from './shared/open-store.ts';

type ExplainOptions = { readonly date?: LocalDate; readonly json?: boolean };

const parseCarrier = (text: string): string => {
  const carrier = text.toUpperCase();
  if (!/^(?=.*[A-Z])[A-Z0-9]{2,3}$/.test(carrier)) throw new InvalidArgumentError(`'${text}' must be an airline code`);
  return carrier;
};

/** Returns the period of the flight's origin dates. */
const toOriginPeriod = ({ legs: [first] }: Itinerary) => shiftPeriod(first.period, -first.departure.dateVariation);

const formatPeriod = (itinerary: Itinerary): string => {
  const { from, to, days, everyWeeks } = toOriginPeriod(itinerary);
  const weeks = everyWeeks === 2 ? ' every other week' : '';
  return `${formatDate(from)} to ${formatDate(to)}, days ${listWeekdays(days).join('')}${weeks}`;
};

const formatRoute = ({ legs }: Itinerary): string =>
  legs
    .map(
      ({ departure, arrival, equipment }) =>
        `${departure.station} ${formatTime(departure.aircraftMinutes)}-${arrival.station} ${formatTime(arrival.aircraftMinutes % 1440)} ${equipment}`,
    )
    .join(', ');

const formatSource = ({ source, loadedAt, message }: ItineraryOrigin): string =>
  message
    ? `${message.kind} ${escapeControls(message.reference) || 'without reference'}, received ${message.receivedAt.toISOString()}`
    : `file ${escapeControls(source)}, loaded ${loadedAt.toISOString()}`;

const explain = async (
  config: Config,
  [carrier, flightNumber]: readonly [string, number],
  { date, json = false }: ExplainOptions,
): Promise<number> =>
  withStore(config, 'schedule explain', async ({ db }) => {
    const origins = (await listItineraryOrigins(db, carrier, flightNumber)).filter(
      ({ itinerary }) => date === undefined || operatesOn(toOriginPeriod(itinerary), date),
    );
    for (const origin of origins) {
      const { itinerary, message, source, loadedAt } = origin;
      const { suffix, timeMode } = itinerary.legs[0];
      const text = `${carrier} ${flightNumber}${suffix}  ${formatPeriod(itinerary)} (${timeMode === 'utc' ? 'UTC' : 'local time'})\n  ${formatRoute(itinerary)}\n  ${formatSource(origin)}\n`;
      process.stdout.write(json ? `${JSON.stringify({ itinerary, source, loadedAt, message })}\n` : text);
    }
    if (origins.length > 0) return exitCodes.success;
    const day = date === undefined ? '' : ` on ${formatDate(date)}`;
    process.stderr.write(`${carrier} ${flightNumber} is not scheduled${day}.\n`);
    return exitCodes.failed;
  });

const listQuarantine = async (config: Config, { limit, json = false }: { limit: number; json?: boolean }) =>
  withStore(config, 'schedule quarantine', async ({ db }) => {
    for (const { reference, receivedAt, rejectionJson, text } of await listQuarantinedMessages(db, {
      limit,
      now: createClock(config.today)(),
    })) {
      const { line, field, value, reason, message } = JSON.parse(rejectionJson);
      const name = reference || 'without reference';
      process.stdout.write(
        json
          ? `${JSON.stringify({ reference, receivedAt, line, field, value, reason, message, text })}\n`
          : `${escapeControls(`${receivedAt.toISOString()} ${name}: line ${line}, ${field}: ${message} [${value}]`)}\n`,
      );
    }
    return exitCodes.success;
  });

/** Adds `flightdata schedule explain` and `flightdata schedule quarantine`. */
export const addSchedule = (program: Command, config: () => Config): void => {
  const command = program.command('schedule').description('show the sources of schedules');
  command
    .command('explain')
    .description('show the current periods of a flight, each with the file or message that it comes from')
    .argument('<carrier>', 'airline designator as filed', parseCarrier)
    .argument('<number>', 'flight number', integerArgument(1, 9999))
    .option('--date <date>', 'only the period of this origin date, in the time mode of the schedule', parseDateArgument)
    .option('--json', 'print a JSON document for each period')
    .action(async (carrier: string, flightNumber: number, options: ExplainOptions) => {
      process.exitCode = await explain(config(), [carrier, flightNumber], options);
    });
  command
    .command('quarantine')
    .description('list the schedule messages in quarantine, and parts that wait for others for an hour, newest first')
    .option('--limit <n>', 'the most messages to list', integerArgument(1, 10_000), 100)
    .option('--json', 'print a JSON document for each message')
    .action(async (options: { limit: number; json?: boolean }) => {
      process.exitCode = await listQuarantine(config(), options);
    });
};
