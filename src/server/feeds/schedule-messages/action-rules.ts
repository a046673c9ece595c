import type { ScheduleAction, ScheduleMessageKind } from '#domain/schedule/messages/schedule-message.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { rejectField } from './reject-field.ts';

/** The parts of a sub-message that an action requires. Other parts are rejected. */
type ActionRule = {
  readonly kinds: readonly ScheduleMessageKind[];
  readonly required: readonly PartName[];
  readonly optional?: readonly PartName[];
};
type PartName = 'newPeriods' | 'newFlight' | 'legs' | 'equipment' | 'elements' | 'legChange';

const both: readonly ScheduleMessageKind[] = ['SSM', 'ASM'];

const rules: Readonly<Record<ScheduleAction, ActionRule>> = {
  NEW: { kinds: both, required: ['equipment', 'legs'], optional: ['elements'] },
  RPL: { kinds: both, required: ['equipment', 'legs'], optional: ['elements'] },
  RRT: { kinds: ['ASM'], required: ['legs'], optional: ['equipment', 'elements', 'legChange'] },
  CNL: { kinds: both, required: [], optional: ['elements', 'legChange'] },
  RIN: { kinds: ['ASM'], required: [], optional: ['elements', 'legChange'] },
  SKD: { kinds: ['SSM'], required: [], optional: ['elements'] },
  REV: { kinds: ['SSM'], required: ['newPeriods'], optional: ['elements'] },
  TIM: { kinds: both, required: ['legs'], optional: ['elements', 'legChange'] },
  EQT: { kinds: both, required: ['equipment'], optional: ['elements', 'legChange'] },
  CON: { kinds: both, required: ['equipment'], optional: ['elements', 'legChange'] },
  ADM: { kinds: both, required: ['elements'], optional: ['legChange'] },
  FLT: { kinds: both, required: ['newFlight'], optional: ['elements', 'legChange'] },
};

/** Data elements have no meaning where a flight ends or returns as it was: they are left out with a notice. */
export const usesElements = (action: ScheduleAction): boolean => !['CNL', 'RIN', 'SKD'].includes(action);

const changeReasons = new Set(
  'AIRS ARPT COMM CREW DAMA EQUI FUEL HDLG HOLI INDU OPER PERF POLI POSI REPO ROTA RTNS RUNW TECH WEAT'.split(' '),
);

/** Parses `RPL XASM` or `CNL WEAT/TECH`. Throws a TelegramError. */
export const parseActionLine = (line: TelegramLine, kind: ScheduleMessageKind) => {
  const [name = '', ...words] = line.text.split(/[ /]/);
  const action = Object.hasOwn(rules, name) ? (name as ScheduleAction) : undefined;
  if (!action) return rejectField(line, 'action', [name, 'bad-action', `'${name}' is not a supported action.`]);
  if (!rules[action].kinds.includes(kind))
    return rejectField(line, 'action', [name, 'bad-action', `${name} has no meaning in ${kind}.`]);
  const reasons = words.filter((word) => changeReasons.has(word));
  const withdrawsAdHoc = words.includes('XASM');
  const unknown = words.find((word) => word !== 'XASM' && !changeReasons.has(word));
  if (unknown !== undefined || (withdrawsAdHoc && kind === 'ASM'))
    return rejectField(line, 'action', [
      line.text,
      'bad-action',
      'The action has an unknown change reason or indicator.',
    ]);
  return { action, reasons, withdrawsAdHoc };
};

/** Returns whether a line has the form of an action identifier, with or without what follows it. */
export const isActionLine = ({ text }: TelegramLine): boolean => Object.hasOwn(rules, text.split(' ')[0] ?? '');

/** Throws a TelegramError for a part that the action lacks or does not take. */
export const checkParts = (
  line: TelegramLine,
  action: ScheduleAction,
  present: Readonly<Record<PartName, boolean>>,
): void => {
  const { required, optional = [] } = rules[action];
  for (const [name, isPresent] of Object.entries(present)) {
    if (!isPresent && required.some((each) => each === name))
      rejectField(line, name, [action, 'missing-part', `${action} lacks ${name}.`]);
    if (isPresent && ![...required, ...optional].some((each) => each === name))
      rejectField(line, name, [action, 'misplaced-part', `${action} does not take ${name}.`]);
  }
};
