import type {
  EquipmentChange,
  MessageElement,
  MessageLeg,
  MessagePeriod,
  SubMessage,
} from '#domain/schedule/messages/schedule-message.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { EVERY_DAY } from '#domain/time/period.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { checkParts, usesElements } from './action-rules.ts';
import { limitElements } from './element-formats.ts';
import { parseLegLine } from './leg-formats.ts';
import { rejectField } from './reject-field.ts';
import {
  type EquipmentPart,
  type FlightPart,
  type HeadGroup,
  type SubMessageBlock,
  type SubMessageContext,
  toPairs,
} from './sub-message-blocks.ts';

type ActionHead = Pick<SubMessage, 'action' | 'reasons' | 'withdrawsAdHoc'>;

export type BuildContext = SubMessageContext & {
  readonly head: ActionHead;
  readonly actionLine: TelegramLine;
};

type ParsedLeg = MessageLeg & {
  readonly part: EquipmentPart | undefined;
  readonly elements: readonly MessageElement[];
};

const parseLegs = ({ legs }: SubMessageBlock, { date }: FlightPart): readonly ParsedLeg[] =>
  legs.map(({ line, equipment: part }) => ({ ...parseLegLine(line, date), equipment: part?.equipment, part }));

const toLegPairs = (legs: readonly MessageLeg[]): readonly (readonly [string, string])[] =>
  legs.map(({ departure, arrival }) => [departure.station, arrival.station]);

/** Returns the elements of equipment lines: of the legs that follow each, or of the legs in its leg change identifier. */
const listEquipmentElements = (
  { equipment }: SubMessageBlock,
  legs: readonly ParsedLeg[],
  legChange: readonly string[] | undefined,
): readonly MessageElement[] =>
  equipment.flatMap((part) => {
    const following = legs.filter((leg) => leg.part === part);
    if (legs.length > 0)
      return following.length === legs.length && !legChange
        ? part.elements
        : limitElements(part.elements, toLegPairs(following));
    const scopes = part.scopes.length > 0 ? part.scopes : legChange ? [legChange] : [];
    return scopes.length === 0 ? part.elements : limitElements(part.elements, scopes.flatMap(toPairs));
  });

const rejectEquipment = ({ line }: EquipmentPart, reason: string, message: string): never =>
  rejectField(line, 'equipment', [line.text, reason, message]);

/** Throws a TelegramError unless the legs of each equipment line are known and are no others' legs. */
const assertEquipmentScopes = (
  { equipment }: SubMessageBlock,
  legs: readonly ParsedLeg[],
  { action }: ActionHead,
): void => {
  const seen = new Set<string>();
  for (const part of equipment) {
    if (action !== 'EQT' && action !== 'CON') {
      if (part.scopes.length > 0 || !legs.some((leg) => leg.part === part))
        rejectEquipment(part, 'misplaced-part', 'Equipment comes before its legs, without a leg change identifier.');
      continue;
    }
    if (equipment.length > 1 && part.scopes.length === 0)
      rejectEquipment(part, 'missing-part', 'Several equipment lines each require a leg change identifier.');
    for (const pair of part.scopes.flatMap(toPairs).map((each) => each.join('-'))) {
      if (seen.has(pair)) rejectEquipment(part, 'contradiction', `Two equipment lines are about ${pair}.`);
      seen.add(pair);
    }
  }
};

const listEquipmentChanges = (
  { equipment }: SubMessageBlock,
  legs: readonly ParsedLeg[],
  legChange: readonly string[] | undefined,
): readonly EquipmentChange[] =>
  legs.length > 0
    ? []
    : equipment.flatMap((part) =>
        (part.scopes.length > 0 ? part.scopes : [legChange ?? []]).map((stations) => ({
          stations,
          equipment: part.equipment,
        })),
      );

/** Periods with the same elements are one change. */
const groupPeriods = (
  { periods }: HeadGroup,
  flight: FlightPart,
): readonly { readonly periods: readonly MessagePeriod[]; readonly elements: readonly MessageElement[] }[] =>
  flight.date === undefined
    ? [...Map.groupBy(periods, ({ elements }) => JSON.stringify(elements)).values()].map((group) => ({
        periods: group.map(({ period }) => period),
        elements: group[0]?.elements ?? [],
      }))
    : [
        {
          periods: [{ from: flight.date, to: flight.date, days: EVERY_DAY, everyWeeks: 1 }],
          elements: [],
        },
      ];

/** The elements of a period of new designators or dates are set after the change, as ADM does. */
const followWithElements = (change: SubMessage, target: Partial<SubMessage>): readonly SubMessage[] => [
  { ...change, elements: [] },
  ...(change.elements.length === 0
    ? []
    : [
        {
          ...change,
          action: 'ADM' as const,
          withdrawsAdHoc: false,
          newFlight: undefined,
          newPeriods: [],
          legChange: undefined,
          ...target,
        },
      ]),
];

type FlightChange = {
  readonly block: SubMessageBlock;
  readonly head: HeadGroup;
  readonly flight: FlightPart;
  readonly newFlight: Designator | undefined;
};

/** Returns the changes of one flight. Throws a TelegramError for a part that the action lacks or does not take. */
export const buildChanges = (
  { block, head, flight, newFlight }: FlightChange,
  context: BuildContext,
): readonly SubMessage[] => {
  const { kind, timeMode, actionLine } = context;
  const { action } = context.head;
  const legs = parseLegs(block, flight);
  const legChange = flight.legChange ?? block.legChange;
  const revised = action === 'REV' ? (flight.period ?? head.periods[0]?.period) : undefined;
  const groups =
    action === 'REV'
      ? groupPeriods({ ...head, periods: flight.period ? head.periods : head.periods.slice(1) }, flight)
      : groupPeriods(head, flight);
  const newPeriods = revised ? groups.flatMap(({ periods }) => periods) : [];
  if (kind === 'SSM' && groups.length === 0 && action !== 'REV')
    return rejectField(actionLine, 'period', [action, 'missing-part', `${action} requires a period.`]);
  if (flight.period && action !== 'REV')
    return rejectField(flight.line, 'period', [flight.line.text, 'misplaced-part', 'Only REV has a period there.']);
  assertEquipmentScopes(block, legs, context.head);
  // The elements of a new routing belong to its legs.
  const pairs = legChange && (legs.length > 0 ? toLegPairs(legs) : toPairs(legChange));
  const buildChange = (periods: readonly MessagePeriod[], ofPeriod: readonly MessageElement[]): SubMessage => {
    const ofFlight = [...flight.elements, ...ofPeriod, ...block.common];
    const elements = [
      ...(pairs ? limitElements(ofFlight, pairs) : ofFlight),
      ...listEquipmentElements(block, legs, legChange),
      ...legs.flatMap((leg) => leg.elements),
      ...block.ofStations,
    ];
    checkParts(actionLine, action, {
      newPeriods: newPeriods.length > 0,
      newFlight: newFlight !== undefined,
      legs: legs.length > 0,
      equipment: block.equipment.length > 0,
      elements: elements.length > 0,
      legChange: legChange !== undefined,
    });
    return {
      kind,
      ...context.head,
      timeMode,
      line: actionLine.number,
      flight: flight.flight,
      periods,
      newPeriods,
      newFlight,
      ...(legChange && action !== 'EQT' && action !== 'CON' && action !== 'ADM' && { legChange }),
      legs: legs.map(({ departure, arrival, equipment }) => ({ departure, arrival, equipment })),
      equipmentChanges: listEquipmentChanges(block, legs, legChange),
      elements: usesElements(action) ? elements : [],
    };
  };
  if (action === 'REV') {
    const ofPeriods = groups.map(({ periods, elements }) => ({ periods, change: buildChange([], elements) }));
    const [first] = ofPeriods;
    if (!first || !revised) return [buildChange(revised ? [revised] : [], [])];
    const changes = ofPeriods.flatMap(({ periods, change }) => followWithElements(change, { periods }).slice(1));
    return [{ ...first.change, periods: [revised], elements: [] }, ...changes];
  }
  return groups.flatMap(({ periods, elements }) => {
    const change = buildChange(periods, elements);
    return action === 'FLT' && newFlight ? followWithElements(change, { flight: newFlight }) : [change];
  });
};

/** Pairs the flight lines of FLT in an ASM where the new designator has a line of its own. */
export const pairFlights = (
  { flights, newFlight }: HeadGroup,
  { head: { action }, kind }: BuildContext,
): readonly { readonly flight: FlightPart; readonly newFlight: Designator | undefined }[] => {
  if (action !== 'FLT' || kind === 'SSM' || flights.some((flight) => flight.newFlight))
    return flights.map((flight) => ({ flight, newFlight: flight.newFlight ?? newFlight }));
  return flights.flatMap((flight, index) => {
    if (index % 2 === 1) return [];
    const target = flights[index + 1];
    if (target?.date !== flight.date)
      return rejectField(flight.line, 'newFlight', [
        flight.line.text,
        'bad-flight',
        'FLT requires a flight and its new designator on the same date.',
      ]);
    return [{ flight, newFlight: target?.flight }];
  });
};
