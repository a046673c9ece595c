export const equipmentTypes = ['789', '77W', '320', '73H', 'AT7', 'ZZZ'] as const;

/** One letter each: most flights carry passengers, some cargo, both or nothing. */
export const serviceTypes = `${'J'.repeat(30)}SUFVMQQQGBARRCOHLLPTKDEWXINYZ`;

/** Every code there is, and one that there is not. */
export const restrictionCodes = 'ABCDEFGHIKMNOQTVWXYZP';
