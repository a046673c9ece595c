import { expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { redactRegistration, restoreRegistration } from '#products/flight-info/v2/redact-registration.ts';

const type = { actualAircraftType: { iata: '789', icao: 'B789' } };
const registration = { aircraftRegistrationNumber: 'GZBKA' };
const head = { state: 'OutGate', updatedAt: '2026-06-01T10:05:00.000' } as const;
const ends = { departure: { gate: 'B36' }, arrival: { gate: '12' } };

test.each<[string, StatusDetails, StatusDetails]>([
  [
    'the aircraft type',
    { ...head, equipment: { ...registration, ...type }, ...ends },
    { ...head, equipment: type, ...ends },
  ],
  ['no aircraft type', { ...head, equipment: registration, ...ends }, { ...head, ...ends }],
])('a status with %s loses its registration and regains it, byte for byte', (_, status, redacted) => {
  expect(JSON.stringify(redactRegistration(status))).toBe(JSON.stringify(redacted));
  expect(JSON.stringify(redactRegistration(redacted))).toBe(JSON.stringify(redacted));
  expect(JSON.stringify(restoreRegistration(redacted, 'GZBKA'))).toBe(JSON.stringify(status));
});
