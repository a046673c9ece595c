import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { buildSegments } from '../../../../src/domain/schedule/segments.ts';
import { buildDemoWorld } from '../../../../src/jobs/demo/world/demo-world.ts';
import { equipment } from '../../../../src/jobs/demo/world/equipment.ts';

const own = (fields: string) => Object.fromEntries(fields.split(' ').map((field) => [field, 'own']));
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
      provenance: own(
        'code.iata code.icao code.faa icaoTypes name category engine.type engine.count body manufacturer group.iata ' +
          'wakeTurbulence cargoTonnage serviceTypes',
      ),
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
      provenance: own('code.iata name category cargoTonnage serviceTypes'),
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
