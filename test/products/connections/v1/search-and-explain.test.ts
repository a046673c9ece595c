import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection, ConnectionPage, Explanation, Leg } from '../../../../generated/connections/v1/types.gen.ts';
import type { SchedulePage } from '../../../../generated/schedules/v1/types.gen.ts';
import type { TinyService } from '../../../support/tiny-world.ts';
import { serveConnections } from './connections-service.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveConnections();
});
afterAll(() => world.drop());

const read = async <T>(path: string): Promise<T> => {
  const response = await world.get(path);
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  const body: T = await response.json();
  return body;
};

const nameOf = ({ carrierCode, flightNumber, serviceSuffix = '' }: Leg): string =>
  `${carrierCode.iata} ${flightNumber}${serviceSuffix}`;

const wayOf = ({ DepartureAirport, leg1, leg2, ArrivalAirport }: Connection): string => {
  const via = `${leg1.arrival.airport.iata}/${leg2.departure.airport.iata}`;
  return `${nameOf(leg1)} ${DepartureAirport} ${via} ${ArrivalAirport} ${nameOf(leg2)} after ${leg1.connectionTime}`;
};

const waysOf = ({ connections }: Explanation): readonly string[] =>
  connections
    .filter(({ legal }) => legal)
    .map(
      ({ origin, via, destination, leg1, leg2, connectingTime }) =>
        `${nameOf(leg1)} ${origin} ${via.arrivalAirport}/${via.departureAirport} ${destination} ${nameOf(leg2)} after ${connectingTime}`,
    );

/** `ZX 302A` as parameters of a leg. */
const legQuery = (leg: 1 | 2, name: string): string => {
  const [, carrier, number, suffix] = /^(..) (\d+)(\w?)$/.exec(name) ?? [];
  const query = `Leg${leg}CarrierCode=${carrier}&Leg${leg}FlightNumber=${number}`;
  return suffix ? `${query}&Leg${leg}ServiceSuffix=${suffix}` : query;
};

/** Every flight that departs in the first week. */
const flights = async (): Promise<readonly string[]> => {
  const { data } = await read<SchedulePage>('/flights?Limit=1000');
  return [
    ...new Set(
      data.map(
        ({ carrierCode, flightNumber, serviceSuffix }) => `${carrierCode.iata} ${flightNumber}${serviceSuffix ?? ''}`,
      ),
    ),
  ];
};

test.each(['2026-06-01', '2026-06-06'])(
  'of all pairs of flights, the connections of %s that a search finds are exactly those with an explanation that allows them',
  { timeout: 240_000 },
  async (date) => {
    const airports = 'LHR,LGW,JFK,CDG,SIN,GLA,OPO,BOS';
    const { data } = await read<ConnectionPage>(
      `/flight-connections?ViaPoint=${airports}&MaxConnectingTime=1440&DepartureDate=${date}&Limit=1000`,
    );
    const names = await flights();
    const allowed: string[] = [];
    for (const leg1 of names)
      for (const leg2 of names) {
        const path = `/flight-connections/explain?${legQuery(1, leg1)}&${legQuery(2, leg2)}&DepartureDate=${date}`;
        const response = await world.get(path);
        if (response.status === 404) continue;
        const explanation: Explanation = await response.json();
        allowed.push(...waysOf(explanation));
      }
    expect(allowed.toSorted()).toEqual(data.map(wayOf).toSorted());
    expect(data.length).toBeGreaterThan(20);
  },
);

test('an explanation has the minimum of the search result', async () => {
  const { data } = await read<ConnectionPage>(
    '/flight-connections?ViaPoint=LHR,JFK,CDG,GLA,OPO&MaxConnectingTime=1440&Limit=1000',
  );
  for (const { leg1, leg2, effectivePeriod, minimumConnectingTime, Circuity, totalElapsedTime } of data) {
    const { connections } = await read<Explanation>(
      `/flight-connections/explain?${legQuery(1, nameOf(leg1))}&${legQuery(2, nameOf(leg2))}&DepartureDate=${effectivePeriod.startDate}`,
    );
    const same = connections.find(
      (one) =>
        one.leg1.departure.airport.iata === leg1.departure.airport.iata &&
        one.leg1.arrival.airport.iata === leg1.arrival.airport.iata,
    );
    const figures = Object.assign({}, ...(same?.verdicts.map((verdict) => verdict.figures) ?? []));
    const elapsed = (same?.leg1.elapsedTime ?? 0) + (same?.connectingTime ?? 0) + (same?.leg2.elapsedTime ?? 0);
    expect([nameOf(leg1), nameOf(leg2), figures.minimumConnectingTime, figures.percent, elapsed]).toEqual([
      nameOf(leg1),
      nameOf(leg2),
      minimumConnectingTime,
      Circuity,
      totalElapsedTime,
    ]);
  }
  expect(data.length).toBeGreaterThan(30);
});
