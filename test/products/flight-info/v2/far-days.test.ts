import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveStatuses, type StatusService } from './status-service.ts';

let world: StatusService;
beforeAll(async () => {
  world = await serveStatuses();
});
afterAll(() => world.drop());

describe.each(['9999-12-31', '0001-01-01'])('%s, at an end of the supported dates,', (date) => {
  test.each(['DepartureDateTime', 'ArrivalDateTime'])('is a day without flights: %s', async (name) => {
    expect(await world.getPage(`${name}=${date}`)).toEqual({
      data: [],
      paging: { limit: 10, totalCount: 0, totalPages: 0 },
    });
  });

  test('has no single flight', async () => {
    const response = await world.get(`/flight-instances/${date}/${'0'.repeat(64)}`);
    expect(response.status).toBe(404);
  });
});

test('there is no year 0', async () => {
  expect(await world.getErrors('DepartureDateTime=0000-12-31')).toEqual({
    DepartureDateTime: ["must be a date of the calendar, not '0000-12-31'"],
  });
  const response = await world.get(`/flight-instances/0000-12-31/${'0'.repeat(64)}`);
  expect(response.status).toBe(400);
});
