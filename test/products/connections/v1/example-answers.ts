import type { Served } from '../../../support/tiny-world.ts';
import { serveConnectionWorld, winter } from './world.ts';

/** The day of the examples, and the query behind each of them. */
const today = '2026-11-02';
const search = '/flight-connections?';
const explain = '/flight-connections/explain?';
const first = `${search}DepartureAirport=GLA&DepartureDate=2027-03-01&ConnectionType=o`;

const queries = {
  firstPage: `${first}&Limit=1&version=v1`,
  interline: `${search}DepartureAirport=LHR&ArrivalCity=BOS&ConnectionType=i&version=v1`,
  changeOfAirports: `${search}DepartureAirport=GLA&DepartureDate=2027-03-01&InterAirport=true&version=v1`,
  withStop: `${search}DepartureAirport=SYD&ArrivalAirport=GLA&version=v1`,
  cargo: `${search}DepartureAirport=GLA&ArrivalAirport=JFK&Service=c&version=v1`,
  nothingFound: `${search}DepartureAirport=GLA&ArrivalAirport=SYD&version=v1`,
  legal: `${explain}Leg1CarrierCode=ZX&Leg1FlightNumber=1302&Leg2CarrierCode=ZX&Leg2FlightNumber=101&DepartureDate=2027-03-01&version=v1`,
  tooShort: `${explain}Leg1CarrierCode=ZX&Leg1FlightNumber=15&Leg2CarrierCode=ZX&Leg2FlightNumber=101&DepartureDate=2027-03-02&version=v1`,
} as const;

export type ExampleName = keyof typeof queries | 'lastPage';

/** The number of the set in the examples: that of the tests' is 1. */
export const EXAMPLE_SET = 12;

/** Links lead to where `make run` serves; their cursors cannot be told beforehand. */
const asShown = (text: string): string =>
  text
    .replaceAll('http://service.test', 'http://localhost:8080')
    .replace(/"set":\{"id":\d+/, `"set":{"id":${EXAMPLE_SET}`);

/** What the service answers to the questions of the contract's examples, by their name. */
export const exampleAnswers = async (): Promise<ReadonlyMap<ExampleName, unknown>> => {
  const world: Served = await serveConnectionWorld({ today, span: winter });
  const answers = new Map<ExampleName, unknown>();
  const ask = async (name: ExampleName, path: string): Promise<string> => {
    const response = await world.get(path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${text}`);
    answers.set(name, JSON.parse(asShown(text)));
    return text;
  };
  for (const [name, path] of Object.entries(queries)) {
    const text = await ask(name as ExampleName, path);
    if (name !== 'firstPage') continue;
    const { paging }: { paging: { next: string } } = JSON.parse(text);
    await ask('lastPage', paging.next.replace('http://service.test', ''));
  }
  await world.drop();
  return answers;
};
