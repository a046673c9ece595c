import type { CarrierName, Membership, Validity } from './master-data-facts.ts';

/** Whether a day, `YYYY-MM-DD`, lies in a time whose ends are included; an end that is not known is open. */
export const holdsOn = ({ from, to }: Validity, day: string): boolean =>
  (from === '' || from <= day) && (to === '' || day <= to);

/** The name somebody had on a day: a former one while it lasted, else the present one. A former name without an end cannot be placed. */
export const nameOn = (
  { name, formerNames }: { readonly name: string; readonly formerNames: readonly CarrierName[] },
  day: string,
): string => formerNames.find((former) => former.to !== '' && holdsOn(former, day))?.name ?? name;

/** The alliance somebody belongs to on a day; of several, which only sources at odds can give, the one joined last. */
export const membershipOn = (memberships: readonly Membership[], day: string): Membership | undefined =>
  memberships
    .filter((membership) => holdsOn(membership, day))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .at(-1);
