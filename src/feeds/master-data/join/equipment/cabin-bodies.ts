import type { EquipmentFacts } from '../../../../domain/master-data/master-data-facts.ts';

/** At least 4.7 m across inside: room for two aisles, in cabins and holds. */
const wide =
  'A124 A225 A306 A30B A310 A332 A333 A337 A338 A339 A342 A343 A345 A346 A358 A359 A35K A388 A3ST ' +
  'B741 B742 B743 B744 B748 B74D B74R B74S B762 B763 B764 B772 B773 B778 B779 B77L B77W B783 B788 B789 B78X BLCF ' +
  'C17 C5 C5M DC10 IL86 IL96 L101 MD11';

/** Less than that, and made for twenty passengers or more, or for freight in such a fuselage. */
const narrow =
  'A140 A148 A158 A178 A19N A20N A21N A318 A319 A320 A321 A400 A748 AJ27 AN12 AN22 AN24 AN26 AN30 AN32 AN38 AN72 ' +
  'AT43 AT44 AT45 AT46 AT72 AT73 AT75 AT76 ATP B37M B38M B39M B3XM B461 B462 B463 B701 B703 B712 B720 B721 B722 ' +
  'B731 B732 B733 B734 B735 B736 B737 B738 B739 B752 B753 BA11 BCS1 BCS3 BELF C130 C212 C295 C30J C46 C919 CL44 CN35 ' +
  'CONC CONI CRJ1 CRJ2 CRJ7 CRJ9 CRJX CVLP CVLT D328 DC3 DC3T DC4 DC6 DC7 DC85 DC86 DC87 DC91 DC92 DC93 DC94 DC95 ' +
  'DH8A DH8B DH8C DH8D DHC4 DHC5 DHC7 E120 E135 E145 E170 E190 E195 E275 E290 E295 E45X E75L E75S F100 F27 F28 F50 F70 ' +
  'G159 I114 IL14 IL18 IL62 IL76 J328 J728 JS41 L188 MA60 MC23 MD81 MD82 MD83 MD87 MD88 MD90 MRJ7 MRJ9 N262 ' +
  'RJ1H RJ70 RJ85 RX1H RX85 S210 SB20 SF34 SH33 SH36 SU95 T134 T144 T154 T204 T334 VC10 VF14 VISC YK40 YK42 YS11';

type Body = Exclude<EquipmentFacts['body'], ''>;

const bodies: ReadonlyMap<string, Body> = new Map([
  ...wide.split(' ').map((icao): [string, Body] => [icao, 'Wide']),
  ...narrow.split(' ').map((icao): [string, Body] => [icao, 'Narrow']),
]);

/** The body of an ICAO designator, by an own list; '' for small aircraft, helicopters and all that is no transport. */
export const cabinBody = (icao: string): EquipmentFacts['body'] => bodies.get(icao) ?? '';
