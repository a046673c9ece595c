import { addDays, formatDate } from '#domain/time/dates.ts';
import { dayAt, type World } from './world.ts';

/** A benchmark query: the parameters of the contract and the equivalent SQL condition. */
export type BenchQuery = {
  readonly name: string;
  /** Parameters of the contract, without the limit. */
  readonly query: string;
  /** Local departure, both minutes included. */
  readonly from: string;
  readonly to: string;
  /** IDs of the filters. */
  readonly departure?: number;
  readonly arrival?: number;
  readonly carrier?: number;
  /** The page number from 1; the first page includes the exact count. */
  readonly page: number;
};

type Busiest = { readonly id: number; readonly iata: string };

const pageOf = 500;

/** Lists queries of each shape: the busiest airport, route and carrier, and a mid-size carrier for a week. */
export const listBenchQueries = async (world: World): Promise<readonly BenchQuery[]> => {
  const { db } = world;
  const day = dayAt(world);
  const [date, next] = [formatDate(day), formatDate(addDays(day, 1))];
  const lastDay = formatDate(addDays(day, Math.min(6, Math.max(0, world.days - 4))));
  const busiest = async (column: 'departure' | 'carrier', rank: number): Promise<Busiest> => {
    const [row] = await db<Busiest[]>`
      select o.id, o.iata from flight_instance i join ${db(column === 'carrier' ? 'carrier' : 'location')} o on o.id = i.${db(column)}
      where departs_at >= ${date}::date and departs_at < ${next}::date group by 1, 2 order by count(*) desc, 1 offset ${rank} limit 1`;
    if (!row) throw new Error(`the world has no ${column} of rank ${rank}`);
    return row;
  };
  const [route] = await db<{ departure: number; arrival: number; from: string; to: string }[]>`
    select departure, arrival, d.iata as "from", a.iata as "to" from flight_instance i
    join location d on d.id = departure join location a on a.id = arrival
    where departs_at >= ${date}::date and departs_at < ${next}::date group by 1, 2, 3, 4 order by count(*) desc, 1, 2 limit 1`;
  if (!route) throw new Error('the world has no flights');
  const [airport, largest, middle] = [
    await busiest('departure', 0),
    await busiest('carrier', 0),
    await busiest('carrier', 15),
  ];
  const oneDay = { from: `${date} 00:00`, to: `${date} 23:59` };
  const dayQuery = `DepartureDateTime=${date}`;
  const shapes = [
    { name: 'date + airport', ...oneDay, departure: airport.id, query: `${dayQuery}&DepartureAirport=${airport.iata}` },
    {
      name: 'date + route',
      ...oneDay,
      departure: route.departure,
      arrival: route.arrival,
      query: `${dayQuery}&DepartureAirport=${route.from}&ArrivalAirport=${route.to}`,
    },
    { name: 'date + carrier', ...oneDay, carrier: largest.id, query: `${dayQuery}&CarrierCode=${largest.iata}` },
    {
      name: 'week + carrier',
      from: `${date} 00:00`,
      to: `${lastDay} 23:59`,
      carrier: middle.id,
      query: `DepartureDateTime=${date}/${lastDay}&CarrierCode=${middle.iata}`,
    },
    { name: 'date', ...oneDay, query: dayQuery },
  ];
  const following = shapes.map((shape) => ({ ...shape, page: 2 }));
  return [
    ...shapes.map((shape) => ({ ...shape, page: 1 })),
    ...following,
    ...shapes.filter(({ name }) => name === 'date').map((shape) => ({ ...shape, page: pageOf })),
  ];
};
