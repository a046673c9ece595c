import type { LiveRequest } from '#feeds/live/live-row.ts';

/** A row of Avinor by its elements; `status` is the attributes of the element. */
export type AvinorRow = Readonly<Record<string, string>>;

/** Writes an answer of Avinor. */
export const writeAvinor = (
  airport: string,
  rows: readonly AvinorRow[],
  { lastUpdate = '2026-10-07T12:00:00.123456Z', encoding = 'ISO-8859-1' } = {},
): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="${encoding}" standalone="yes"?><airport name="${airport}"><flights lastUpdate="${lastUpdate}">${rows
      .map(
        ({ uniqueID = '1', ...row }) =>
          `<flight uniqueID="${uniqueID}">${Object.entries(row)
            .map(([name, text]) => (name === 'status' ? `<status ${text}/>` : `<${name}>${text}</${name}>`))
            .join('')}</flight>`,
      )
      .join('')}</flights></airport>`,
    'latin1',
  );

/** A departure of WF955 from BVG to VDS and KKN. */
export const avinorDeparture: AvinorRow = {
  uniqueID: '1119646495',
  airline: 'WF',
  flight_id: 'WF955',
  dom_int: 'D',
  schedule_time: '2026-10-07T12:05:00Z',
  arr_dep: 'D',
  airport: 'KKN',
  via_airport: 'VDS',
};

/** Its arrival at BVG from VAW and BJF. */
export const avinorArrival: AvinorRow = {
  ...avinorDeparture,
  uniqueID: '1119646122',
  schedule_time: '2026-10-07T11:50:00Z',
  arr_dep: 'A',
  airport: 'VAW',
  via_airport: 'BJF',
};

/** A request for an airport of Norway. */
export const avinorRequest = (place: string, hoursBack?: number): LiveRequest => ({
  place,
  zone: 'Europe/Oslo',
  receivedAt: new Date('2026-10-07T12:00:01Z'),
  hoursBack,
  parameters: {},
});

type HkiaRow = Readonly<Record<string, unknown>>;

/** Writes an answer of HKIA: days with their rows. */
export const writeHkia = (
  days: Readonly<Record<string, readonly HkiaRow[]>>,
  { arrival = false, cargo = false } = {},
): Buffer =>
  Buffer.from(
    JSON.stringify(
      Object.entries(days).map(([date, list]) => ({
        date,
        arrival,
        cargo,
        list,
        lastUpdatedTime: `${date}T23:26:13+08:00`,
      })),
    ),
  );

/** A request for a category of a day in Hong Kong. */
export const hkiaRequest = (date: string, { arrival = false, cargo = false } = {}): LiveRequest => ({
  place: 'HKG',
  zone: 'Asia/Hong_Kong',
  receivedAt: new Date('2026-08-16T01:00:00Z'),
  parameters: { date, arrival: String(arrival), cargo: String(cargo) },
});

/** A departure from Hong Kong. */
export const hkiaDeparture: HkiaRow = {
  time: '00:05',
  flight: [
    { no: 'CX 880', airline: 'CPA' },
    { no: 'LA 6094', airline: 'LAN' },
  ],
  status: '',
  statusCode: null,
  destination: ['LAX'],
  terminal: 'T1',
  aisle: 'C',
  gate: '63',
};
