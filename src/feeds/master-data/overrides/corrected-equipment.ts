import type { EquipmentFacts } from '../../../domain/master-data/master-data-facts.ts';
import { cellsOf, linesOf, readDesignators, wordsOf, type OwnEquipment } from './own-equipment.ts';

/**
 * Designators where the list of aircraft has none, a wrong one, or one of several. The first is the type's own, `-` says that
 * it has none: a code for several variants, none of which speaks for the others.
 */
const designators = `
  19D A319
  31W A319
  32C A318
  32D A319
  351 A35K
  358 A358
  359 A359
  72A B722
  72S B722
  73A B732
  73Z B734
  74B BLCF
  75M B752
  772 B772
  77L B77L
  77X B77L
  A58 A158
  AB2 A30B
  ABM A306
  ACP - AC50 AC52 AC56 AC68 AC6L AC72
  ACT - AC80 AC90 AC95
  AMD - FA10 FA20 FA50
  AN2 AN2
  APF ATP
  APH - AS32 AS3B PUMA
  AT7 - AT72 AT73 AT75 AT76
  ATF - AT72 AT73 AT75 AT76
  ATZ - AT43 AT45
  BE2 - B58T BE18 BE50 BE55 BE56 BE58 BE60 BE65 BE70 BE76 BE80 BE88 BE95
  BEP - BE17 BE19 BE23 BE24 BE33 BE35 BE36 BE77 BT36
  BET - B350 BE10 BE20 BE30 BE9L BE9T
  BH2 - B06 B06T B212 B222 B230 B407 B412 B427 B429 B430 B505
  C9B CRJ9
  CJ1 - C25A C25B C25C C25M C500 C501 C525
  CJ2 - C550 C551 C55B
  CJ5 C560
  CJ6 C650
  CJ8 C680
  CJL C56X
  CL4 CL44
  CN1 - C120 C140 C150 C152 C162 C170 C172 C175 C177 C180 C182 C185 C190 C195 C205 C206 C207 C210 C72R C77R C82R C82T P210 T206 T210
  CN2 - C303 C310 C320 C335 C336 C337 C340 C402 C404 C411 C414 C421 P337
  CNC C208
  CNF C208
  CNT - C425 C441 F406
  CRF - CRJ1 CRJ2
  CRV S210
  CS1 BCS1
  CS3 BCS3
  CV6 CVLT
  CVY CVLT
  D14 DC10
  D85 DC85
  D86 DC86
  D87 DC87
  D8A DC86
  D8B DC87
  DF2 - F2TH FA10 FA20
  DF3 - F900 FA50
  DHT DHC6
  E75 E75S E75L
  E95 E195
  ER4 E145 E45X
  FA7 J728
  FR3 J328
  GR1 - ASTR G150
  GR3 - G250 G280
  GRJ - GLF2 GLF3 GLF4 GLF5
  H20 PRM1
  H25 - H25A H25B
  I93 IL96
  I9M IL96
  I9X IL96
  I9Y IL96
  L49 CONI
  LOM L188
  LRJ - LJ23 LJ24 LJ25 LJ28 LJ31 LJ35 LJ40 LJ45 LJ55 LJ60 LJ70 LJ75
  M95 B712
  MA6 MA60
  ND2 N262
  NDE - AS50 AS55
  NDH - AS65 S65C
  PA1 - J3 J4 J5 P28A P28B P28R P28S P28T P28U P32R P32T PA11 PA12 PA14 PA15 PA16 PA17 PA18 PA20 PA22 PA24 PA25 PA32 PA36 PA38 PA46
  PA2 - AEST PA23 PA27 PA30 PA31 PA34 PA44
  PAT - PAT4 PAY1 PAY2 PAY3 PAY4
  SHB BELF
  SSC CONC
  SU7 SU95
  SWF SW4
  SWM - SW2 SW3 SW4
  VCV VISC
  VCX VC10`;

/** Families whose members the list of aircraft leaves out. */
const families = `
  32S 19D 31W 32C 32D
  727 72A 72S
  737 73A
  73F 73Z
  AB3 AB2
  ARX AX1 AX8
  CNJ CN7
  CRJ C9B
  CVR CV6
  D10 D14
  DC8 D85 D86 D87 D8A D8B
  DFL AMD DF3
  EMJ 290 295`;

/** Models that the list of aircraft cuts off, misspells or mistakes: code | model. */
const models = `
  142 | 146-200
  223 | A220-300
  31N | A319neo
  32N | A320neo
  32Q | A321neo
  338 | A330-800neo
  339 | A330-900neo
  388 | A380-800
  72S | 727-200 Advanced
  73M | 737 Combi
  73S | 737-700 Freighter
  AMD | Falcon 10 / 20 / 50
  ARX | RJX85 / RJX100
  B14 | One Eleven 400 / 475
  BE2 | light aircraft (twin piston)
  BEC | light aircraft
  BEP | light aircraft (single piston)
  BET | light aircraft (twin turboprop)
  BH2 | helicopters
  BTA | Business turboprop aircraft
  CN1 | light aircraft (single piston)
  CN2 | light aircraft (twin piston)
  CNA | light aircraft
  CNC | light aircraft (single turboprop)
  CNT | light aircraft (twin turboprop)
  E70 | EMB 170
  E90 | EMB 190
  GR3 | G250 / G280
  HEC | H-250 / H-295 Courier / H-395 Super Courier
  HOV | Hovercraft
  L11 | L-1011 TriStar 1 / 50 / 100 / 150 / 200 / 250
  LCH | Launch or boat
  LJA | Light jet aircraft
  LRJ | Learjet
  MIH | Mi-8 / Mi-17 / Mi-171 / Mi-172
  PA1 | light aircraft (single piston)
  PA2 | light aircraft (twin piston)
  PAG | light aircraft
  PAT | light aircraft (twin turboprop)
  RFS | Road feeder service (truck)`;

/** Engines of aeroplanes that no list describes, most of them never delivered: code, number, type. */
const engines: readonly (readonly [iata: string, count: number, type: EquipmentFacts['engine']['type']])[] = [
  ['ALM', 2, 'Turboprop'],
  ['ARX', 4, 'Jet'],
  ['AX1', 4, 'Jet'],
  ['AX8', 4, 'Jet'],
  ['FR4', 2, 'Jet'],
];

const corrected = new Map<string, OwnEquipment>();
const correct = (iata: string, correction: OwnEquipment): void => {
  corrected.set(iata, { ...corrected.get(iata), ...correction });
};
for (const line of linesOf(designators)) {
  const [iata = '', ...codes] = wordsOf(line);
  correct(iata, readDesignators(codes));
}
for (const line of linesOf(families)) {
  const [group = '', ...members] = wordsOf(line);
  for (const iata of members) correct(iata, { group });
}
for (const line of linesOf(models)) {
  const [iata = '', model = ''] = cellsOf(line);
  correct(iata, { model });
}

for (const [iata, count, type] of engines) correct(iata, { engine: { type, count } });

/** Corrections to types of the list of aircraft, by IATA code. */
export const correctedEquipment: ReadonlyMap<string, OwnEquipment> = corrected;
