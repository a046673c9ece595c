import { cellsOf, linesOf, readDesignators, wordsOf, type OwnEquipment } from './own-equipment.ts';

/**
 * Types that the list of aircraft lacks: code | maker | model | code of the family | ICAO designators. Facts of common
 * knowledge; families have no designators here, because their members have.
 */
const additions = `
  219 | Indonesian Aerospace | N219 | | N219
  220 | Airbus | A220 | |
  275 | Embraer | E175-E2 | EMJ | E275
  31A | Airbus | A318 (sharklets) | 32S | A318
  31B | Airbus | A319 (sharklets) | 32S | A319
  33B | Airbus | A330-700 Beluga XL | 33F | A337
  33Y | Airbus | A330-300 Freighter | 33F | A333
  73K | Boeing | 737-800 Freighter (winglets) | 73F | B738
  73T | Boeing | 737-700 Freighter (winglets) | 73F | B737
  73U | Boeing | 737-800 Freighter | 73F | B738
  75C | Boeing | 757-200 Freighter | 75F | B752
  75V | Boeing | 757-200 Freighter (winglets) | 75F | B752
  779 | Boeing | 777-9 | 777 | B779
  77V | Boeing | 777-300ER Freighter | 77F | B77W
  78J | Boeing | 787-10 | 787 | B78X
  7F8 | Boeing | 737-800 Freighter (scimitar winglets) | 73F | B738
  7M1 | Boeing | 737 MAX 10 | 737 | B3XM
  7S7 | Boeing | 737-700 (scimitar winglets) | 737 | B737
  7S8 | Boeing | 737-800 (scimitar winglets) | 737 | B738
  7S9 | Boeing | 737-900 (scimitar winglets) | 737 | B739
  919 | Comac | C919 | | C919
  A78 | Antonov | An-178 | | A178
  AT6 | ATR | ATR 42-600 | ATR | AT46
  AW6 | AgustaWestland | AW169 | | A169
  AW8 | AgustaWestland | AW189 | | A189
  C17 | Boeing | C-17 Globemaster III | | C17
  C21 | Comac | ARJ21 | |
  C75 | Bombardier | Global 7500 | | GL7T
  CC6 | Bombardier | Global 6000 / 6500 | | GLEX
  CJ7 | Cessna | 700 Citation Longitude | CNJ | C700
  CJT | Cessna | 680A Citation Latitude | CNJ | C68A
  CL5 | Bombardier | Challenger 350 | | CL35
  CR5 | Canadair | CRJ 550 | CRJ | CRJ7
  CS4 | Cessna | 408 SkyCourier | | C408
  CS9 | CASA | C-295 | | C295
  CSB | Bombardier | CSeries | |
  D3X | De Havilland Canada | DHC-8-300 Dash 8 Freighter | DHF | DH8C
  D62 | Diamond Aircraft | DA62 | | DA62
  DF6 | Dassault | Falcon 6X | DFL | FA6X
  DF8 | Dassault | Falcon 8X | DFL | FA8X
  E7W | Embraer | EMB 175 (enhanced winglets) | EMJ | E75L
  EAC | Eclipse | Eclipse | |
  EC4 | Airbus Helicopters | H145 | | EC45
  EC5 | Airbus Helicopters | H155 | | EC55
  EC7 | Airbus Helicopters | H175 | | EC75
  EM4 | Embraer | Legacy 450 | EML | E545
  EM5 | Embraer | Legacy 500 | EML | E550
  EML | Embraer | Legacy | | - E35L E545 E550
  EPH | Embraer | Phenom | |
  EQV | | Equipment varies | |
  ET5 | Embraer | Praetor 500 | ETR | E545
  ET6 | Embraer | Praetor 600 | ETR | E550
  ETR | Embraer | Praetor | |
  GA5 | Gulfstream | G500 | GRJ | GA5C
  GA6 | Gulfstream | G600 | GRJ | GA6C
  GJ2 | Gulfstream | Gulfstream II | GRJ | GLF2
  GJ3 | Gulfstream | Gulfstream III | GRJ | GLF3
  GJ4 | Gulfstream | Gulfstream IV / G300 / G350 / G400 / G450 | GRJ | GLF4
  GJ5 | Gulfstream | Gulfstream V / G500 / G550 | GRJ | GLF5
  GJ6 | Gulfstream | G650 | GRJ | GLF6
  GJ7 | Gulfstream | G700 | GRJ | GA7C
  GJ8 | Gulfstream | G800 | GRJ | GA8C
  H16 | Airbus Helicopters | H160 | | H160
  HBA | Hawker Beechcraft | Hawker Beechcraft | |
  HHJ | Honda | HA-420 HondaJet | | HDJT
  ICE | | Inter-City Express | TRN |
  IL4 | Ilyushin | IL-14 | | IL14
  LJ2 | Learjet | 23 / 24 / 25 | LRJ | - LJ23 LJ24 LJ25
  LJ3 | Learjet | 28 / 29 / 31 / 35 / 36 | LRJ | - LJ28 LJ31 LJ35
  LJ4 | Learjet | 40 / 45 | LRJ | - LJ40 LJ45
  LJ6 | Learjet | 55 / 60 | LRJ | - LJ55 LJ60
  LJ7 | Learjet | 70 / 75 | LRJ | - LJ70 LJ75
  PL4 | Pilatus | PC-24 | | PC24
  S9S | Sukhoi | Superjet 100-95 (saberlets) | SU1 | SU95
  SF5 | Cirrus | SF50 Vision | | SF50
  T12 | Tecnam | P2012 Traveller | | P212
  TAT | | Auto train | TRN |
  TCM | | Commuter train | TRN |
  TGV | | Train à grande vitesse | TRN |
  THS | | High-speed train | TRN |
  THT | | Hotel train | TRN |
  TIC | | Intercity train | TRN |
  TSL | | Sleeper train | TRN |
  YM3 | Yakovlev | MC-21-300 | YMC | MC23
  YMC | Yakovlev | MC-21 | |`;

/** Types that the list of aircraft lacks, by IATA code. */
export const addedEquipment: ReadonlyMap<string, Required<Omit<OwnEquipment, 'engine'>>> = new Map(
  linesOf(additions).map((line) => {
    const [iata = '', manufacturer = '', model = '', group = '', codes = ''] = cellsOf(line);
    const { icao = '', icaoTypes = [] } = readDesignators(wordsOf(codes));
    return [iata, { manufacturer, model, group, icao, icaoTypes }];
  }),
);
