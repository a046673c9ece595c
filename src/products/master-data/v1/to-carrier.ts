import type { Carrier as WireCarrier } from '../../../../generated/master-data/v1/types.gen.ts';
import { assignmentCategories } from '../../../domain/master-data/carrier-codes.ts';
import type { LocalDate } from '../../../domain/time/dates.ts';
import type { CarrierEntry } from '../../../domain/master-data/carrier-records.ts';
import type { MasterRecords } from '../../../domain/master-data/master-records.ts';
import { newKeptTexts, provenanceText } from './cached-texts.ts';
import { showCodes, showValidity } from './to-common.ts';

/** How carriers are wanted to be shown. */
export type CarrierView = {
  readonly day: LocalDate;
  readonly content?: readonly 'Provenance'[] | undefined;
  readonly records: MasterRecords;
};

const showUndressed = (entry: CarrierEntry, { day, records }: CarrierView): Omit<WireCarrier, 'provenance'> => {
  const { carrier, facts } = entry;
  const { name, membership, assignment } = records.carriers.onDay(entry, day);
  const { iso, dot } = facts.domicile;
  const countryName = records.countryNames.get(iso);
  return {
    code: showCodes(carrier),
    ...(name && { name }),
    publishingCarrier: records.carriers.isPublishing(entry),
    duplicateCarrier: assignment.isDuplicate,
    ...(assignment.rank !== undefined && { iataCodeRank: assignment.rank }),
    iataCodeAssignmentCategory: { code: assignment.category, name: assignmentCategories[assignment.category] },
    ...((iso || dot) && {
      domicile: {
        country: { code: { ...(iso && { iso }), ...(dot && { dot }) }, ...(countryName && { name: countryName }) },
      },
    }),
    ...(membership && { alliance: { name: membership.alliance, membership: membership.type } }),
    ...showValidity(facts.validity),
  };
};

const openTextOf = newKeptTexts<CarrierEntry>();

/** The JSON text of a carrier as the contract has it, on a day. */
export const showCarrier = (entry: CarrierEntry, view: CarrierView): string =>
  `${openTextOf(entry, { day: view.day }, () => showUndressed(entry, view))}${provenanceText(entry.facts.provenance, view.content)}}`;
