import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { findCarrier, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { computeScheduleKey, type FlightIdentity, toKeyOrder } from '#domain/schedule/keys.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { toCompany } from '#domain/schedule/segment-lookups.ts';
import { toCodes } from '#products/flight-info/v2/to-flight-instance.ts';
import type { Codeshare } from '#store/flights/codeshares.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { listDesignators } from './flight-codes.ts';

/** The marketing flights of a planned flight. */
export type PlanCodeshares = {
  readonly designators: readonly Designator[];
  readonly codeshares: readonly Codeshare[];
  /** The carrier codes that master data lack: these marketing flights are left out. */
  readonly unknownCarriers: readonly string[];
};

/** Returns the marketing designators that a flight has from earlier plans. */
const listKnown = (known: StatusCandidate | undefined): readonly Designator[] => {
  if (!known || known.doc === '') return [];
  const { codeshare }: Pick<FlightInstance, 'codeshare'> = JSON.parse(known.doc);
  return codeshare.marketingFlights.map(({ code, serviceNumber, suffix }) => ({
    carrier: code,
    flightNumber: Number(serviceNumber),
    suffix,
  }));
};

/**
 * Returns the marketing flights of a plan and of those before it: two airports can name different ones. Their keys are those that a schedule gives
 * them.
 */
export const resolveCodeshares = (
  named: readonly Designator[],
  { known, identity }: { readonly known: StatusCandidate | undefined; readonly identity: FlightIdentity },
  masterDataIndex: MasterDataIndex,
): PlanCodeshares => {
  const filed = named.map((one) => ({
    ...one,
    carrier: listDesignators(masterDataIndex, one.carrier)[0] ?? one.carrier,
  }));
  const distinct = new Map([...listKnown(known), ...filed].map((one) => [toDesignatorKey(one), one]));
  distinct.delete(toDesignatorKey(identity.designator));
  const designators = [...distinct.values()].filter(({ carrier }) => findCarrier(masterDataIndex, carrier));
  const operator = toCompany({ code: identity.designator.carrier, name: '' }, masterDataIndex);
  const codeshares = designators.flatMap((designator): readonly Codeshare[] => {
    const carrier = findCarrier(masterDataIndex, designator.carrier);
    if (!carrier) return [];
    const { flightNumber, suffix } = designator;
    const key = computeScheduleKey({ ...identity, designator });
    return [
      {
        carrierId: carrier.id,
        carrier: toCodes({ iata: carrier.iata, icao: carrier.icao }),
        flightNumber,
        suffix,
        operator,
        key: key.toString('hex'),
        order: String(toKeyOrder(key)),
      },
    ];
  });
  const unknown = filed.filter(({ carrier }) => !findCarrier(masterDataIndex, carrier));
  return { designators, codeshares, unknownCarriers: [...new Set(unknown.map(({ carrier }) => carrier))] };
};
