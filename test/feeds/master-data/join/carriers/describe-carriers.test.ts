import { expect, test } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { describeCarriers } from '#feeds/master-data/join/carriers/describe-carriers.ts';
import { buildProvenance } from '#test/feeds/master-data/feed-file.ts';
import { buildAirline } from './build-airline.ts';

const identify = (codes: string, name: string, rank = 1) => {
  const [iata = '', icao = ''] = codes.split('/');
  return { iata, icao, name, rank };
};

test('a carrier has all facts of the sources, with the source of each field', () => {
  const report = createLoadReport('test');
  const member = { alliance: 'SkyTeam', type: 'Affiliate', from: '2012-03-01', to: '2014-02-28' } as const;
  const then = { company: 't', iata: 'Q1', icao: 'TTN', name: 'Then', isCurrent: false, endedOn: '2009-12-31' };
  const airlines = [
    buildAirline({ company: 'n', iata: 'Q1', name: 'Now Airways', startedOn: '2010-01-01', bases: ['VIE'] }),
    buildAirline(then),
  ];
  const operators = [
    buildAirline({ iata: 'Q1', icao: 'NNW', name: 'NOW Air' }),
    buildAirline({ icao: 'QZA', name: 'Business' }),
    buildAirline({ iata: 'RC', icao: 'FLI', name: 'Atlantic Airways' }),
  ];
  const members = [{ ...member, iata: 'Q1', name: 'Now' }];
  const worldAreas = new Map([['AT', '403']]);
  const findCountry = (station: string) => (station === 'VIE' ? 'AT' : undefined);
  const carriers = describeCarriers(
    { airlines, operators, members, worldAreas, cabinLetters: new Map(), findCountry },
    report,
  );
  const none = { domicile: { iso: '', dot: '' }, formerNames: [], memberships: [], validity: { from: '', to: '' } };
  const nothing = { ...none, isCodeClaimed: false };
  const ofRank = 'iataCodeRank iataCodeAssignmentCategory';
  const ourairports = 'domicile.country.name';
  const ofNow = buildProvenance({
    own: ofRank,
    'optd-airlines': 'code.iata name domicile.country.code.iso validity.from',
    'vrs-airlines': 'code.icao',
    'optd-wac': 'domicile.country.code.dot',
    ourairports,
    'optd-alliances': 'alliance',
  });
  const ofOperator = { own: `${ofRank} domicile.country.code.iso`, 'vrs-airlines': 'code.iata code.icao name' };
  const ofThen = { own: ofRank, 'optd-airlines': 'code.iata code.icao name validity.to' };
  const now = { domicile: { iso: 'AT', dot: '403' }, memberships: [member], validity: { from: '2010-01-01', to: '' } };
  const factsOf = (facts: object, provenance: object) => ({ facts: { ...nothing, ...facts, provenance } });
  expect(carriers).toEqual([
    { ...identify('Q1/NNW', 'Now Airways'), ...factsOf(now, ofNow) },
    {
      ...identify('RC/FLI', 'Atlantic Airways'),
      ...factsOf({ domicile: { iso: 'FO', dot: '' } }, buildProvenance({ ...ofOperator, ourairports })),
    },
    {
      ...identify('Q1/TTN', 'Then', 2),
      ...factsOf({ validity: { from: '', to: '2009-12-31' } }, buildProvenance(ofThen)),
    },
    { ...identify('/QZA', 'Business'), ...factsOf({}, buildProvenance({ 'vrs-airlines': 'code.icao name' })) },
  ]);
  const remarks = report.entries.filter(({ reason }) => reason.startsWith('world-area'));
  const message = 'No world area code of the US Department of Transportation for FO, the domicile of a carrier.';
  expect(remarks.map((remark) => remark.message)).toEqual([message]);
});
