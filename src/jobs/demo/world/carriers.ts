import type { Carrier } from '../../../domain/master-data/master-data.ts';

/** An invented airline: `fleet` gives the configuration in which it flies each type, as filed. */
type Airline = {
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  readonly fleet: Readonly<Record<string, string>>;
  /** What its meal service is like. */
  readonly service: 'full' | 'sold on board' | 'none';
  /** In-flight service codes that hold for all its flights. */
  readonly inFlightServices: readonly string[];
};

/** None of the codes belonged to an airline when this was written, and none of the names ever did as far as we know. */
const airlines: readonly Airline[] = [
  {
    iata: 'L0',
    icao: 'LDQ',
    name: 'Lodestar Airways',
    fleet: {
      '223': 'C20Y105',
      '320': 'C32Y132',
      '32Q': 'C44Y162',
      '789': 'C42W39Y135',
      '351': 'C48W56Y227',
      '77W': 'F8C76W40Y175',
      BUS: 'Y50',
      TRN: 'C60Y320',
    },
    service: 'full',
    inFlightServices: ['9'],
  },
  {
    iata: 'K1',
    icao: 'LSQ',
    name: 'Lakeshore Airlines',
    fleet: {
      '319': 'F8Y120',
      '738': 'F16Y150',
      '7M8': 'F16Y156',
      '32Q': 'F20Y176',
      '752': 'F16J16Y150',
      '763': 'J30W22Y165',
      '789': 'J48W21Y188',
      '77W': 'F8J52W28Y216',
      E75: 'F12Y64',
      CR9: 'F12Y64',
      '73Q': 'Y72PP4',
    },
    service: 'full',
    inFlightServices: ['9', '12'],
  },
  {
    iata: 'D1',
    icao: 'DLQ',
    name: 'Dunelight Airways',
    fleet: {
      '320': 'C12Y120',
      '32Q': 'C16Y166',
      '333': 'C30Y275',
      '789': 'C30Y281',
      '359': 'C36Y247',
      '351': 'C46Y281',
      '77W': 'C42Y312',
      '388': 'F8C48Y461',
    },
    service: 'full',
    inFlightServices: ['1', '9', '13'],
  },
  {
    iata: 'M1',
    icao: 'MGQ',
    name: 'Marigold Air',
    fleet: {
      '32N': 'C10Y144',
      '7M8': 'C10Y144',
      '333': 'C30Y255',
      '788': 'C24Y217',
      '359': 'C42W24Y187',
      '77W': 'F4C48W28Y184',
      '388': 'F6C78W44Y343',
    },
    service: 'full',
    inFlightServices: ['1', '3', '9'],
  },
  {
    iata: 'H0',
    icao: 'HNQ',
    name: 'Hanabi Air',
    fleet: {
      '32N': 'C8Y138',
      '738': 'C12Y132',
      '763': 'C30Y240',
      '788': 'C42Y198',
      '789': 'C48W21Y146',
      '77W': 'F8C64W24Y116',
    },
    service: 'full',
    inFlightServices: ['9'],
  },
  {
    iata: 'N1',
    icao: 'SYQ',
    name: 'Skerry Regional',
    fleet: { AT7: 'Y70', ATF: 'LL7', CR9: 'Y88', E90: 'C12Y88', '32N': 'C20Y150' },
    service: 'sold on board',
    inFlightServices: [],
  },
  {
    iata: 'W0',
    icao: 'WRQ',
    name: 'Wren Air',
    fleet: { '320': 'Y180', '32N': 'Y186', '32Q': 'Y235', BUS: 'Y50' },
    service: 'sold on board',
    inFlightServices: [],
  },
  {
    iata: 'K0',
    icao: 'BQN',
    name: 'Beacon Shuttle',
    fleet: { '319': 'F8Y116', E75: 'F12Y64', E90: 'F8Y88', DH3: 'Y50' },
    service: 'none',
    inFlightServices: ['9'],
  },
  {
    iata: 'O1',
    icao: 'IWQ',
    name: 'Ironwing Cargo',
    fleet: { '74N': 'LL14PP34', '77X': 'LL10PP27', '76Y': 'LL7PP24', ATF: 'LL7', RFS: 'PP4' },
    service: 'none',
    inFlightServices: [],
  },
  {
    iata: 'Z1',
    icao: 'SOQ',
    name: 'Solara Holidays',
    fleet: { '321': 'Y220', '738': 'Y189', '339': 'W28Y330', '73Q': 'Y72PP4', DH3: 'Y50' },
    service: 'sold on board',
    inFlightServices: [],
  },
  {
    iata: 'X2',
    icao: 'PEQ',
    name: 'Petrel Pacific',
    fleet: {
      '320': 'Y168',
      '32N': 'C12Y150',
      '738': 'C12Y162',
      '789': 'C27W33Y215',
      '77W': 'C44W54Y244',
      E90: 'C10Y84',
      AT7: 'Y68',
      DH3: 'Y50',
      DHT: 'Y19',
    },
    service: 'full',
    inFlightServices: ['9'],
  },
  {
    iata: 'YF',
    icao: 'JCQ',
    name: 'Jacaranda Air',
    fleet: { '319': 'C12Y108', '320': 'C12Y138', '32N': 'C12Y144', '788': 'C30Y220', '789': 'C30Y270' },
    service: 'full',
    inFlightServices: ['9'],
  },
];

/** Operators of business aviation. No operator had these ICAO codes in 2026; they have no IATA code, as is usual. */
export const businessOperators = [
  { icao: 'JQV', name: 'Juniper Quay Aviation' },
  { icao: 'WQK', name: 'Wickering Air Taxi' },
] as const;

/** The airlines of the demo world, numbered from 1. */
export const carriers: readonly Carrier[] = airlines.map(({ iata, icao, name }, index) => ({
  id: index + 1,
  iata,
  icao,
  name,
  rank: 1,
}));

const byCode = new Map(airlines.map((airline) => [airline.iata, airline]));

/** An airline of the demo world; throws RangeError for a code that is none of its. */
export const getAirline = (iata: string): Airline => {
  const airline = byCode.get(iata);
  if (!airline) throw new RangeError(`no airline of the demo world: '${iata}'`);
  return airline;
};

/** The configuration in which an airline flies a type; throws RangeError when its fleet has no such type. */
export const getConfiguration = (carrier: string, equipment: string): string => {
  const configuration = getAirline(carrier).fleet[equipment];
  if (configuration === undefined) throw new RangeError(`${carrier} has no ${equipment} in its fleet`);
  return configuration;
};
