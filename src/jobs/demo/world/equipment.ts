import { engineTypes, type EquipmentFacts } from '../../../domain/master-data/master-data-facts.ts';
import { type EquipmentUse, suitableServiceTypes } from '../../../domain/schedule/suitable-service-types.ts';
import { findCabinBody } from '../../../feeds/master-data/overrides/equipment-overrides.ts';
import { provenanceOf } from '../../../feeds/master-data/join/equipment/provenance-of.ts';
import { formatEquipmentName } from '../../../feeds/master-data/join/equipment/name-equipment.ts';
import type { EquipmentRecord } from '../../../store/master-data/equipment.ts';

type DemoEquipment = {
  readonly iata: string;
  readonly icao: string;
  readonly maker: string;
  readonly model: string;
  /** Number and type of its engines, wake category, IATA code of its family; '' for what keeps to the ground. */
  readonly built: string;
  readonly use: EquipmentUse;
  readonly cargoTonnes: number | undefined;
};

/** A type of the demo world with its facts, all of this service's own knowledge. */
const describeEquipment = (type: DemoEquipment): Required<EquipmentRecord> => {
  const { iata, icao, maker, model, built, use, cargoTonnes } = type;
  const [count = '', engine = '', wakeTurbulence = '', group = ''] = built.split(' ');
  const name = formatEquipmentName(maker, model);
  const facts: Omit<EquipmentFacts, 'provenance'> = {
    category: built === '' ? 'SurfaceVehicle' : 'LandPlane',
    engine: {
      type: engineTypes.find((known) => known === engine) ?? '',
      count: count === '' ? undefined : Number(count),
    },
    body: findCabinBody(icao),
    manufacturer: maker,
    group,
    icaoTypes: icao === '' ? [] : [icao],
    faa: icao,
    wakeTurbulence,
    serviceTypes: suitableServiceTypes(use),
  };
  const provenance = provenanceOf({ iata, icao, name, cargoTonnes, facts }, () => 'own');
  return { iata, icao, name, cargoTonnes, facts: { ...facts, provenance } };
};

/** How a type is flown here: cruise, minutes spent rolling, climbing and descending beyond it, and minutes at the gate. */
type Performance = { readonly speedKmh: number; readonly overheadMinutes: number; readonly turnaroundMinutes: number };

const longHaul: Performance = { speedKmh: 880, overheadMinutes: 35, turnaroundMinutes: 100 };
const shortHaul: Performance = { speedKmh: 820, overheadMinutes: 30, turnaroundMinutes: 50 };
const regionalJet: Performance = { speedKmh: 780, overheadMinutes: 28, turnaroundMinutes: 40 };
const turboprop: Performance = { speedKmh: 500, overheadMinutes: 22, turnaroundMinutes: 30 };
const commuter: Performance = { speedKmh: 290, overheadMinutes: 12, turnaroundMinutes: 30 };
const freighter: Performance = { speedKmh: 860, overheadMinutes: 35, turnaroundMinutes: 150 };
const road: Performance = { speedKmh: 65, overheadMinutes: 10, turnaroundMinutes: 30 };
const rail: Performance = { speedKmh: 160, overheadMinutes: 5, turnaroundMinutes: 30 };

type Row = readonly [
  iata: string,
  icao: string,
  maker: string,
  model: string,
  /** Number and type of its engines, wake category, IATA code of its family. */
  built: string,
  use: EquipmentUse,
  cargoTonnes: number | undefined,
  performance: Performance,
];

/** Tonnes are what a passenger flight usually has left for cargo, or the payload of a freighter. Surface vehicles have no ICAO code. */
const rows: readonly Row[] = [
  ['223', 'BCS3', 'Airbus', 'A220-300', '2 Jet M 220', 'Passenger', 2, shortHaul],
  ['319', 'A319', 'Airbus', 'A319', '2 Jet M 32S', 'Passenger', 1.8, shortHaul],
  ['320', 'A320', 'Airbus', 'A320', '2 Jet M 32S', 'Passenger', 2.2, shortHaul],
  ['32N', 'A20N', 'Airbus', 'A320neo', '2 Jet M 32S', 'Passenger', 2.4, shortHaul],
  ['321', 'A321', 'Airbus', 'A321', '2 Jet M 32S', 'Passenger', 3, shortHaul],
  ['32Q', 'A21N', 'Airbus', 'A321neo', '2 Jet M 32S', 'Passenger', 3, shortHaul],
  ['333', 'A333', 'Airbus', 'A330-300', '2 Jet H 330', 'Passenger', 15, longHaul],
  ['339', 'A339', 'Airbus', 'A330-900neo', '2 Jet H 330', 'Passenger', 15, longHaul],
  ['359', 'A359', 'Airbus', 'A350-900', '2 Jet H 350', 'Passenger', 16, longHaul],
  ['351', 'A35K', 'Airbus', 'A350-1000', '2 Jet H 350', 'Passenger', 18, longHaul],
  ['388', 'A388', 'Airbus', 'A380-800', '4 Jet J 380', 'Passenger', 12, longHaul],
  ['738', 'B738', 'Boeing', '737-800', '2 Jet M 737', 'Passenger', 2.3, shortHaul],
  ['7M8', 'B38M', 'Boeing', '737 MAX 8', '2 Jet M 737', 'Passenger', 2.3, shortHaul],
  ['73Q', 'B734', 'Boeing', '737-400 mixed configuration', '2 Jet M 73M', 'Combi', 8, shortHaul],
  ['752', 'B752', 'Boeing', '757-200', '2 Jet M 757', 'Passenger', 4, shortHaul],
  ['763', 'B763', 'Boeing', '767-300', '2 Jet H 767', 'Passenger', 11, longHaul],
  ['77W', 'B77W', 'Boeing', '777-300ER', '2 Jet H 777', 'Passenger', 20, longHaul],
  ['788', 'B788', 'Boeing', '787-8', '2 Jet H 787', 'Passenger', 13, longHaul],
  ['789', 'B789', 'Boeing', '787-9', '2 Jet H 787', 'Passenger', 15, longHaul],
  ['E75', 'E75L', 'Embraer', '175', '2 Jet M EMJ', 'Passenger', 1.2, regionalJet],
  ['E90', 'E190', 'Embraer', '190', '2 Jet M EMJ', 'Passenger', 1.5, regionalJet],
  ['CR9', 'CRJ9', 'Bombardier', 'CRJ900', '2 Jet M CRJ', 'Passenger', 1, regionalJet],
  ['AT7', 'AT76', 'ATR', '72-600', '2 Turboprop M ATR', 'Passenger', 1, turboprop],
  ['DH3', 'DH8C', 'De Havilland Canada', 'Dash 8-300', '2 Turboprop M DH8', 'Passenger', 0.7, turboprop],
  ['DHT', 'DHC6', 'De Havilland Canada', 'Twin Otter', '2 Turboprop L', 'Utility', 0.3, commuter],
  ['74N', 'B748', 'Boeing', '747-8 freighter', '4 Jet H 74F', 'Freighter', 134, freighter],
  ['77X', 'B77L', 'Boeing', '777 freighter', '2 Jet H 77F', 'Freighter', 102, freighter],
  ['76Y', 'B763', 'Boeing', '767-300 freighter', '2 Jet H 76F', 'Freighter', 54, freighter],
  ['ATF', 'AT72', 'ATR', '72 freighter', '2 Turboprop M', 'Freighter', 8, turboprop],
  ['BUS', '', '', 'Bus', '', 'SurfacePassenger', undefined, road],
  ['RFS', '', '', 'Road feeder truck', '', 'SurfaceCargo', 20, road],
  ['TRN', '', '', 'Train', '', 'SurfacePassenger', undefined, rail],
];

/** The equipment of the demo world. */
export const equipment: readonly Required<EquipmentRecord>[] = rows.map(
  ([iata, icao, maker, model, built, use, cargoTonnes]) =>
    describeEquipment({ iata, icao, maker, model, built, use, cargoTonnes }),
);

const performances = new Map(rows.map((row) => [row[0], row[7]]));

/** Whether a type keeps to the ground. */
export const isSurface = (iata: string): boolean => ['BUS', 'RFS', 'TRN'].includes(iata);

/** How a type is flown; throws RangeError for a code that the demo world does not have. */
export const getPerformance = (iata: string): Performance => {
  const performance = performances.get(iata);
  if (!performance) throw new RangeError(`no equipment of the demo world: '${iata}'`);
  return performance;
};
