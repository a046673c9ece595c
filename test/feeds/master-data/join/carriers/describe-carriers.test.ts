import { expect, test } from 'vitest';
import { createLoadReport } from '../../../../../src/feeds/load-report.ts';
import { describeCarriers } from '../../../../../src/feeds/master-data/join/carriers/describe-carriers.ts';
import { buildAirline } from './build-airline.ts';

test('a carrier has all facts of the sources, with the source of each field', () => {
  const report = createLoadReport('test');
  const carriers = describeCarriers(
    {
      airlines: [
        buildAirline({ company: 'n', iata: 'Q1', name: 'Now Airways', startedOn: '2010-01-01', bases: ['VIE'] }),
        buildAirline({ company: 't', iata: 'Q1', icao: 'TTN', name: 'Then', isCurrent: false, endedOn: '2009-12-31' }),
      ],
      operators: [
        buildAirline({ iata: 'Q1', icao: 'NNW', name: 'NOW Air' }),
        buildAirline({ icao: 'QZA', name: 'Business' }),
        buildAirline({ iata: 'RC', icao: 'FLI', name: 'Atlantic Airways' }),
      ],
      members: [
        { alliance: 'SkyTeam', type: 'Affiliate', iata: 'Q1', name: 'Now', from: '2012-03-01', to: '2014-02-28' },
      ],
      worldAreas: new Map([['AT', '403']]),
      findCountry: (station) => (station === 'VIE' ? 'AT' : undefined),
    },
    report,
  );
  const nothing = {
    domicile: { iso: '', dot: '' },
    formerNames: [],
    memberships: [],
    isCodeClaimed: false,
    validity: { from: '', to: '' },
  };
  const own = { iataCodeRank: 'own', iataCodeAssignmentCategory: 'own' };
  expect(carriers).toEqual([
    {
      iata: 'Q1',
      icao: 'NNW',
      name: 'Now Airways',
      rank: 1,
      facts: {
        ...nothing,
        domicile: { iso: 'AT', dot: '403' },
        memberships: [{ alliance: 'SkyTeam', type: 'Affiliate', from: '2012-03-01', to: '2014-02-28' }],
        validity: { from: '2010-01-01', to: '' },
        provenance: {
          ...own,
          'code.iata': 'optd-airlines',
          'code.icao': 'vrs-airlines',
          name: 'optd-airlines',
          'domicile.country.code.iso': 'optd-airlines',
          'domicile.country.code.dot': 'optd-wac',
          'domicile.country.name': 'ourairports',
          alliance: 'optd-alliances',
          'validity.from': 'optd-airlines',
        },
      },
    },
    {
      iata: 'RC',
      icao: 'FLI',
      name: 'Atlantic Airways',
      rank: 1,
      facts: {
        ...nothing,
        domicile: { iso: 'FO', dot: '' },
        provenance: {
          ...own,
          'code.iata': 'vrs-airlines',
          'code.icao': 'vrs-airlines',
          name: 'vrs-airlines',
          'domicile.country.code.iso': 'own',
          'domicile.country.name': 'ourairports',
        },
      },
    },
    {
      iata: 'Q1',
      icao: 'TTN',
      name: 'Then',
      rank: 2,
      facts: {
        ...nothing,
        validity: { from: '', to: '2009-12-31' },
        provenance: {
          ...own,
          'code.iata': 'optd-airlines',
          'code.icao': 'optd-airlines',
          name: 'optd-airlines',
          'validity.to': 'optd-airlines',
        },
      },
    },
    {
      iata: '',
      icao: 'QZA',
      name: 'Business',
      rank: 1,
      facts: { ...nothing, provenance: { 'code.icao': 'vrs-airlines', name: 'vrs-airlines' } },
    },
  ]);
  const remarks = report.entries.filter(({ reason }) => reason.startsWith('world-area'));
  expect(remarks.map(({ message }) => message)).toEqual([
    'The US Department of Transportation has no world area code for FO, where a carrier is domiciled.',
  ]);
});
