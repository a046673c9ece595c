import { expect, test } from 'vitest';
import { createCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import type { StoredCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import { createFlight, createMarketingFlight } from '../sample-flights.ts';

const none: StoredCarrierRelations = { partners: [], alliances: {}, codeshares: [] };

/** Carriers with lists, `AA: BA LH` from line 2 on. */
const withPartners = (...lists: readonly string[]) =>
  createCarrierRelations({
    ...none,
    partners: lists.map((list, index) => {
      const [carrier = '', partners = ''] = list.split(':');
      return { line: index + 2, carrier, partners: partners.split(' ').filter(Boolean) };
    }),
  });

/** A flight of `BA`, or of `AA/BA` a marketing flight of AA that BA operates. */
const flightOf = (text: string | undefined, route: string) => {
  const [carrier = '', operator] = text?.split('/') ?? [];
  if (operator === undefined) return createFlight(`${carrier} 1`, route);
  return createMarketingFlight(`${carrier} 6000`, `${operator} 1`, route);
};

test.each([
  ['a carrier without a list objects to no carrier', [], 'BA-AA', ''],
  ['each lists the other', ['AA:BA LH', 'BA:AA'], 'BA-AA', ''],
  ['one of two lists lacks the other', ['AA:BA LH', 'BA:AA', 'LH:UA'], 'LH-AA', 'LH AA 4'],
  ['both lists lack the other', ['AA:BA LH', 'BA:AA', 'LH:UA'], 'BA-LH', 'BA LH 3, LH BA 4'],
  ['one list is enough to allow a pair', ['AA:BA'], 'BA-AA', ''],
  ['one list is enough to reject a pair', ['AA:BA'], 'VY-AA', 'AA VY 2'],
  ['a list may extend over several records', ['AA:BA', 'AA:VY'], 'VY-AA', ''],
  ['a list over several records has the line of its first', ['AA:BA', 'AA:VY'], 'LH-AA', 'AA LH 2'],
  ['a carrier never objects to itself', ['BA:'], 'BA-BA', ''],
  ['an empty list, an objection listed once', ['BA:'], 'BA-AA', 'BA AA 2'],
  ['the operating carriers count too', ['BA:AA'], 'AA/BA-AA/VY', 'BA VY 2'],
])('partners: %s', (_, lists, pair, expected) => {
  const relations = withPartners(...lists);
  const [one, other] = pair.split('-');
  const legs = [flightOf(one, 'MAN LHR'), flightOf(other, 'LHR CDG')] as const;
  const rejections = relations.listRejections(...legs);
  expect(rejections.map(({ carrier, other, line }) => `${carrier} ${other} ${line}`).join(', ')).toBe(expected);
  expect(relations.canSellTogether(...legs)).toBe(expected === '');
});
