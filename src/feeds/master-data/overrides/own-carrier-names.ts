import type { CarrierName } from '../../../domain/master-data/master-data-facts.ts';

/** Names that carriers had before, of common knowledge: IATA code | ICAO code | name | first day, '' when unknown | last day. */
const lines = `
4C|ARE|AIRES||2011-12-02
4C|ARE|LAN Colombia|2011-12-03|2016-05-04
4M|DSM|LAN Argentina||2016-05-04
9E|EDV|Pinnacle Airlines|2002-05-08|2013-07-31
DJ|VOZ|Virgin Blue|2000-08-31|2011-05-03
EV|ASQ|Atlantic Southeast Airlines||2011-12-30
FJ|FJI|Air Pacific||2013-06-26
JJ|TAM|TAM Linhas Aéreas||2016-05-04
KA|HDA|Dragonair||2016-11-20
LA|LAN|LAN Airlines||2016-05-04
LP|LPE|LAN Perú||2016-05-04
LR|LRC|LACSA||2013-05-27
MQ|ENY|American Eagle Airlines||2014-04-14
SV|SVA|Saudi Arabian Airlines|1997-01-01|2012-05-28
TA|TAI|TACA International Airlines||2013-05-27
XL|LNE|LAN Ecuador||2016-05-04
`;

const names: readonly (readonly [codes: string, name: CarrierName])[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [iata = '', icao = '', name = '', from = '', to = ''] = line.split('|');
    return [`${iata}/${icao}`, { name, from, to }];
  });

/** Former names of the carrier with these codes that the list of carriers lacks, earliest first. */
export const ownNamesOf = ({ iata, icao }: { readonly iata: string; readonly icao: string }): readonly CarrierName[] =>
  names.filter(([codes]) => codes === `${iata}/${icao}`).map(([, name]) => name);
