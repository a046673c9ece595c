import type { SubMessage } from '#domain/schedule/messages/schedule-message.ts';
import type { ReportEntry } from '../load-report.ts';
import type { TelegramLine } from '../text/split-telegrams.ts';
import { toNoticeEntry } from '../text/telegram-error.ts';
import { parseActionLine, usesElements } from './action-rules.ts';
import { buildChanges, pairFlights } from './build-changes.ts';
import { rejectField } from './reject-field.ts';
import { BlockReader, type SubMessageBlock, type SubMessageContext, toPairs } from './sub-message-blocks.ts';

/** The changes of a sub-message, one for each flight and group of periods, and remarks on it. */
export type ParsedSubMessage = { readonly changes: readonly SubMessage[]; readonly notices: readonly ReportEntry[] };

const findUnusedElements = (blocks: readonly SubMessageBlock[], line: TelegramLine): readonly ReportEntry[] => {
  const hasElements = blocks.some(
    ({ common, ofStations, heads }) =>
      common.length + ofStations.length > 0 ||
      heads.some(({ flights, periods }) => [...flights, ...periods].some(({ elements }) => elements.length > 0)),
  );
  const location = { line: line.number, field: 'data element', value: line.text };
  return hasElements
    ? [toNoticeEntry('The action uses no data elements; they were left out.', location, 'unused-element')]
    : [];
};

const assertLegEquipment = (line: TelegramLine, { action, legs }: SubMessage): void => {
  if ((action === 'NEW' || action === 'RPL') && legs.some(({ equipment }) => equipment === undefined))
    rejectField(line, 'equipment', [action, 'missing-part', 'The equipment comes before the legs.']);
};

/** TIM names its legs; a leg change identifier beside them must not name others. */
const withoutRedundantChange = (line: TelegramLine, change: SubMessage): SubMessage => {
  const { action, legChange, legs } = change;
  if (action !== 'TIM' || !legChange) return change;
  const named = new Set(toPairs(legChange).map((pair) => pair.join('-')));
  const isWithin = legs.every(({ departure, arrival }) => named.has(`${departure.station}-${arrival.station}`));
  if (!isWithin)
    rejectField(line, 'leg change identifier', [
      legChange.join('/'),
      'contradiction',
      'The message changes the times of a leg that its leg change identifier does not name.',
    ]);
  const { legChange: _, ...rest } = change;
  return rest;
};

/** Parses the lines from an action identifier to the next. Throws a TelegramError. */
export const parseSubMessage = (
  lines: readonly [TelegramLine, ...TelegramLine[]],
  context: SubMessageContext,
): ParsedSubMessage => {
  const [actionLine, ...body] = lines;
  const head = parseActionLine(actionLine, context.kind);
  const reader = new BlockReader(context, head.action);
  for (const line of body) reader.add(line);
  const blocks = reader.finish();
  const buildContext = { ...context, head, actionLine };
  const changes = blocks.flatMap((block) =>
    block.heads.flatMap((group) =>
      pairFlights(group, buildContext).flatMap(({ flight, newFlight }) =>
        buildChanges({ block, head: group, flight, newFlight }, buildContext),
      ),
    ),
  );
  if (changes.length === 0)
    return rejectField(actionLine, 'flight', [head.action, 'missing-part', `${head.action} requires a flight.`]);
  for (const change of changes) assertLegEquipment(actionLine, change);
  return {
    changes: changes.map((change) => withoutRedundantChange(actionLine, change)),
    notices: usesElements(head.action) ? [] : findUnusedElements(blocks, actionLine),
  };
};
