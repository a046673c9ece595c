import { expect, test } from 'vitest';
import { createLoadReport } from '../../../../../src/feeds/load-report.ts';
import { describeCarriers } from '../../../../../src/feeds/master-data/join/carriers/describe-carriers.ts';
import { buildProvenance } from '../../feed-file.ts';
import { buildAirline } from './build-airline.ts';

const identify = (codes: string, name: string, rank = 1) => {
  const [iata = '', icao = ''] = codes.split('/');
  return { iata, icao, name, rank };
};

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
  const none = { domicile: { iso: '', dot: '' }, formerNames: [], memberships: [], validity: { from: '', to: '' } };
  const nothing = { ...none, isCodeClaimed: false };
  const ofRank = 'iataCodeRank iataCodeAssignmentCategory';
  expect(carriers).toEqual([
    {
      ...identify('Q1/NNW', 'Now Airways'),
      facts: {
        ...nothing,
        domicile: { iso: 'AT', dot: '403' },
        memberships: [{ alliance: 'SkyTeam', type: 'Affiliate', from: '2012-03-01', to: '2014-02-28' }],
        validity: { from: '2010-01-01', to: '' },
        provenance: buildProvenance({
          own: ofRank,
          'optd-airlines': 'code.iata name domicile.country.code.iso validity.from',
          'vrs-airlines': 'code.icao',
          'optd-wac': 'domicile.country.code.dot',
          ourairports: 'domicile.country.name',
          'optd-alliances': 'alliance',
        }),
      },
    },
    {
      ...identify('RC/FLI', 'Atlantic Airways'),
      facts: {
        ...nothing,
        domicile: { iso: 'FO', dot: '' },
        provenance: buildProvenance({
          own: `${ofRank} domicile.country.code.iso`,
          'vrs-airlines': 'code.iata code.icao name',
          ourairports: 'domicile.country.name',
        }),
      },
    },
    {
      ...identify('Q1/TTN', 'Then', 2),
      facts: {
        ...nothing,
        validity: { from: '', to: '2009-12-31' },
        provenance: buildProvenance({ own: ofRank, 'optd-airlines': 'code.iata code.icao name validity.to' }),
      },
    },
    {
      ...identify('/QZA', 'Business'),
      facts: { ...nothing, provenance: buildProvenance({ 'vrs-airlines': 'code.icao name' }) },
    },
  ]);
  const remarks = report.entries.filter(({ reason }) => reason.startsWith('world-area'));
  expect(remarks.map(({ message }) => message)).toEqual([
    'The US Department of Transportation has no world area code for FO, where a carrier is domiciled.',
  ]);
});
