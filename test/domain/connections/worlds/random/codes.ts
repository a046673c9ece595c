export const equipmentTypes = ['789', '77W', '320', '73H', 'AT7', 'ZZZ'] as const;

/** One letter each: most flights carry passengers, some cargo, both or neither. */
export const serviceTypes = `${'J'.repeat(30)}SUFVMQQQGBARRCOHLLPTKDEWXINYZ`;

/** All codes, and an unused one. */
export const restrictionCodes = 'ABCDEFGHIKMNOQTVWXYZP';
