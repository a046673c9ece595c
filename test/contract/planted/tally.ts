/** Faults that were planted in answers and in services, and those of them that the contract tests found. */
export const tally = { planted: 0, caught: 0 };

/** Counts a planted fault; answers `caught` where what is said of it names it, else what is said. */
export const checkPlantedFault = (complaints: readonly string[] | string, says: RegExp): string => {
  const said = [complaints].flat().join('\n');
  const isCaught = says.test(said);
  tally.planted += 1;
  tally.caught += isCaught ? 1 : 0;
  return isCaught ? 'caught' : `${said || 'nothing is said'}: not ${String(says)}`;
};
