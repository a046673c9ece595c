import type { SeededRandom } from '#test/lib/seeded-random.ts';
import { type OracleLeg, type OracleMessage, shiftDay, writeClock, writeDay, writeEnd } from './oracle.ts';

/** Writes a date with or without its year: all dates are less than a year ahead of the creation date. */
const writeDate = (date: string, random: SeededRandom): string =>
  random.chance(30) ? writeDay(date).slice(0, 5) : writeDay(date);

/** Writes a period in one of its forms. */
const writeAnyPeriod = (
  { period, isOpen = false }: Pick<OracleMessage, 'period' | 'isOpen'>,
  random: SeededRandom,
): string => {
  const [from, to, days, weeks] = period;
  const rate = weeks === 2 ? random.pick(['/W2', ' /W2']) : random.pick(['', '', '/W1']);
  if (isOpen) return `${writeDay(from)}${random.pick(['', ' 00XXX00'])} ${days}${rate}`;
  // Either both dates have a year or none.
  if (random.chance(30)) return `${writeDay(from).slice(0, 5)} ${writeDay(to).slice(0, 5)} ${days}${rate}`;
  return `${writeDay(from)} ${writeDay(to)} ${days}${rate}`;
};

/** Writes times with their days, where it differs or always, or with a date variation. */
const writeLeg = (message: OracleMessage, { from, to, out, in: arrival }: OracleLeg, random: SeededRandom): string => {
  const form = message.kind === 'ASM' ? random.pick(['variation', 'always', 'differs']) : 'variation';
  const write = (station: string, [minutes, days]: readonly [number, number]): string => {
    if (form === 'variation' || (form === 'differs' && days === 0)) return writeEnd(station, [minutes, days]);
    return `${station}${shiftDay(message.period[0], days).slice(8)}${writeClock(minutes)}`;
  };
  return `${write(from, out)} ${write(to, arrival)}`;
};

const writeEquipment = ({ type, configuration, crew }: OracleLeg, random: SeededRandom): readonly string[] => {
  const line = `J ${type} .${configuration}`;
  if (crew === '') return [line];
  return random.chance(30) ? [line, `4/${crew}`] : [`${line} 4/${crew}`];
};

/** Writes what is below the flights and periods of a message. */
const writeBody = (message: OracleMessage, random: SeededRandom): readonly string[] => {
  const { kind, action, legs = [], scope } = message;
  const [first] = legs;
  if (action === 'EQT' && first) {
    const equipment = writeEquipment(first, random);
    if (!scope || kind === 'ASM') return equipment;
    return random.chance(50) ? [scope.join('/'), ...equipment] : [...equipment, scope.join('/')];
  }
  if (action === 'TIM') return legs.map((leg) => writeLeg(message, leg, random));
  const isSame = legs.every(
    ({ type, configuration, crew }) =>
      type === first?.type && configuration === first.configuration && crew === first.crew,
  );
  return legs.flatMap((leg, index) => [
    ...(isSame && index > 0 ? [] : writeEquipment(leg, random)),
    writeLeg(message, leg, random),
  ]);
};

const writeHead = (message: OracleMessage, random: SeededRandom): readonly string[] => {
  const { kind, action, flight, period, newPeriod, newFlight, scope } = message;
  if (kind === 'SSM') {
    const isOnLine = action === 'REV' && random.chance(50);
    return [
      ...(isOnLine ? [`${flight} ${writeAnyPeriod(message, random)}`] : [flight, writeAnyPeriod(message, random)]),
      ...(newPeriod ? [writeAnyPeriod({ period: newPeriod }, random)] : []),
      ...(newFlight === undefined ? [] : [newFlight]),
    ];
  }
  const date = writeDate(period[0], random);
  const line = `${flight}/${date}${scope ? ` ${scope.join('/')}` : ''}`;
  if (newFlight === undefined) return [line];
  return scope || random.chance(50) ? [`${line} ${newFlight}/${date}`] : [line, `${newFlight}/${date}`];
};

/** Returns whether a message can be a further group of the sub-message of the one before: only period and content follow. */
const isFurtherGroup = (before: OracleMessage, message: OracleMessage): boolean =>
  message.kind === 'SSM' &&
  ['NEW', 'RPL', 'TIM', 'EQT', 'CNL'].includes(message.action) &&
  before.action === message.action &&
  before.flight === message.flight &&
  before.withdraws === message.withdraws;

/**
 * Writes messages of one kind and time mode as one telegram, in random forms: sub-messages, groups, supplementary information. `number` counts the
 * telegrams.
 */
export const writeTelegram = (messages: readonly OracleMessage[], number: number, random: SeededRandom): string => {
  const lines = messages.flatMap((message, index) => {
    const before = messages[index - 1];
    const body = writeBody(message, random);
    if (before && isFurtherGroup(before, message)) return [writeAnyPeriod(message, random), ...body];
    const information = random.chance(20) ? ['SI CREW SICK', 'X2101/05DEC CNL'] : [];
    return [
      ...(before ? [...information, '//'] : []),
      message.withdraws ? `${message.action} XASM` : message.action,
      ...writeHead(message, random),
      ...body,
    ];
  });
  const [first] = messages;
  const reference = `01JUN${String(number).padStart(5, '0')}E001`;
  return [first?.kind, first?.mode, reference, ...lines, '', ''].join('\n');
};
