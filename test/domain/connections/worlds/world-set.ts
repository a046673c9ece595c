import { buildConnectingRecords } from '../../../../src/domain/connections/flights/connecting-records.ts';
import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { listCodeshares } from '../../../../src/domain/connections/rules/codeshares.ts';
import type { ConnectionMasterData } from '../../../../src/domain/connections/flights/connection-master-data.ts';
import { ConnectionSetBuilder } from '../../../../src/domain/connections/set/connection-set-builder.ts';
import { readConnectionSet, type ConnectionSet } from '../../../../src/domain/connections/set/connection-set.ts';
import type { StoredCarrierRelations } from '../../../../src/domain/connections/rules/carrier-relations.ts';
import type { LocalDate } from '../../../../src/domain/time/dates.ts';
import { getStation, type World } from './oracle/world.ts';

const memoize = <T>(find: (code: string) => T): ((code: string) => T) => {
  const known = new Map<string, T>();
  return (code) => {
    const value = known.get(code) ?? find(code);
    known.set(code, value);
    return value;
  };
};

/** The master data of a world. */
const toMasterData = (world: World): ConnectionMasterData => ({
  airport: memoize((code) => {
    const { zone: _, ...airport } = getStation(world, code);
    return airport;
  }),
  equipment: memoize((type) => ({ type, body: world.bodies[type] ?? '' })),
  zoneOf: (code) => getStation(world, code).zone,
});

export const toCooperation = (world: World): StoredCarrierRelations => ({
  partners: world.mct.partners,
  alliances: world.alliances,
  codeshares: world.itineraries.flatMap(listCodeshares),
});

/** Builds the connecting records of a world, itineraries grouped by designator. */
export const buildWorldRecords = (world: World): readonly ConnectingRecord[] => {
  const masterData = toMasterData(world);
  const byDesignator = Map.groupBy(world.itineraries, ({ legs: [{ carrier, flightNumber, suffix }] }) =>
    JSON.stringify([carrier, flightNumber, suffix]),
  );
  return [...byDesignator.values()].flatMap((itineraries) => [...buildConnectingRecords(itineraries, masterData)]);
};

/** Builds the connection set of a world, converts it to bytes and reads it again. */
export const buildWorldSet = (world: World): ConnectionSet => {
  const builder = new ConnectionSetBuilder({
    from: world.from as LocalDate,
    days: world.days,
    mct: world.mct,
    defaults: world.defaults,
    cooperation: toCooperation(world),
  });
  for (const record of buildWorldRecords(world)) builder.add(record);
  const { header, columns } = builder.finish();
  const copied = Object.entries(columns).map(([name, bytes]) => [name, Uint8Array.from(bytes)] as const);
  return readConnectionSet({ header, columns: Object.fromEntries(copied) });
};
