export const equipmentTypes = ['789', '77W', '320', '73H', 'AT7', 'ZZZ'] as const;

/** One letter each: most flights carry passengers, some cargo, both or nothing. */
export const serviceTypes = `${'J'.repeat(30)}SUFVMQQQGBARRCOHLLPTKDEWXINYZ`;

/** All codes, and one that is not in use. */
export const restrictionCodes = 'ABCDEFGHIKMNOQTVWXYZP';
