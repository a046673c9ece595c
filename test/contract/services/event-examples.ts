import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import type { Contract } from '../contract.ts';

/** Returns an example event of the document as the service stores it, without the members that delivery adds. */
export const findEventExample = (contract: Contract, documentType: 'FlightStatus' | 'ScheduleInstance'): JsonObject => {
  const example = contract
    .examples()
    .map(({ value }) => toJsonObject(value))
    .find((value) => value['documentType'] === documentType && 'position' in value && 'flightVersion' in value);
  if (!example) throw new Error(`the document shows no ${documentType}`);
  const { messageId: _, messageTimestamp: _made, position: _number, alertId: _alert, ...body } = example;
  return body;
};
