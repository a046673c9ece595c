import { localDate } from '#domain/time/dates.ts';
import { openDatabase } from '#store/pool/database.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';

/** Child process with other time zone rules: loads a file from standard input and prints its report. */
const [url = '', stations = '[]'] = process.argv.slice(2);

const unknown = { icao: '', faa: '', countryCode: '', cityCode: '', latitude: 0, longitude: 0 };
const db = openDatabase({ url, applicationName: 'flightdata-test-zones', max: 2 });
await saveTinyMasterData(db);
const stationZones: (readonly [iata: string, zone: string])[] = JSON.parse(stations);
await db.begin((sql) =>
  upsertLocations(
    sql,
    stationZones.map(([iata, zone]) => ({ ...unknown, iata, zone, name: iata, rank: 1 })),
  ),
);
let text = '';
for await (const piece of process.stdin) text += String(piece);
const { accepted, entries } = await publishText(db, text, { today: localDate('2026-06-01') });
process.stdout.write(JSON.stringify({ tz: process.versions['tz'], accepted, entries }));
await db.end();
