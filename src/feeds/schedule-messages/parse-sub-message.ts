import type {
  EquipmentChange,
  MessageElement,
  MessageEquipment,
  MessageLeg,
  ScheduleAction,
  ScheduleMessageKind,
  SubMessage,
} from '../../domain/schedule/messages/schedule-message.ts';
import type { Designator, TimeMode } from '../../domain/schedule/schedule.ts';
import type { LocalDate } from '../../domain/time/dates.ts';
import { EVERY_DAY, type Period } from '../../domain/time/period.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import * as formats from './line-formats.ts';

export type SubMessageContext = {
  readonly kind: ScheduleMessageKind;
  readonly timeMode: TimeMode;
  /** Dates without a year are the next ones from here. */
  readonly createdOn: LocalDate;
};

/** The parts of a sub-message that an action requires. Other parts are rejected. */
type ActionRule = {
  readonly kinds: readonly ScheduleMessageKind[];
  readonly required: readonly PartName[];
  readonly optional?: readonly PartName[];
};
type PartName = 'newPeriods' | 'newFlight' | 'legs' | 'equipment' | 'elements';

const both: readonly ScheduleMessageKind[] = ['SSM', 'ASM'];

const rules: Readonly<Record<ScheduleAction, ActionRule>> = {
  NEW: { kinds: both, required: ['equipment', 'legs'], optional: ['elements'] },
  RPL: { kinds: both, required: ['equipment', 'legs'], optional: ['elements'] },
  RRT: { kinds: ['ASM'], required: ['legs'], optional: ['equipment', 'elements'] },
  CNL: { kinds: both, required: [] },
  RIN: { kinds: ['ASM'], required: [] },
  SKD: { kinds: ['SSM'], required: [] },
  REV: { kinds: ['SSM'], required: ['newPeriods'] },
  TIM: { kinds: both, required: ['legs'], optional: ['elements'] },
  EQT: { kinds: both, required: ['equipment'], optional: ['elements'] },
  CON: { kinds: both, required: ['equipment'], optional: ['elements'] },
  ADM: { kinds: both, required: ['elements'] },
  FLT: { kinds: both, required: ['newFlight'] },
};

const changeReasons = new Set(
  'AIRS ARPT COMM CREW DAMA EQUI FUEL HDLG HOLI INDU OPER PERF POLI POSI REPO ROTA RTNS RUNW TECH WEAT'.split(' '),
);

/** Parses `RPL XASM` or `CNL WEAT/TECH`. Throws a TelegramError. */
const parseActionLine = (line: TelegramLine, kind: ScheduleMessageKind) => {
  const [name = '', ...words] = line.text.split(/[ /]/);
  const action = Object.hasOwn(rules, name) ? (name as ScheduleAction) : undefined;
  if (!action) return formats.rejectField(line, 'action', [name, 'bad-action', `'${name}' is not a supported action.`]);
  if (!rules[action].kinds.includes(kind))
    return formats.rejectField(line, 'action', [name, 'bad-action', `${name} has no meaning in ${kind}.`]);
  const reasons = words.filter((word) => changeReasons.has(word));
  const withdrawsAdHoc = words.includes('XASM');
  const unknown = words.find((word) => word !== 'XASM' && !changeReasons.has(word));
  if (unknown !== undefined || (withdrawsAdHoc && kind === 'ASM'))
    return formats.rejectField(line, 'action', [
      line.text,
      'bad-action',
      'The action has an unknown change reason or indicator.',
    ]);
  return { action, reasons, withdrawsAdHoc };
};

/** The parts of a sub-message while its lines are read. */
class SubMessageParts {
  readonly #context: SubMessageContext;
  readonly flights: {
    readonly flight: Designator;
    readonly period: Period | undefined;
    readonly line: TelegramLine;
  }[] = [];
  readonly periods: Period[] = [];
  readonly legs: MessageLeg[] = [];
  readonly equipmentChanges: EquipmentChange[] = [];
  readonly elements: MessageElement[] = [];
  newFlight: Designator | undefined;
  #scope: readonly string[] = [];
  /** A leg change identifier without equipment below it. */
  #openScope: TelegramLine | undefined;
  #equipment: MessageEquipment | undefined;

  constructor(context: SubMessageContext) {
    this.#context = context;
  }

  /** Adds a line. Throws a TelegramError when it is none of the known lines, or is out of order. */
  add(line: TelegramLine): void {
    const isContent = this.legs.length + this.equipmentChanges.length + this.elements.length > 0;
    if (formats.isSegmentLine(line)) this.elements.push(...formats.parseSegmentLine(line));
    else if (formats.isLegLine(line)) this.#addLeg(line);
    else if (formats.isPeriodLine(line) && !isContent && this.flights.length > 0) this.#addPeriod(line);
    else if (formats.isFlightLine(line) && !isContent) this.#addFlight(line);
    else if (/^[A-Z]{3}(?:\/[A-Z]{3})+$/.test(line.text)) this.#openScope = line;
    else if (formats.isEquipmentLine(line)) this.#addEquipment(line);
    else if (/^\d{1,3}\//.test(line.text)) this.elements.push(...formats.parseElements(line, line.text));
    else formats.rejectField(line, 'line', [line.text, 'unknown-line', 'The line is not an element of the action.']);
  }

  /** Throws a TelegramError when a leg change identifier limits nothing: the change would apply to the whole flight. */
  finish(): void {
    if (this.#openScope)
      formats.rejectField(this.#openScope, 'leg change identifier', [
        this.#openScope.text,
        'misplaced-part',
        'A leg change identifier comes before the equipment that it limits.',
      ]);
  }

  #addFlight(line: TelegramLine): void {
    const [first = '', ...rest] = line.text.split(' ');
    const [designator = '', dateText] = first.split('/');
    const flight = formats.parseDesignator(line, designator);
    const { kind, createdOn } = this.#context;
    if (kind === 'SSM' && this.periods.length > 0) {
      if (this.newFlight || dateText !== undefined)
        formats.rejectField(line, 'flight', [
          line.text,
          'bad-flight',
          'The line contains more flights than the action allows.',
        ]);
      this.newFlight = flight;
      return;
    }
    if (kind === 'SSM' && (dateText !== undefined || this.flights.length > 0))
      formats.rejectField(line, 'flight', [
        line.text,
        'bad-flight',
        'An SSM sub-message must have one flight without a date.',
      ]);
    if (kind === 'ASM' && dateText === undefined)
      formats.rejectField(line, 'flight', [line.text, 'no-date', 'A flight of an ASM requires a date.']);
    const date = dateText === undefined ? undefined : formats.parseDate(line, dateText, createdOn);
    const period = date === undefined ? undefined : { from: date, to: date, days: EVERY_DAY, everyWeeks: 1 as const };
    this.flights.push({ flight, period, line });
    this.elements.push(...formats.parseElements(line, rest.join(' ')));
  }

  #addPeriod(line: TelegramLine): void {
    if (this.#context.kind === 'ASM')
      formats.rejectField(line, 'period', [line.text, 'bad-period', 'An ASM has single dates.']);
    const [text = '', elements = ''] = line.text.split(/ (?=\d{1,3}\/(?!W))(.*)/);
    this.periods.push(formats.parsePeriod(line, text, this.#context.createdOn));
    this.elements.push(...formats.parseElements(line, elements));
  }

  #addLeg(line: TelegramLine): void {
    const { departure, arrival, elements } = formats.parseLegLine(line);
    this.legs.push({ departure, arrival, equipment: this.#equipment });
    this.elements.push(...elements);
  }

  #addEquipment(line: TelegramLine): void {
    const { equipment, elements } = formats.parseEquipmentLine(line);
    this.#equipment = equipment;
    if (this.#openScope) this.#scope = this.#openScope.text.split('/');
    this.#openScope = undefined;
    this.equipmentChanges.push({ stations: this.#scope, equipment });
    this.elements.push(...elements);
  }
}

const checkParts = (line: TelegramLine, action: ScheduleAction, present: Readonly<Record<PartName, boolean>>): void => {
  const { required, optional = [] } = rules[action];
  for (const [name, isPresent] of Object.entries(present)) {
    if (!isPresent && required.some((each) => each === name))
      formats.rejectField(line, name, [action, 'missing-part', `${action} lacks ${name}.`]);
    if (isPresent && ![...required, ...optional].some((each) => each === name))
      formats.rejectField(line, name, [action, 'misplaced-part', `${action} does not take ${name}.`]);
  }
};

const assertLegEquipment = (line: TelegramLine, action: ScheduleAction, legs: readonly MessageLeg[]): void => {
  if ((action === 'NEW' || action === 'RPL') && legs.some(({ equipment }) => equipment === undefined))
    formats.rejectField(line, 'equipment', [action, 'missing-part', 'The equipment comes before the legs.']);
};

/** Parses the lines from an action identifier to the next: one change for each flight. Throws a TelegramError. */
export const parseSubMessage = (
  lines: readonly [TelegramLine, ...TelegramLine[]],
  context: SubMessageContext,
): readonly SubMessage[] => {
  const [actionLine, ...body] = lines;
  const { kind, timeMode } = context;
  const head = parseActionLine(actionLine, kind);
  const { action } = head;
  const parts = new SubMessageParts(context);
  for (const line of body) parts.add(line);
  parts.finish();
  const { flights, periods, legs, equipmentChanges, elements } = parts;
  if (flights.length === 0)
    return formats.rejectField(actionLine, 'flight', [action, 'missing-part', `${action} requires a flight.`]);
  if (kind === 'SSM' && periods.length === 0)
    return formats.rejectField(actionLine, 'period', [action, 'missing-part', `${action} requires a period.`]);
  const isRenamed = action === 'FLT' && kind === 'ASM';
  const [renamed, target] = flights;
  if (isRenamed && (flights.length !== 2 || target?.period?.from !== renamed?.period?.from))
    return formats.rejectField(actionLine, 'newFlight', [
      action,
      'bad-flight',
      'FLT requires a flight and its new designator on the same date.',
    ]);
  const newFlight = isRenamed ? target?.flight : parts.newFlight;
  const [oldPeriods, newPeriods] = action === 'REV' ? [periods.slice(0, 1), periods.slice(1)] : [periods, []];
  checkParts(actionLine, action, {
    newPeriods: newPeriods.length > 0,
    newFlight: newFlight !== undefined,
    legs: legs.length > 0,
    equipment: equipmentChanges.length > 0,
    elements: elements.length > 0,
  });
  assertLegEquipment(actionLine, action, legs);
  return (isRenamed ? flights.slice(0, 1) : flights).map(({ flight, period }): SubMessage => ({
    kind,
    ...head,
    timeMode,
    line: actionLine.number,
    flight,
    periods: period ? [period] : oldPeriods,
    newPeriods,
    newFlight,
    legs,
    equipmentChanges,
    elements,
  }));
};
