/** Words for a kind of company, which lists write or leave out, at the end of a name or, as Russian ones do, before it. */
const companyForms = /^jsc |(?: (?:ag|gmbh|inc|jsc|llc|ltd|sa|sl))+$/g;

/** The name of a carrier without what lists write differently: accents, blanks, hyphens, capitals, the words for airline and company. */
export const bareName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[.,]/g, '')
    .replace(companyForms, '')
    .replace(/[^a-z0-9]/g, '')
    .replace(/airlines?|airways|air/g, '');
