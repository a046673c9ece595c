import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import type { Database } from '#store/pool/database.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '#test/support/tiny-world.ts';
import { deleteStatuses } from './messages.ts';

export let world: TinyService;
export let db: Database;

/** Serves the example schedule (unless `text` is another one) to the tests of a file; each begins without statuses. */
export const useStatusWorld = (text: string | undefined = schedule): void => {
  beforeAll(async () => {
    world = await serveTinyWorld();
    db = world.db;
    if (text !== '') await publishText(db, text);
  });
  afterAll(() => world.drop());
  afterEach(() => deleteStatuses(db));
};

export const searchPage = async (query: string): Promise<FlightInstancePage> => {
  await world.refresh();
  const response = await world.get(`/flight-instances?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  const page: FlightInstancePage = await response.json();
  return page;
};

/** Returns the flights of 1 June 2026, with their latest statuses. */
export const searchFlights = async (query: string): Promise<readonly FlightInstance[]> =>
  (await searchPage(`DepartureDateTime=2026-06-01&${query}&Content=Status`)).data;
