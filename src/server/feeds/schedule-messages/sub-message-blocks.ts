import type {
  MessageElement,
  MessageEquipment,
  MessagePeriod,
  ScheduleAction,
  ScheduleMessageKind,
} from '#domain/schedule/messages/schedule-message.ts';
import type { Designator, TimeMode } from '#domain/schedule/schedule.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import * as dates from './date-formats.ts';
import * as elements from './element-formats.ts';
import * as flights from './flight-formats.ts';
import { isEquipmentLine, isLegLine, parseEquipmentLine } from './leg-formats.ts';
import { rejectField } from './reject-field.ts';

export type SubMessageContext = {
  readonly kind: ScheduleMessageKind;
  readonly timeMode: TimeMode;
  /** Dates without a year are the next ones from here. */
  readonly createdOn: LocalDate;
};

/** A period line: the elements belong to it. */
export type PeriodPart = { readonly period: MessagePeriod; readonly elements: readonly MessageElement[] };
/** A flight line: the elements belong to it, also those of lines below it. */
export type FlightPart = flights.FlightHead & { readonly line: TelegramLine };

/** Flights and the periods below them. */
export type HeadGroup = { flights: FlightPart[]; periods: PeriodPart[]; newFlight: Designator | undefined };

/** An equipment line with the leg change identifiers beside it, and its elements. */
export type EquipmentPart = {
  readonly line: TelegramLine;
  readonly equipment: MessageEquipment;
  readonly scopes: (readonly string[])[];
  elements: readonly MessageElement[];
};

/** Flights and periods with the equipment, legs and elements below them. A sub-message can have several. */
export type SubMessageBlock = {
  readonly heads: HeadGroup[];
  readonly equipment: EquipmentPart[];
  /** Leg lines, each with the equipment line above it. */
  readonly legs: { readonly line: TelegramLine; readonly equipment: EquipmentPart | undefined }[];
  /** Elements of the whole flight. */
  common: readonly MessageElement[];
  /** Elements of pairs of stations. */
  ofStations: readonly MessageElement[];
  /** A leg change identifier for all flights of the block. */
  legChange: readonly string[] | undefined;
};

/** Pairs the stations of a leg change identifier. */
export const toPairs = (stations: readonly string[]): readonly (readonly [board: string, off: string])[] =>
  stations.slice(1).map((off, index) => [stations[index] ?? '', off]);

/** A new schedule has a longer period only by mistake. */
const MAX_NEW_DAYS = 800;

const createBlock = (heads: HeadGroup[]): SubMessageBlock => ({
  heads,
  equipment: [],
  legs: [],
  common: [],
  ofStations: [],
  legChange: undefined,
});

/** Collects the lines of a sub-message into blocks. */
export class BlockReader {
  readonly #context: SubMessageContext;
  readonly #action: ScheduleAction;
  readonly #blocks: SubMessageBlock[] = [createBlock([])];
  /** Leg change identifiers that limit nothing yet, and those that limit the element lines below them. */
  #openScopes: { readonly line: TelegramLine; readonly stations: readonly string[]; isUsed: boolean }[] = [];
  /** Whether leg change identifiers precede their equipment, as the first one of the block does. */
  #isScopeFirst = false;

  constructor(context: SubMessageContext, action: ScheduleAction) {
    this.#context = context;
    this.#action = action;
  }

  /** Adds a line. Throws a TelegramError when it is none of the known lines, or is out of order. */
  add(line: TelegramLine): void {
    const isAdHoc = this.#context.kind === 'ASM';
    const isFlight = flights.isFlightLine(line);
    if (!isFlight && this.#block.heads.length === 0)
      rejectField(line, 'line', [line.text, 'misplaced-part', 'The first line of a sub-message is its flight.']);
    if (elements.isSegmentLine(line)) this.#addSegment(line);
    else if (isAdHoc && flights.isAdHocFlightLine(line)) this.#addFlight(line);
    else if (isLegLine(line) && !this.#expectsNewFlight()) this.#addLeg(line);
    else if (dates.isPeriodLine(line)) this.#addPeriod(line);
    else if (flights.isLegChangeLine(line)) this.#addScope(line);
    else if (isEquipmentLine(line)) this.#addEquipment(line);
    else if (elements.isElementLine(line)) this.#addElements(line);
    else if (isFlight) this.#addFlight(line);
    else rejectField(line, 'line', [line.text, 'unknown-line', 'The line is not an element of the action.']);
  }

  /** Returns the blocks. Throws a TelegramError when a leg change identifier limits nothing: the change would apply to the whole flight. */
  finish(): readonly SubMessageBlock[] {
    this.#closeBlock();
    return this.#blocks;
  }

  get #block(): SubMessageBlock {
    const block = this.#blocks.at(-1);
    if (!block) throw new Error('a sub-message has a block');
    return block;
  }

  #hasContent(): boolean {
    const { equipment, legs, common, ofStations } = this.#block;
    return equipment.length + legs.length + common.length + ofStations.length + this.#openScopes.length > 0;
  }

  #expectsNewFlight(): boolean {
    const head = this.#block.heads.at(-1);
    return this.#action === 'FLT' && head !== undefined && head.periods.length > 0 && head.newFlight === undefined;
  }

  #closeBlock(): void {
    const { kind } = this.#context;
    const open = this.#openScopes.find(({ isUsed }) => !isUsed);
    this.#openScopes = [];
    if (!open) return;
    const block = this.#block;
    const isAlone = block.equipment.length === 0 && block.legChange === undefined;
    if (kind === 'SSM' || !isAlone || this.#action === 'ADM')
      rejectField(open.line, 'leg change identifier', [
        open.line.text,
        'misplaced-part',
        'The leg change identifier limits no equipment and no elements.',
      ]);
    block.legChange = open.stations;
  }

  #openBlock(heads: HeadGroup[]): void {
    this.#closeBlock();
    this.#blocks.push(createBlock(heads));
  }

  #addFlight(line: TelegramLine): void {
    const { kind, createdOn } = this.#context;
    const head = this.#block.heads.at(-1);
    if (kind === 'SSM' && head && this.#expectsNewFlight() && !this.#hasContent()) {
      const [text, rest] = elements.splitBeforeElements(line.text);
      head.newFlight = flights.parseDesignator(line, text);
      this.#block.common = elements.parseElements(line, rest);
      return;
    }
    const parsed =
      kind === 'ASM' ? flights.parseAdHocFlightLine(line, createdOn) : flights.parsePeriodicFlightLine(line, createdOn);
    const flight = { line, ...parsed };
    if (this.#hasContent()) this.#openBlock([]);
    const last = this.#block.heads.at(-1);
    if (last && last.periods.length === 0) last.flights.push(flight);
    else this.#block.heads.push({ flights: [flight], periods: [], newFlight: undefined });
  }

  #addPeriod(line: TelegramLine): void {
    const { kind, createdOn } = this.#context;
    if (kind === 'ASM') rejectField(line, 'period', [line.text, 'bad-period', 'An ASM has single dates.']);
    const [text, rest] = elements.splitBeforeElements(line.text);
    const period = dates.parsePeriod(line, text, { createdOn, allowsNoDays: this.#action === 'SKD' });
    const before = this.#block.heads.at(-1);
    if (!before)
      return rejectField(line, 'period', [line.text, 'misplaced-part', 'The period comes after the flight.']);
    if (this.#action === 'NEW' && period.to - period.from > MAX_NEW_DAYS)
      rejectField(line, 'period', [line.text, 'bad-period', `A period of NEW is longer than ${MAX_NEW_DAYS} days.`]);
    if (this.#hasContent()) this.#openBlock([{ flights: before.flights, periods: [], newFlight: undefined }]);
    this.#block.heads.at(-1)?.periods.push({ period, elements: elements.parseElements(line, rest) });
  }

  #addSegment(line: TelegramLine): void {
    const parsed = elements.parseSegmentLine(line);
    const [common, ofStations] = [parsed, parsed].map((all, index) =>
      all.filter(({ boardStation, offStation }) => (boardStation === '' && offStation === '') === (index === 0)),
    );
    this.#block.common = elements.addElements(line, this.#block.common, common ?? []);
    this.#block.ofStations = elements.addElements(line, this.#block.ofStations, ofStations ?? []);
  }

  #addScope(line: TelegramLine): void {
    const { stations, elements: ofScope } = flights.parseLegChangeLine(line);
    const last = this.#block.equipment.at(-1);
    if (last && !this.#isScopeFirst) {
      last.scopes.push(stations);
      last.elements = elements.addElements(line, last.elements, ofScope);
      return;
    }
    if (this.#openScopes.some(({ isUsed }) => isUsed)) this.#openScopes = [];
    this.#openScopes.push({ line, stations, isUsed: ofScope.length > 0 });
    this.#limitToScopes(line, ofScope);
  }

  #addEquipment(line: TelegramLine): void {
    const { equipment, elements: own } = parseEquipmentLine(line);
    const scopes = this.#openScopes.map(({ stations }) => stations);
    this.#openScopes = [];
    if (this.#block.equipment.length === 0) this.#isScopeFirst = scopes.length > 0;
    this.#block.equipment.push({ line, equipment, scopes, elements: own });
  }

  #addLeg(line: TelegramLine): void {
    this.#block.legs.push({ line, equipment: this.#block.equipment.at(-1) });
  }

  #limitToScopes(line: TelegramLine, added: readonly MessageElement[]): void {
    const pairs = this.#openScopes.flatMap(({ stations }) => toPairs(stations));
    const limited = elements.limitElements(added, pairs);
    this.#block.ofStations = elements.addElements(line, this.#block.ofStations, limited);
  }

  #addElements(line: TelegramLine): void {
    const added = elements.parseElements(line, line.text);
    const { heads, equipment, legs } = this.#block;
    const head = heads.at(-1);
    const last = equipment.at(-1);
    if (this.#openScopes.length > 0) {
      for (const scope of this.#openScopes) scope.isUsed = true;
      this.#limitToScopes(line, added);
    } else if (last && legs.at(-1)?.equipment !== last)
      last.elements = elements.addElements(line, last.elements, added);
    else if (this.#context.kind === 'SSM' && head && head.periods.length === 0)
      head.flights = head.flights.map((flight, index) =>
        index === head.flights.length - 1
          ? { ...flight, elements: elements.addElements(line, flight.elements, added) }
          : flight,
      );
    else this.#block.common = elements.addElements(line, this.#block.common, added);
  }
}
