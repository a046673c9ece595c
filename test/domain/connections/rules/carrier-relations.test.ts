import { describe, expect, test } from 'vitest';
import {
  createCarrierRelations,
  type StoredCarrierRelations,
} from '../../../../src/domain/connections/rules/carrier-relations.ts';
import { listCodeshares } from '../../../../src/domain/connections/rules/codeshares.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg, buildSegment } from '../../../feeds/ssim/build-file.ts';
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

const first = {
  BA: createFlight('BA 1', 'MAN LHR'),
  LH: createFlight('LH 4', 'MAN LHR'),
  VY: createFlight('VY 3', 'MAN LHR'),
};
const second = {
  AA: createFlight('AA 2', 'LHR JFK'),
  BA: createFlight('BA 5', 'LHR CDG'),
  LH: createFlight('LH 4', 'LHR CDG'),
};
const operatedByBa = createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR');
const operatedByVy = createMarketingFlight('AA 7000', 'VY 3', 'LHR CDG');

test.each([
  ['a carrier without a list objects to no carrier', [], first.BA, second.AA, ''],
  ['each lists the other', ['AA:BA LH', 'BA:AA'], first.BA, second.AA, ''],
  ['one of two lists lacks the other', ['AA:BA LH', 'BA:AA', 'LH:UA'], first.LH, second.AA, 'LH AA 4'],
  ['both lists lack the other', ['AA:BA LH', 'BA:AA', 'LH:UA'], first.BA, second.LH, 'BA LH 3, LH BA 4'],
  ['one list is enough to allow a pair', ['AA:BA'], first.BA, second.AA, ''],
  ['one list is enough to reject a pair', ['AA:BA'], first.VY, second.AA, 'AA VY 2'],
  ['a list may extend over several records', ['AA:BA', 'AA:VY'], first.VY, second.AA, ''],
  ['a list over several records has the line of its first', ['AA:BA', 'AA:VY'], first.LH, second.AA, 'AA LH 2'],
  ['a carrier never objects to itself', ['BA:'], first.BA, second.BA, ''],
  ['an empty list, an objection listed once', ['BA:'], first.BA, second.AA, 'BA AA 2'],
  ['the operating carriers count too', ['BA:AA'], operatedByBa, operatedByVy, 'BA VY 2'],
])('partners: %s', (_, lists, leg1, leg2, expected) => {
  const relations = withPartners(...lists);
  const rejections = relations.listRejections(leg1, leg2);
  expect(rejections.map(({ carrier, other, line }) => `${carrier} ${other} ${line}`).join(', ')).toBe(expected);
  expect(relations.canSellTogether(leg1, leg2)).toBe(expected === '');
});

test.each<[string, Partial<StoredCarrierRelations>, string]>([
  ['online between flights of one designator', {}, 'BA-BA o'],
  ['offline where no relation is known', {}, 'BA-AA n'],
  [
    'interline where either lists the other as a partner',
    { partners: [{ line: 2, carrier: 'BA', partners: ['AA'] }] },
    'BA-AA i, AA-BA i, BA-VY n',
  ],
  [
    'interline within an alliance',
    { alliances: { BA: 'one', AA: 'one', LH: 'star' } },
    'BA-AA i, BA-LH n, BA-VY n, VY-U2 n',
  ],
  ['interline where one sells flights of the other', { codeshares: [['AA', 'BA']] }, 'BA-AA i, AA-BA i, AA-VY n'],
])('a connection is %s', (_, stored, expected) => {
  const { getConnectionType } = createCarrierRelations({ ...none, ...stored });
  const types = expected.split(', ').map((text) => {
    const [one = '', other = ''] = text.slice(0, -2).split('-');
    return `${one}-${other} ${getConnectionType(one, other)}`;
  });
  expect(types.join(', ')).toBe(expected);
});

describe('the codeshares of an itinerary', () => {
  test.each([
    ['the sellers of element 10', [buildLeg(), buildSegment(10, 'YY 4101 /ZZ 0001 /XX 0900 ')], ['YY-XX', 'ZZ-XX']],
    [
      'the operators of element 50 and the owner',
      [buildLeg({ 149: 'L', 129: 'YY' }), buildSegment(50, 'ZZ 4101 ')],
      ['XX-ZZ', 'XX-YY'],
    ],
    [
      'the operator of element 127',
      [buildLeg({ 149: 'Z' }), buildSegment(127, 'WW /WIDE WORLD'), buildSecondLeg()],
      ['XX-WW'],
    ],
    ['not the owner of the aircraft', [buildLeg({ 149: 'S', 129: 'YY' })], []],
    ['not the employer of the crew', [buildLeg({ 149: 'X' }), buildSegment(127, 'WW /WIDE WORLD')], []],
    ['not an operator without a code', [buildLeg({ 149: 'Z' }), buildSegment(127, '/NAMELESS')], []],
  ])('are those of %s', async (_, records, expected) => {
    const { itineraries } = await readFileText(buildFile(...records));
    expect(itineraries.flatMap(listCodeshares).map((pair) => pair.join('-'))).toEqual(expected);
  });
});
