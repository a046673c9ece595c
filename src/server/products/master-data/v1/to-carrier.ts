import type { Carrier as WireCarrier } from '#generated/master-data/v1/types.gen.ts';
import { type AssignmentCategory, assignmentCategories } from '#domain/master-data/carrier-codes.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { CarrierEntry } from '#domain/master-data/carrier-records.ts';
import type { MasterRecords } from '#domain/master-data/master-records.ts';
import { createTextCache, renderProvenance } from './text-cache.ts';
import { toCodes, toValidity } from './to-common.ts';

/** Options of rendering a carrier. */
export type CarrierOptions = {
  readonly day: LocalDate;
  readonly content?: readonly 'Provenance'[] | undefined;
  readonly records: MasterRecords;
};

type Category = WireCarrier['iataCodeAssignmentCategory'];

/** Of a carrier that only status messages name. */
const unconfirmedCategory: Category = { code: 'Unconfirmed', name: 'Only status messages name the carrier' };

const toCategory = (code: AssignmentCategory): Category => ({ code, name: assignmentCategories[code] });

const toCarrier = (entry: CarrierEntry, { day, records }: CarrierOptions): Omit<WireCarrier, 'provenance'> => {
  const { carrier, facts } = entry;
  const { name, membership, assignment } = records.carriers.getOnDay(entry, day);
  const category = carrier.isUnconfirmed ? unconfirmedCategory : toCategory(assignment.category);
  const { iso, dot } = facts.domicile;
  const countryName = records.countryNames.get(iso);
  return {
    code: toCodes(carrier),
    ...(name && { name }),
    publishingCarrier: records.carriers.isPublishing(entry),
    duplicateCarrier: assignment.isDuplicate,
    ...(assignment.rank !== undefined && { iataCodeRank: assignment.rank }),
    iataCodeAssignmentCategory: category,
    ...((iso || dot) && {
      domicile: {
        country: { code: { ...(iso && { iso }), ...(dot && { dot }) }, ...(countryName && { name: countryName }) },
      },
    }),
    ...(membership && { alliance: { name: membership.alliance, membership: membership.type } }),
    ...toValidity(facts.validity),
  };
};

const cachedText = createTextCache<CarrierEntry>();

/** Renders a carrier on a day as JSON text. */
export const renderCarrier = (entry: CarrierEntry, options: CarrierOptions): string =>
  `${cachedText(entry, { day: options.day }, () => toCarrier(entry, options))}${renderProvenance(entry.facts.provenance, options.content)}}`;
