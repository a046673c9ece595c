import { toJsonObject, type JsonObject } from '../../../src/lib/openapi-document.ts';
import type { Contract } from '../contract.ts';

/** The body of an event that the document shows in a page, without what delivery adds: as the service keeps it. */
export const findEventExample = (contract: Contract, documentType: 'FlightStatus' | 'ScheduleInstance'): JsonObject => {
  const shown = contract
    .examples()
    .map(({ value }) => toJsonObject(value))
    .find((value) => value['documentType'] === documentType && 'position' in value && 'flightVersion' in value);
  if (!shown) throw new Error(`the document shows no ${documentType}`);
  const { messageId: _, messageTimestamp: _made, position: _number, alertId: _alert, ...body } = shown;
  return body;
};
