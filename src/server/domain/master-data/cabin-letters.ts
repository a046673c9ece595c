export const cabins = ['first', 'business', 'premiumEconomy', 'economyPlus', 'economy'] as const;
export type Cabin = (typeof cabins)[number];

/** The cabins for which a carrier uses letters of its aircraft configurations in another way than SSIM, by letter. */
export type CabinLetters = Readonly<Partial<Record<string, Cabin>>>;
