import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { equipment } from '../../../../src/jobs/demo/world/equipment.ts';

const typeOf = (iata: string) => equipment.find((type) => type.iata === iata);

test('an aircraft of the demo world has all facts with sources', () => {
  expect(typeOf('388')).toEqual({
    iata: '388',
    icao: 'A388',
    name: 'Airbus A380-800',
    cargoTonnes: 12,
    facts: {
      category: 'LandPlane',
      engine: { type: 'Jet', count: 4 },
      body: 'Wide',
      manufacturer: 'Airbus',
      group: '380',
      icaoTypes: ['A388'],
      faa: 'A388',
      wakeTurbulence: 'J',
      serviceTypes: [...'BCDEGIJKLNOPSTWX'],
      provenance: {
        'code.iata': 'own',
        'code.icao': 'own',
        'code.faa': 'own',
        icaoTypes: 'own',
        name: 'own',
        category: 'own',
        'engine.type': 'own',
        'engine.count': 'own',
        body: 'own',
        manufacturer: 'own',
        'group.iata': 'own',
        wakeTurbulence: 'own',
        cargoTonnage: 'own',
        serviceTypes: 'own',
      },
    },
  });
});

test('a truck of the demo world is a surface vehicle', () => {
  expect(typeOf('RFS')).toEqual({
    iata: 'RFS',
    icao: '',
    name: 'Road feeder truck',
    cargoTonnes: 20,
    facts: {
      category: 'SurfaceVehicle',
      engine: { type: '', count: undefined },
      body: '',
      manufacturer: '',
      group: '',
      icaoTypes: [],
      faa: '',
      wakeTurbulence: '',
      serviceTypes: ['V'],
      provenance: {
        'code.iata': 'own',
        name: 'own',
        category: 'own',
        cargoTonnage: 'own',
        serviceTypes: 'own',
      },
    },
  });
});

test('every aircraft of the demo world has engines, a wake category, an ICAO code and, unless it is small, a body', () => {
  const lacking = equipment.filter(
    ({ icao, facts }) =>
      facts.category === 'LandPlane' &&
      (icao === '' || facts.engine.type === '' || facts.wakeTurbulence === '' || facts.body === ''),
  );
  expect(lacking.map(({ iata }) => iata)).toEqual(['DHT']);
});

test('flights of the demo world have service types that suit their equipment', () => {
  const suitable = new Map(equipment.map(({ iata, facts }) => [iata, facts.serviceTypes]));
  const odd = buildDemoWorld(localDate('2026-11-21'))
    .schedules.flatMap(({ itineraries }) => itineraries.flatMap(buildSegments))
    .flatMap(({ legs, serviceType }) => legs.map((leg) => [leg.equipment, serviceType] as const))
    .filter(([iata, letter]) => !suitable.get(iata)?.includes(letter))
    .map(([iata, letter]) => `${iata} ${letter}`);
  expect([...new Set(odd)].toSorted()).toEqual([]);
});
