import { bareName } from '../sources/bare-name.ts';

/**
 * ICAO codes of common knowledge, where the list of carriers has none or another company's and the list of operators has
 * another name: IATA code | name | ICAO code, '' where the one of the list is another company's and the true one is unknown.
 */
const lines = `
BU|Compagnie Africaine d'Aviation|DBP
C7|Cinnamon Air|CIN
GX|Guangxi Beibu Gulf Airlines|CBG
KJ|Air Incheon|AIH
PN|China West Air|CHB
RI|Air Costa Rica|
W9|Wizz Air|WUK
`;

const codes: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .map((line): readonly [string, string] => {
      const [iata = '', name = '', icao = ''] = line.split('|');
      return [`${iata}/${bareName(name)}`, icao];
    }),
);

/** The ICAO code of a carrier that the service knows better than the lists, '' for none; undefined for all others. */
export const ownIcaoOf = ({ iata, name }: { readonly iata: string; readonly name: string }): string | undefined =>
  codes.get(`${iata}/${bareName(name)}`);
