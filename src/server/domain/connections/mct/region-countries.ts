const caribbean = 'AG AI AW BB BL BM BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI';
const centralAmerica = 'BZ CR GT HN NI SV';
const northAmerica = 'CA GL MX PM UM US';
const southAmerica = 'AR BO BR CL CO EC FK GF GY PA PE PY SR UY VE';
const africa =
  'AO BF BI BJ BW CD CF CG CI CM CV DJ ER ET GA GH GM GN GQ GW KE KM LR LS LY MG ML MR MU MW MZ NA NE NG RE RW SC SH SL SN SO ST SZ TD ' +
  'TG TZ UG YT ZA ZM ZW';
const schengen = 'AT AX BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';
const restOfEurope = 'AD AL AM AZ BA BY CY DZ EH FO GB GE GG GI IE IM JE MA MC MD ME MK RS RU SJ SM TN TR UA VA XK';
const middleEast = 'AE BH EG IL IQ IR JO KW LB OM PS QA SA SD SS SY YE';
const japanAndKorea = 'JP KP KR';
const southAsia = 'AF BD BT IN LK MV NP PK';
const southEastAsia = 'BN CC CN CX FM GU HK ID KG KH KZ LA MH MM MN MO MP MY PH PW SG TH TJ TL TM TW UZ VN';
const southWestPacific = 'AS AU CK FJ KI NC NF NR NU NZ PF PG PN SB TK TO TV VU WF WS';

/** The Schengen area. It is part of Europe, so its records win over those of any other region. */
export const SCHENGEN = 'SCH';

/**
 * The regions of MCT records are those of air tariffs, not of geography: the Maghreb is in Europe, Sudan in the Middle East, Panama in South America,
 * Central Asia and Guam in South East Asia. The lists were compiled from a published list of regions by airport and are given by country; Russia is
 * in Europe as a whole, although its east belongs to South East Asia there. Schengen is that of 2026, with Croatia, Bulgaria and Romania: 29
 * countries, and Åland, which is Finnish with a code of its own. TC1, TC2 and TC3 are the traffic conference areas.
 */
const lists: Readonly<Record<string, readonly string[]>> = {
  AFR: [africa],
  CAR: [caribbean],
  CEM: [centralAmerica],
  EUR: [schengen, restOfEurope],
  JAK: [japanAndKorea],
  MDE: [middleEast],
  NOA: [northAmerica],
  SAS: [southAsia],
  [SCHENGEN]: [schengen],
  SEA: [southEastAsia],
  SOA: [southAmerica],
  SWP: [southWestPacific],
  TC1: [caribbean, centralAmerica, northAmerica, southAmerica],
  TC2: [africa, schengen, restOfEurope, middleEast],
  TC3: [japanAndKorea, southAsia, southEastAsia, southWestPacific],
};

/** The countries of each region, ISO 3166-1 alpha-2, by the code of the region. */
export const regions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([region, countries]) => [region, new Set(countries.flatMap((codes) => codes.split(' ')))]),
);

/** Returns whether a code is a region of MCT records. */
export const isRegion = (code: string): boolean => regions.has(code);

/** Returns whether a country (ISO 3166-1 alpha-2, '' when unknown) is in a region; false for an unknown region. */
export const isInRegion = (countryCode: string, region: string): boolean =>
  regions.get(region)?.has(countryCode) ?? false;
