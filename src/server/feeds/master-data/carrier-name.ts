/** Legal forms, which some lists write and others leave out: at the end of a name or, for Russian companies, before it. */
const legalForms = /^jsc |(?: (?:ag|gmbh|inc|jsc|llc|ltd|sa|sl))+$/g;

/** Returns the name of a carrier without what lists write differently: accents, blanks, punctuation, case, legal form, `Airlines`. */
export const normalizeCarrierName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[.,]/g, '')
    .replace(legalForms, '')
    .replace(/[^a-z0-9]/g, '')
    .replace(/airlines?|airways|air/g, '');
